#include "taut/scene/json_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut::scene {
namespace {

std::string allowed_numbers(const std::string& kind, const Range& range) {
    const std::string text = range.text();
    return "allowed: " + kind + (text == "any" ? "" : " " + text);
}

}  // namespace

std::string name_remedy(const std::string& name, const std::vector<std::string>& known) {
    const std::string near = nearest_name(name, known);
    std::string list = "allowed: " + (known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", ")));
    return near.empty() ? list : fmt::format("did you mean '{}'? {}", near, list);
}

void JsonReader::fail(const std::string& problem, const std::string& remedy) const {
    throw InputError(place(), problem, short_text(*value_), remedy);
}

void JsonReader::fail_unknown(const std::string& what, const std::string& name,
                              const std::vector<std::string>& known) const {
    throw InputError(place(), "unknown " + what,
                     Json(name).dump(-1, ' ', false, Json::error_handler_t::replace),
                     name_remedy(name, known));
}

void JsonReader::require_object(const std::string& what) const {
    if (!value_->is_object()) fail(what + " must be an object", "write { ... }");
}

void JsonReader::require_keys(const std::vector<std::string>& allowed) const {
    for (const auto& [key, value] : value_->items()) {
        if (std::find(allowed.begin(), allowed.end(), key) != allowed.end()) continue;
        throw InputError({file_, child_pointer(pointer_, key)}, "unknown key '" + key + "'",
                         short_text(value), name_remedy(key, allowed));
    }
}

std::vector<std::string> JsonReader::keys() const {
    std::vector<std::string> result;
    for (const auto& [key, value] : value_->items()) result.push_back(key);
    return result;
}

std::optional<JsonReader> JsonReader::find(const std::string& key) const {
    const auto found = value_->find(key);
    if (found == value_->end()) return std::nullopt;
    return JsonReader(*found, file_, child_pointer(pointer_, key));
}

JsonReader JsonReader::at(const std::string& key, const std::string& remedy) const {
    if (auto found = find(key)) return *found;
    throw InputError(place(), "the key '" + key + "' is missing", "", remedy);
}

std::vector<JsonReader> JsonReader::elements(const std::string& what, std::size_t least) const {
    if (!value_->is_array()) fail(what + " must be an array", "write [ ... ]");
    if (value_->size() < least) {
        fail(what + " has too few entries", fmt::format("allowed: at least {}", least));
    }
    std::vector<JsonReader> result;
    result.reserve(value_->size());
    for (std::size_t i = 0; i < value_->size(); ++i) {
        result.emplace_back((*value_)[i], file_, child_pointer(pointer_, std::to_string(i)));
    }
    return result;
}

std::vector<JsonReader> JsonReader::one_or_more(const std::string& what) const {
    if (value_->is_array()) return elements(what, 1);
    return {*this};
}

double JsonReader::number(const Range& range) const {
    if (!value_->is_number()) fail("the value must be a number", allowed_numbers("a number", range));
    const double value = value_->get<double>();
    if (!std::isfinite(value)) fail("the value must be finite", allowed_numbers("a number", range));
    if (!range.contains(value)) fail("the value is out of range", allowed_numbers("a number", range));
    return value;
}

int JsonReader::integer(const Range& range) const {
    if (!value_->is_number()) fail("the value must be an integer", allowed_numbers("an integer", range));
    const double value = value_->get<double>();
    if (value != std::floor(value))
        fail("the value must be an integer", allowed_numbers("an integer", range));
    // Check the range before what an int can hold: its remedy says more.
    if (!range.contains(value)) fail("the value is out of range", allowed_numbers("an integer", range));
    if (std::abs(value) > std::numeric_limits<int>::max()) {
        fail("the integer is too large", fmt::format("allowed: up to {}", std::numeric_limits<int>::max()));
    }
    return static_cast<int>(value);
}

bool JsonReader::flag() const {
    if (!value_->is_boolean()) fail("the value must be true or false", "allowed: true, false");
    return value_->get<bool>();
}

std::string JsonReader::text() const {
    if (!value_->is_string()) fail("the value must be a text", "write it in double quotes");
    return value_->get<std::string>();
}

std::string JsonReader::choice(const std::vector<std::string>& choices, const std::string& what) const {
    std::string value = text();
    if (std::find(choices.begin(), choices.end(), value) == choices.end()) fail_unknown(what, value, choices);
    return value;
}

Vec3 JsonReader::vector(const Range& range) const {
    if (!value_->is_array() || value_->size() != 3) {
        fail("the value must be a vector", "allowed: an array of three numbers [x, y, z]");
    }
    Vec3 result;
    const std::vector<JsonReader> parts = elements("the vector");
    for (int i = 0; i < 3; ++i) result[i] = parts[static_cast<std::size_t>(i)].number(range);
    return result;
}

void JsonReader::read(const ParamList& list, const std::vector<std::string>& others,
                      const std::vector<std::string>& required) const {
    std::vector<std::string> allowed = list.names();
    allowed.insert(allowed.end(), others.begin(), others.end());
    require_keys(allowed);
    for (const std::string& key : required) {
        if (find(key)) continue;
        const Param* param = list.find(key);
        throw InputError(place(), "the key '" + key + "' is missing", "",
                         param ? fmt::format("'{}' is a {}: {}", key, param->type_name(), param->text)
                               : fmt::format("add '{}'", key));
    }
    for (const Param& param : list.entries()) {
        if (auto value = find(param.name)) value->read_one(param);
    }
}

void JsonReader::read_one(const Param& param) const {
    struct Visitor {
        const JsonReader& reader;
        const Param& param;
        void operator()(double* target) const {
            // Let null stand for "never" where that is the default.
            if (reader.json().is_null() && std::isinf(*target)) return;
            *target = reader.number(param.range);
        }
        void operator()(int* target) const { *target = reader.integer(param.range); }
        void operator()(bool* target) const { *target = reader.flag(); }
        void operator()(std::string* target) const {
            *target = param.choices.empty() ? reader.text()
                                            : reader.choice(param.choices, "value of '" + param.name + "'");
        }
        void operator()(Vec3* target) const { *target = reader.vector(param.range); }
    };
    std::visit(Visitor{*this, param}, param.target);
}

void write(Json& object, const ParamList& list) {
    struct Visitor {
        Json operator()(const double* v) const { return std::isfinite(*v) ? Json(*v) : Json(nullptr); }
        Json operator()(const int* v) const { return *v; }
        Json operator()(const bool* v) const { return *v; }
        Json operator()(const std::string* v) const { return *v; }
        Json operator()(const Vec3* v) const { return vector_json(*v); }
    };
    for (const Param& param : list.entries()) object[param.name] = std::visit(Visitor{}, param.target);
}

Json vector_json(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }

}  // namespace taut::scene
