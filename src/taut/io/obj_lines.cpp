#include "taut/io/obj_lines.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "taut/base/error.hpp"

namespace taut::io {
namespace {

// Longer words are no numbers anybody wrote on purpose; the bound also makes sure that a number with a
// negative exponent that is out of range is too small, never too large.
constexpr std::size_t longest_number = 128;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }

std::string_view take_word(std::string_view& rest) {
    std::size_t begin = 0;
    while (begin < rest.size() && is_blank(rest[begin])) ++begin;
    std::size_t end = begin;
    while (end < rest.size() && !is_blank(rest[end])) ++end;
    const std::string_view word = rest.substr(begin, end - begin);
    rest.remove_prefix(end);
    return word;
}

bool is_continued(std::string_view line) {
    return !line.empty() && line.back() == '\\' && line.find('#') == std::string_view::npos;
}

}  // namespace

std::string excerpt(std::string_view text) {
    constexpr std::size_t longest = 60;
    std::string shown = "'";
    for (char c : text.substr(0, longest)) {
        const bool printable = c >= ' ' && c <= '~';
        shown += printable ? c : c == '\t' ? ' ' : '?';
    }
    return shown + (text.size() > longest ? "...'" : "'");
}

// One line as it stands in the text; \n, \r\n and a lone \r end it.
std::string_view ObjLines::take_physical_line() {
    const std::size_t end = text_.find_first_of("\r\n");
    const std::string_view line = text_.substr(0, end);
    if (end == std::string_view::npos) {
        text_ = {};
    } else {
        const bool two = text_[end] == '\r' && end + 1 < text_.size() && text_[end + 1] == '\n';
        text_.remove_prefix(end + (two ? 2 : 1));
    }
    ++next_number_;
    return line;
}

bool ObjLines::next() {
    while (!text_.empty()) {
        number_ = next_number_;
        line_ = take_physical_line();

        // Join lines that end in a backslash.
        if (is_continued(line_)) {
            joined_.clear();
            std::string_view piece = line_;
            while (is_continued(piece)) {
                joined_.append(piece.substr(0, piece.size() - 1)) += ' ';
                piece = take_physical_line();
            }
            line_ = joined_.append(piece);
        }

        // Drop the comment; go on if no word is left.
        rest_ = line_.substr(0, line_.find('#'));
        keyword_ = take_word(rest_);
        if (!keyword_.empty()) return true;
    }
    return false;
}

bool ObjLines::word(std::string_view& word) {
    word = take_word(rest_);
    return !word.empty();
}

double ObjLines::real(std::string_view word) const {
    std::string_view digits = word;
    if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
    double value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    if (error == std::errc::invalid_argument || stop != end || digits.size() > longest_number) {
        fail(fmt::format("{} is not a number", excerpt(word)), "write a decimal number such as 0.5 or -1e-3");
    }
    if (error == std::errc::result_out_of_range) {
        if (digits.find_first_of("eE") != std::string_view::npos &&
            digits.find("-", 1) != std::string_view::npos) {
            return 0;
        }
        fail(fmt::format("{} is too large a number", excerpt(word)), "export the mesh in metres");
    }
    if (!std::isfinite(value)) {
        fail(fmt::format("{} is not a finite number", excerpt(word)),
             "repair the mesh in the program that made it");
    }
    return value;
}

int ObjLines::index(std::string_view word) const {
    int value = 0;
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, value);
    if (error == std::errc::result_out_of_range) {
        fail(fmt::format("index {} is out of range", excerpt(word)),
             "indices count the elements of this file");
    }
    if (error != std::errc{} || stop != end || word.empty()) {
        fail(fmt::format("{} is not an index", excerpt(word)), "write corners as v, v/vt, v//vn or v/vt/vn");
    }
    if (value == 0) fail("index 0 is out of range", "indices count from 1, or from -1 backwards");
    return value;
}

void ObjLines::fail(const std::string& problem, const std::string& remedy) const {
    fail_at(number_, problem, excerpt(line_), remedy);
}

void ObjLines::fail_at(long line, const std::string& problem, const std::string& value,
                       const std::string& remedy) const {
    throw InputError({file_, fmt::format("line {}", line)}, problem, value, remedy);
}

}  // namespace taut::io
