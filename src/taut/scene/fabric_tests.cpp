#include "taut/scene/fabric_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "taut/scene/fabric_csv.hpp"
#include "taut/scene/fabric_kes.hpp"
#include "taut/scene/fabric_units.hpp"
#include "taut/scene/library.hpp"

namespace taut::scene {
namespace {

constexpr const char* forms_remedy =
    "give points (units, deformation, load), a table (file), parameters of the Kawabata system (units, B, "
    "2HB or G, 2HG, 2HG5), or those of a curve (units, slope, yielding, stiffening)";

// What one description holds; of the numbers those of its form count.
struct Given {
    CurveForm form = CurveForm::points;
    std::vector<LoadPath> paths;
    KesBending bending;
    KesShear shear;
    elements::LoadCurve curve;
};

bool has_any(const JsonReader& reader, const std::vector<std::string>& keys) {
    return std::any_of(keys.begin(), keys.end(), [&](const std::string& key) { return reader.find(key); });
}

const char* test_name(bool shear) { return shear ? "shear" : "bending"; }

// Refuses points that are no measurement from rest outwards; place(k) is where point k stands.
void check_path(const LoadPath& path, bool shear, const ErrorPlace& whole,
                const std::function<ErrorPlace(std::size_t)>& place) {
    constexpr std::size_t least_points = 4, most_points = 5000;
    if (path.s.size() < least_points || path.s.size() > most_points) {
        throw InputError(
            whole, path.s.size() < least_points ? "there are too few points" : "there are too many points",
            std::to_string(path.s.size()), fmt::format("allowed: {} to {}", least_points, most_points));
    }
    const double limit = shear ? 90 * degree : 1e5;  // [rad], [1/m]
    double reach = 0, most = 0;
    for (std::size_t k = 0; k < path.s.size(); ++k) {
        if (!(std::abs(path.s[k]) < limit)) {
            throw InputError(
                place(k), shear ? "the angle is too large" : "the curvature is too large",
                shear ? fmt::format("{:.4g} deg", path.s[k] / degree) : fmt::format("{:.4g} 1/m", path.s[k]),
                shear ? "allowed: less than 90 deg; check the unit"
                      : "allowed: less than 1e5 1/m; check the unit");
        }
        reach = std::max(reach, std::abs(path.s[k])), most = std::max(most, std::abs(path.load[k]));
    }
    constexpr double nothing = 1e-9, too_much = 1e9;  // [1/m] or [rad], [N] or [N/m]; far from any cloth
    if (!(reach > nothing) || !(most > nothing * nothing)) {
        throw InputError(whole, reach > nothing ? "all loads are 0" : "all deformations are 0", "",
                         "give points away from 0; to leave the resistance out, drop the force");
    }
    if (most > too_much) {
        throw InputError(whole, "the loads are too large",
                         fmt::format("{:.4g} {}", most, shear ? "N/m" : "N"), "check the unit");
    }

    // Follow the way out from rest: it must begin unloaded, come in several points, and never fall.
    constexpr double noise = 0.05, unloaded = 0.2;  // of the largest load
    if (std::abs(path.s[0]) <= 1e-3 * reach && std::abs(path.load[0]) > unloaded * most) {
        throw InputError(
            place(0), "the measurement does not begin at rest",
            fmt::format("a load of {:.3g} of the largest without deformation", path.load[0] / most),
            "begin with the first way out of a fabric without load");
    }
    double farthest = 0, highest = 0;
    std::size_t out = 0;
    for (std::size_t k = 0; k < path.s.size(); ++k) {
        if (std::abs(path.s[k]) <= farthest) continue;
        farthest = std::abs(path.s[k]);
        const double load = std::copysign(1.0, path.s[k]) * path.load[k];
        if (load < highest - noise * most) {
            throw InputError(
                place(k), "the load falls on the way out",
                fmt::format("{:.3g} of the largest load, after {:.3g}", load / most, highest / most),
                "list points in order of time, loads with the sign of their deformation");
        }
        highest = std::max(highest, load);
        ++out;
    }
    constexpr std::size_t least_out = 3;
    if (out < least_out) {
        throw InputError(whole, "there is no loading branch", fmt::format("{} points on the way out", out),
                         fmt::format("allowed: {} at least; begin with the way out from rest", least_out));
    }
}

UnitPair read_units(const JsonReader& reader, bool shear) {
    const JsonReader units = reader.at("units", unit_pair_remedy(shear));
    const auto pair = unit_pair(shear, units.text());
    if (!pair) units.fail(fmt::format("unknown units of {}", test_name(shear)), unit_pair_remedy(shear));
    return *pair;
}

std::vector<double> read_numbers(const JsonReader& reader, const char* key, double factor) {
    std::vector<double> values;
    const JsonReader list = reader.at(key, "give 'deformation' and 'load', one number per point each");
    for (const JsonReader& value : list.elements(fmt::format("'{}'", key))) {
        values.push_back(factor * value.number());
        if (!std::isfinite(values.back())) value.fail("the value is too large", "check the unit");
    }
    return values;
}

Given read_points(const JsonReader& reader, bool shear) {
    reader.require_keys({"units", "deformation", "load"});
    const UnitPair units = read_units(reader, shear);
    LoadPath path{read_numbers(reader, "deformation", units.deformation),
                  read_numbers(reader, "load", units.load)};
    if (path.s.size() != path.load.size()) {
        throw InputError(reader.place(), "'deformation' and 'load' have different numbers of values",
                         fmt::format("{} and {}", path.s.size(), path.load.size()),
                         "give one of each per point");
    }
    check_path(path, shear, reader.place(), [&](std::size_t k) {
        return ErrorPlace{reader.file(), fmt::format("{}/load/{}", reader.pointer(), k)};
    });
    Given given;
    given.paths.push_back(std::move(path));
    return given;
}

// A table beside the fabric file; `shown` becomes its name in messages.
std::string read_table(const JsonReader& file, const FabricSource& source, std::string& shown) {
    const std::string name = file.text();
    if (source.inside) {
        shown = name;
        for (const NamedFile& table : fabric_library()) {
            if (table.path == name) return std::string(table.text);
        }
        file.fail("there is no such table inside the program",
                  "give the name of a CSV file beside the fabric");
    }
    if (name.empty() || name.find('\0') != std::string::npos)
        file.fail("this is no name of a file", "give the name of a CSV file beside the fabric");
    const std::filesystem::path path =
        source.folder == "." ? std::filesystem::path(name) : source.folder / name;
    shown = path.string();
    std::error_code failure;
    if (!std::filesystem::is_regular_file(path, failure))
        file.fail("the table does not exist", fmt::format("sought as {}", shown));
    return read_text_file(path, shown);
}

// The rows of a test in a table, of one direction or both; paths by direction, empty where it has none.
std::vector<LoadPath> read_rows(const JsonReader& reader, const FabricSource& source, bool shear,
                                const std::vector<std::string>& directions) {
    reader.require_keys({"file"});
    const JsonReader file = reader.at("file", "");
    std::string shown;
    const std::string text = read_table(file, source, shown);
    const CsvPaths rows = read_fabric_csv(text, shown);
    std::vector<LoadPath> paths;
    for (const std::string& direction : directions) {
        const auto found = rows.find({test_name(shear), direction});
        paths.emplace_back();
        if (found == rows.end()) continue;
        const CsvPath& path = found->second;
        const auto place = [&](std::size_t k) {
            return ErrorPlace{shown, fmt::format("line {}", path.lines[k])};
        };
        check_path(path.path, shear, place(0), place);
        paths.back() = path.path;
    }
    return paths;
}

// Rows of one direction, or of shear whatever there is.
Given read_table_of(const JsonReader& reader, const FabricSource& source, bool shear,
                    const std::vector<std::string>& directions) {
    Given given;
    for (LoadPath& path : read_rows(reader, source, shear, directions)) {
        if (!path.s.empty()) given.paths.push_back(std::move(path));
    }
    if (given.paths.empty()) {
        reader.at("file", "")
            .fail("the table has no such rows",
                  fmt::format("add rows of {} along {}", test_name(shear), directions.front()));
    }
    return given;
}

Given read_parameters(const JsonReader& reader, bool shear) {
    const std::vector<std::string> names =
        shear ? std::vector<std::string>{"G", "2HG", "2HG5"} : std::vector<std::string>{"B", "2HB"};
    std::vector<std::string> allowed = names;
    allowed.emplace_back("units");
    reader.require_keys(allowed);
    constexpr const char* units_remedy =
        "allowed: KES (B in gf.cm^2/cm, 2HB in gf.cm/cm, G in gf/(cm.deg), 2HG and 2HG5 in gf/cm), SI (N m, "
        "N, "
        "N/m per rad, N/m)";
    const JsonReader units = reader.at("units", units_remedy);
    const bool kes = units.text() == "KES";
    if (!kes && units.text() != "SI") units.fail("unknown units of parameters", units_remedy);
    std::vector<double> values;
    for (std::size_t k = 0; k < names.size(); ++k) {
        const JsonReader value =
            reader.at(names[k], "give all of " + fmt::format("{}", fmt::join(names, ", ")));
        constexpr double most = 1e9;
        values.push_back(value.number(k == 0 ? up_to(most) : between(0, most)));
        const double first = shear ? kes_shear : kes_bending, others = shear ? kes_force : kes_moment;
        if (kes) values.back() *= k == 0 ? first : others;
    }
    Given given;
    given.form = CurveForm::parameters;
    if (shear) {
        given.shear = {values[0], values[1], values[2]};
    } else {
        given.bending = {values[0], values[1]};
    }
    return given;
}

Given read_curve(const JsonReader& reader, bool shear) {
    reader.require_keys({"units", "slope", "yielding", "stiffening", "start", "end"});
    const auto [unit, load] = read_units(reader, shear);
    constexpr double most = 1e9;
    Given given;
    given.form = CurveForm::curve;
    elements::LoadCurve& curve = given.curve;
    if (const auto slope = reader.find("slope")) curve.slope = slope->number(between(0, most)) * load / unit;
    if (const auto yielding = reader.find("yielding")) {
        const std::vector<JsonReader> parts = yielding->elements("'yielding'");
        if (parts.size() > curve.yielding.size()) {
            yielding->fail("there are too many yielding parts",
                           fmt::format("allowed: up to {}", curve.yielding.size()));
        }
        for (std::size_t k = 0; k < parts.size(); ++k) {
            parts[k].require_object("a yielding part");
            parts[k].require_keys({"load", "scale"});
            curve.yielding[k] = {
                parts[k].at("load", "the load approached").number(between(0, most)) * load,
                parts[k].at("scale", "the deformation it yields over").number(between(1e-9, most)) * unit};
        }
    }
    if (const auto value = reader.find("stiffening"))
        curve.stiffening = value->number(between(0, most)) * load / (unit * unit);
    if (const auto value = reader.find("start")) curve.start = value->number(between(0, most)) * unit;
    if (const auto value = reader.find("end")) {
        curve.end = value->number(up_to(most)) * unit;
        if (curve.end <= curve.start)
            value->fail("the end is not beyond the start", "allowed: more than 'start'");
    }
    if (curve.empty()) reader.fail("the curve has no load anywhere", "give a slope, at least");
    return given;
}

// One description, of one direction or of all.
Given read_given(const JsonReader& reader, const FabricSource& source, bool shear,
                 const std::vector<std::string>& directions) {
    reader.require_object(fmt::format("'{}'", test_name(shear)));
    if (reader.find("file")) return read_table_of(reader, source, shear, directions);
    if (has_any(reader, {"deformation", "load"})) return read_points(reader, shear);
    if (has_any(reader, {"B", "2HB", "G", "2HG", "2HG5"})) return read_parameters(reader, shear);
    if (has_any(reader, {"slope", "yielding", "stiffening"})) return read_curve(reader, shear);
    reader.fail(fmt::format("this does not say how the fabric resists {}", test_name(shear)), forms_remedy);
}

FabricTest test_of(Given given, bool shear, const JsonReader& reader) {
    FabricTest test;
    test.form = given.form;
    test.paths = std::move(given.paths);
    if (test.form == CurveForm::curve) test.curve = given.curve;
    if (test.form == CurveForm::points) {
        test.curve = fit_load_curve(test.paths);
        test.errors = fit_errors(test.curve, test.paths);
    }
    if (test.form != CurveForm::parameters) return test;
    try {
        test.curve = shear ? curve_of(given.shear) : curve_of(given.bending);
    } catch (const InputError& error) {
        throw InputError(reader.place(), error.problem(), error.value(), error.remedy());
    }
    return test;
}

bool by_direction(const JsonReader& reader) {
    return reader.is_object() && has_any(reader, {"warp", "weft"});
}

JsonReader direction_of(const JsonReader& reader, const char* direction) {
    reader.require_keys({"warp", "weft"});
    return reader.at(direction, "give both 'warp' and 'weft', or one description for both");
}

}  // namespace

void read_bending(const JsonReader& reader, const FabricSource& source, FabricFile& file) {
    const auto read = [&](const JsonReader& one, const char* direction) {
        return test_of(read_given(one, source, false, {direction}), false, one);
    };
    const bool apart = by_direction(reader), table = reader.is_object() && reader.find("file");
    file.bend_warp = read(apart ? direction_of(reader, "warp") : reader, "warp");
    file.bend_weft =
        apart || table ? read(apart ? direction_of(reader, "weft") : reader, "weft") : file.bend_warp;
}

void read_shear(const JsonReader& reader, const FabricSource& source, FabricFile& file) {
    if (!by_direction(reader)) {
        file.shear = test_of(read_given(reader, source, true, {"warp", "weft"}), true, reader);
        return;
    }

    // Take both directions together: a net of threads has one resistance to shear.
    const JsonReader warp = direction_of(reader, "warp"), weft = direction_of(reader, "weft");
    Given both = read_given(warp, source, true, {"warp"});
    const Given other = read_given(weft, source, true, {"weft"});
    if (both.form != other.form || both.form == CurveForm::curve) {
        reader.fail("shear along warp and weft cannot be joined to one curve",
                    "give points of both, parameters of both, or one curve for both");
    }
    both.paths.insert(both.paths.end(), other.paths.begin(), other.paths.end());
    both.shear = {0.5 * (both.shear.stiffness + other.shear.stiffness),
                  0.5 * (both.shear.hysteresis + other.shear.hysteresis),
                  0.5 * (both.shear.hysteresis_5 + other.shear.hysteresis_5)};
    file.shear = test_of(std::move(both), true, reader);
}

}  // namespace taut::scene
