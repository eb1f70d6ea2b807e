#include "taut/scene/fabric_csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "taut/base/error.hpp"
#include "taut/scene/fabric_units.hpp"
#include "taut/scene/json_reader.hpp"

namespace taut::scene {
namespace {

using Cells = std::vector<std::string_view>;

constexpr const char* header_remedy =
    "begin with: test, direction, curvature [1/cm], moment [gf.cm/cm], angle [deg], force [gf/cm]";

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

Cells cells_of(std::string_view line) {
    Cells cells;
    while (true) {
        const std::size_t comma = line.find(',');
        cells.push_back(trimmed(line.substr(0, comma)));
        if (comma == std::string_view::npos) return cells;
        line = line.substr(comma + 1);
    }
}

// A few characters of a cell, for messages.
std::string shown(std::string_view cell) {
    constexpr std::size_t most = 40;
    return short_text(Json(std::string(cell.substr(0, most))));
}

struct CsvColumn {
    const char* name;
    FabricQuantity quantity;
    int at = -1;  // among the cells
    double factor = 1;
};

class CsvTable {
public:
    explicit CsvTable(const std::string& file) : file_(file) {}

    void read_header(const Cells& cells, int line) {
        for (std::size_t k = 0; k < cells.size(); ++k) read_title(cells[k], line, static_cast<int>(k));
        for (const auto& [at, name] : {std::pair{test_, "test"}, std::pair{direction_, "direction"}}) {
            if (at < 0) fail(line, -1, fmt::format("the column '{}' is missing", name), "", header_remedy);
        }
        for (std::size_t k = 0; k < columns_.size(); k += 2) {
            if ((columns_[k].at < 0) == (columns_[k + 1].at < 0)) continue;
            const CsvColumn& missing = columns_[columns_[k].at < 0 ? k : k + 1];
            fail(line, -1, fmt::format("the column '{}' is missing", missing.name), "", header_remedy);
        }
        width_ = cells.size();
    }

    void read_row(const Cells& cells, int line) {
        if (cells.size() != width_) {
            fail(line, -1, "the row has another number of cells than the header",
                 std::to_string(cells.size()), fmt::format("allowed: {}", width_));
        }
        const std::string test = choice(cells, test_, line, {"bending", "shear"}, "test");
        const std::string direction = choice(cells, direction_, line, {"warp", "weft"}, "direction");
        const std::size_t first = test == "shear" ? 2 : 0;
        if (columns_[first].at < 0) {
            fail(line, test_, fmt::format("there are no columns for {}", test), shown(test), header_remedy);
        }
        for (std::size_t k = 0; k < columns_.size(); ++k) {
            const CsvColumn& column = columns_[k];
            const bool wanted = k / 2 == first / 2;
            if (wanted || column.at < 0 || cells[static_cast<std::size_t>(column.at)].empty()) continue;
            fail(line, column.at, fmt::format("a row of {} has no '{}'", test, column.name),
                 shown(cells[static_cast<std::size_t>(column.at)]), "leave the cell empty");
        }
        CsvPath& path = paths_[{test, direction}];
        path.path.s.push_back(number(cells, columns_[first], line));
        path.path.load.push_back(number(cells, columns_[first + 1], line));
        path.lines.push_back(line);
    }

    CsvPaths take() { return std::move(paths_); }

    [[noreturn]] void fail(int line, int at, const std::string& problem, const std::string& value,
                           const std::string& remedy) const {
        const std::string place =
            at < 0 ? fmt::format("line {}", line) : fmt::format("line {}, column {}", line, at + 1);
        throw InputError({file_, place}, problem, value, remedy);
    }

private:
    // "curvature [1/cm]": a name and its unit.
    void read_title(std::string_view cell, int line, int at) {
        const std::size_t bracket = cell.find('[');
        const std::string name(trimmed(cell.substr(0, bracket)));
        if (name == "test" || name == "direction") {
            int& place = name == "test" ? test_ : direction_;
            if (place >= 0) fail(line, at, "the column is there twice", shown(cell), "keep one of them");
            place = at;
            return;
        }
        const auto column = std::find_if(columns_.begin(), columns_.end(),
                                         [&](const CsvColumn& c) { return name == c.name; });
        if (column == columns_.end()) {
            fail(line, at, "unknown column", shown(cell),
                 name_remedy(name, {"test", "direction", "curvature", "moment", "angle", "force"}));
        }
        if (column->at >= 0) fail(line, at, "the column is there twice", shown(cell), "keep one of them");
        const std::string units = fmt::format(
            "allowed: {} [{}]", name, fmt::join(unit_names(column->quantity), fmt::format("], {} [", name)));
        if (bracket == std::string_view::npos || !cell.ends_with(']'))
            fail(line, at, "the column has no unit", shown(cell), units);
        const auto unit = trimmed(cell.substr(bracket + 1, cell.size() - bracket - 2));
        const auto factor = unit_factor(column->quantity, unit);
        if (!factor) fail(line, at, "unknown unit", shown(unit), units);
        column->at = at, column->factor = *factor;
    }

    std::string choice(const Cells& cells, int at, int line, const std::vector<std::string>& choices,
                       const char* what) const {
        std::string value(cells[static_cast<std::size_t>(at)]);
        if (std::find(choices.begin(), choices.end(), value) == choices.end())
            fail(line, at, fmt::format("unknown {}", what), shown(value), name_remedy(value, choices));
        return value;
    }

    double number(const Cells& cells, const CsvColumn& column, int line) const {
        const std::string_view cell = cells[static_cast<std::size_t>(column.at)];
        double value = 0;
        const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
        if (error != std::errc{} || end != cell.data() + cell.size() ||
            !std::isfinite(value * column.factor)) {
            fail(line, column.at, fmt::format("the {} is no number", column.name), shown(cell),
                 "allowed: finite numbers with a decimal point");
        }
        return value * column.factor;
    }

    std::string file_;
    int test_ = -1, direction_ = -1;
    std::array<CsvColumn, 4> columns_{{{"curvature", FabricQuantity::curvature},
                                       {"moment", FabricQuantity::moment},
                                       {"angle", FabricQuantity::angle},
                                       {"force", FabricQuantity::shear_force}}};
    std::size_t width_ = 0;
    CsvPaths paths_;
};

}  // namespace

CsvPaths read_fabric_csv(std::string_view text, const std::string& file) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    CsvTable table(file);
    bool header = false;
    int line = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view row = trimmed(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
        ++line;
        if (row.empty() || row.starts_with('#')) continue;
        if (header) {
            table.read_row(cells_of(row), line);
        } else {
            table.read_header(cells_of(row), line);
            header = true;
        }
    }
    if (!header) table.fail(1, -1, "the table is empty", "", header_remedy);
    return table.take();
}

}  // namespace taut::scene
