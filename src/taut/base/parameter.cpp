#include "taut/base/parameter.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace taut {

bool Range::contains(double value) const {
    const bool above = min_open ? value > min : value >= min;
    const bool below = max_open ? value < max : value <= max;
    return above && below;
}

bool Range::contains(const Vec3& value) const {
    return contains(value.x()) && contains(value.y()) && contains(value.z());
}

std::string Range::text() const {
    const bool has_min = min > -std::numeric_limits<double>::infinity();
    const bool has_max = max < std::numeric_limits<double>::infinity();
    if (has_min && has_max && !min_open && !max_open) {
        return number_text(min) + " to " + number_text(max);
    }
    std::string low = has_min ? (min_open ? "> " : ">= ") + number_text(min) : "";
    std::string high = has_max ? (max_open ? "< " : "<= ") + number_text(max) : "";
    if (has_min && has_max) return low + " and " + high;
    return has_min ? low : has_max ? high : "any";
}

Range any_number() { return {}; }

Range positive() {
    Range range;
    range.min = 0;
    range.min_open = true;
    return range;
}

Range non_negative() {
    Range range;
    range.min = 0;
    return range;
}

Range between(double min, double max) {
    Range range;
    range.min = min;
    range.max = max;
    return range;
}

Range up_to(double max) {
    Range range = positive();
    range.max = max;
    return range;
}

Range coordinates() { return between(-largest_coordinate, largest_coordinate); }

Range turns() { return between(-1e6, 1e6); }

std::string number_text(double value) { return fmt::format("{}", value); }

std::array<std::string, 2> distinct_texts(double a, double b, int digits) {
    constexpr int enough = std::numeric_limits<double>::max_digits10;
    for (;; ++digits) {
        std::array<std::string, 2> texts{fmt::format("{:.{}g}", a, digits),
                                         fmt::format("{:.{}g}", b, digits)};
        if (texts[0] != texts[1] || digits >= enough) return texts;
    }
}

std::string Param::type_name() const {
    static const char* const names[] = {"number", "integer", "flag", "text", "vector"};
    return names[target.index()];
}

std::string Param::value_text() const {
    struct Visitor {
        std::string operator()(const double* v) const { return number_text(*v); }
        std::string operator()(const int* v) const { return std::to_string(*v); }
        std::string operator()(const bool* v) const { return *v ? "true" : "false"; }
        std::string operator()(const std::string* v) const { return nlohmann::json(*v).dump(); }
        std::string operator()(const Vec3* v) const {
            return "[" + number_text(v->x()) + ", " + number_text(v->y()) + ", " + number_text(v->z()) + "]";
        }
    };
    return std::visit(Visitor{}, target);
}

std::string Param::allowed_text(std::string_view quote) const {
    std::string listed;
    for (const std::string& choice : choices) {
        listed += fmt::format("{}{}{}{}", listed.empty() ? "" : ", ", quote, choice, quote);
    }
    const std::string type = type_name();
    if (type == "vector" && range.text() != "any") return "each " + range.text();
    return type == "number" || type == "integer" ? range.text() : listed;
}

void ParamList::number(std::string name, double& value, std::string unit, Range range, std::string text) {
    entries_.push_back({std::move(name), std::move(unit), range, {}, std::move(text), &value});
}

void ParamList::integer(std::string name, int& value, std::string unit, Range range, std::string text) {
    entries_.push_back({std::move(name), std::move(unit), range, {}, std::move(text), &value});
}

void ParamList::flag(std::string name, bool& value, std::string text) {
    entries_.push_back({std::move(name), "", {}, {}, std::move(text), &value});
}

void ParamList::text(std::string name, std::string& value, std::string text) {
    entries_.push_back({std::move(name), "", {}, {}, std::move(text), &value});
}

void ParamList::choice(std::string name, std::string& value, std::vector<std::string> choices,
                       std::string text) {
    entries_.push_back({std::move(name), "", {}, std::move(choices), std::move(text), &value});
}

void ParamList::vector(std::string name, Vec3& value, std::string unit, std::string text) {
    vector(std::move(name), value, std::move(unit), any_number(), std::move(text));
}

void ParamList::vector(std::string name, Vec3& value, std::string unit, Range range, std::string text) {
    entries_.push_back({std::move(name), std::move(unit), range, {}, std::move(text), &value});
}

std::vector<std::string> ParamList::names() const {
    std::vector<std::string> result;
    for (const Param& entry : entries_) result.push_back(entry.name);
    return result;
}

const Param* ParamList::find(const std::string& name) const {
    for (const Param& entry : entries_) {
        if (entry.name == name) return &entry;
    }
    return nullptr;
}

}  // namespace taut
