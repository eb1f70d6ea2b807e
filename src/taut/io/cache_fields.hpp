// Typed access to the JSON text of a cache header, which somebody else may have written: what is missing
// or of another type is named in an InputError. Private to the cache files.
#pragma once

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "taut/base/error.hpp"
#include "taut/base/vec.hpp"

namespace taut::io {

[[noreturn]] inline void damaged_cache(const std::string& file, const std::string& what) {
    throw InputError({file, "header"}, "the cache is damaged: " + what, "", "run the scene again");
}

inline nlohmann::ordered_json vector_json(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

class CacheFields {
public:
    using json = nlohmann::json;

    CacheFields(const json& object, const std::string& file) : object_(object), file_(file) {
        if (!object.is_object()) damaged_cache(file, "an object is missing");
    }
    const std::string& file() const { return file_; }
    bool has(const char* key) const { return object_.contains(key); }
    const json& at(const char* key) const {
        const auto found = object_.find(key);
        if (found == object_.end()) damaged_cache(file_, fmt::format("'{}' is missing", key));
        return *found;
    }
    const json& list(const char* key) const {
        if (!at(key).is_array()) damaged_cache(file_, fmt::format("'{}' is not a list", key));
        return at(key);
    }
    std::string text(const char* key) const {
        if (!at(key).is_string()) damaged_cache(file_, fmt::format("'{}' is not a text", key));
        return at(key).get<std::string>();
    }
    int count(const char* key) const {
        const json& value = at(key);
        if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<int>::max()) {
            damaged_cache(file_, fmt::format("'{}' is not a count", key));
        }
        return value.get<int>();
    }
    bool flag(const char* key) const {
        if (!at(key).is_boolean()) damaged_cache(file_, fmt::format("'{}' is neither true nor false", key));
        return at(key).get<bool>();
    }
    double number(const char* key) const { return number(at(key), key); }
    Vec3 vector(const char* key) const {
        const json& value = list(key);
        if (value.size() != 3) damaged_cache(file_, fmt::format("'{}' is not a vector", key));
        return {number(value[0], key), number(value[1], key), number(value[2], key)};
    }

private:
    double number(const json& value, const char* key) const {
        if (!value.is_number()) damaged_cache(file_, fmt::format("'{}' is not a number", key));
        return value.get<double>();
    }
    const json& object_;
    const std::string& file_;
};

}  // namespace taut::io
