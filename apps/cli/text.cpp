// Words and tables as the command line shows and reads them.
#include "text.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "taut/base/error.hpp"

namespace taut::cli {

std::string percent_text(double fraction) {
    const double percent = 100 * fraction;
    if (!std::isfinite(percent)) return std::isnan(percent) ? "nan" : "unbounded";
    if (percent != 0 && std::abs(percent) < 1e-4) return fmt::format("{:.2e} %", percent);
    return fmt::format("{:.4g} %", percent);
}

std::string seconds_text(double seconds) {
    if (!std::isfinite(seconds)) return "?";
    if (seconds < 1) return fmt::format("{:.3g} ms", 1e3 * seconds);
    if (seconds < 60) return fmt::format("{:.3g} s", seconds);
    const long whole = std::lround(seconds);
    if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string clock_text(double seconds) {
    if (!std::isfinite(seconds) || seconds > 3.6e6) return "-:--";
    const long whole = std::lround(std::max(seconds, 0.0));
    if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole % 3600 / 60, whole % 60);
}

std::string bytes_text(double bytes) {
    const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    for (; bytes >= 1024 && unit < 4; ++unit) bytes /= 1024;
    return fmt::format("{:.3g} {}", bytes, units[unit]);
}

std::string count_text(long count) {
    const std::string digits = std::to_string(count);
    std::string text;
    for (std::size_t k = 0; k < digits.size(); ++k) {
        const std::size_t left = digits.size() - k;
        if (k > 0 && left % 3 == 0 && digits[k - 1] != '-') text += ' ';
        text += digits[k];
    }
    return text;
}

std::string counted(long count, const std::string& thing, const std::string& plural) {
    return count_text(count) + " " + (count == 1 ? thing : plural.empty() ? thing + "s" : plural);
}

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    while (true) {
        const std::size_t end = text.find(separator, begin);
        parts.push_back(text.substr(begin, end - begin));
        if (end == std::string::npos) return parts;
        begin = end + 1;
    }
}

namespace {

bool whole_number(const std::string& text, double& value) {
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && stop == end && std::isfinite(value);
}

}  // namespace

bool is_fraction(const std::string& text, double& value) {
    const std::size_t slash = text.find('/');
    double top = 0, bottom = 0;
    if (slash == std::string::npos || !whole_number(text.substr(0, slash), top) ||
        !whole_number(text.substr(slash + 1), bottom) || bottom == 0) {
        return false;
    }
    value = top / bottom;
    return true;
}

double read_number(const std::string& option, const std::string& text) {
    double value = 0;
    if (!is_fraction(text, value) && !whole_number(text, value)) {
        throw InputError({"", option}, "is not a number", text,
                         "write a number such as 0.01 or a fraction such as 1/120");
    }
    return value;
}

double read_fraction(const std::string& option, const std::string& text) {
    if (!text.empty() && text.back() == '%')
        return read_number(option, text.substr(0, text.size() - 1)) / 100;
    return read_number(option, text);
}

int read_count(const std::string& option, const std::string& text) {
    const double value = read_number(option, text);
    if (value < 1 || value > 1e9 || value != std::floor(value)) {
        throw InputError({"", option}, "is not a count", text, "write a whole number from 1 on");
    }
    return static_cast<int>(value);
}

std::pair<int, int> read_size(const std::string& option, const std::string& text) {
    const std::vector<std::string> parts = split(text, 'x');
    double width = 0, height = 0;
    const bool good = parts.size() == 2 && whole_number(parts[0], width) && whole_number(parts[1], height);
    const auto allowed = [](double pixels) {
        return pixels >= 16 && pixels <= 16384 && pixels == std::floor(pixels);
    };
    if (!good || !allowed(width) || !allowed(height)) {
        throw InputError({"", option}, "is not a picture size", text,
                         "write WIDTHxHEIGHT in pixels, each from 16 to 16384, such as 1280x720");
    }
    return {static_cast<int>(width), static_cast<int>(height)};
}

void Table::row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

void Table::rule() { rows_.emplace_back(); }

std::string Table::text() const {
    // Measure the columns.
    std::vector<std::size_t> width;
    for (const auto& row : rows_) {
        if (row.size() > width.size()) width.resize(row.size(), 0);
        for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
    }
    std::size_t total = 0;
    for (const std::size_t w : width) total += w + 2;

    // Lay out the rows, two blanks between columns, none at the end of a line.
    std::string out;
    for (const auto& row : rows_) {
        std::string line;
        if (row.empty() && total > 2) line = std::string(total - 2, '-');
        for (std::size_t c = 0; c < row.size(); ++c) {
            if (c > 0) line += "  ";
            line +=
                c == 0 ? fmt::format("{:<{}}", row[c], width[c]) : fmt::format("{:>{}}", row[c], width[c]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) == 1; }

int terminal_width(std::FILE* stream) {
    winsize size{};
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return 80;
}

}  // namespace taut::cli
