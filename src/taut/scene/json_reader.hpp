// A cursor over parsed JSON that knows its place: every wrong type, range or name becomes an
// InputError with file, JSON pointer, value, what is allowed and the nearest valid name.
// Parameter lists are read from and written to JSON objects here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "taut/base/error.hpp"
#include "taut/base/parameter.hpp"
#include "taut/scene/json_text.hpp"

namespace taut::scene {

class JsonReader {
public:
    // The value must outlive the reader.
    JsonReader(const Json& value, std::string file, std::string pointer = "")
        : value_(&value), file_(std::move(file)), pointer_(std::move(pointer)) {}

    const Json& json() const { return *value_; }
    const std::string& file() const { return file_; }
    const std::string& pointer() const { return pointer_; }
    ErrorPlace place() const { return {file_, pointer_}; }

    // Throws an InputError at this place with this value.
    [[noreturn]] void fail(const std::string& problem, const std::string& remedy) const;

    bool is_object() const { return value_->is_object(); }
    bool is_array() const { return value_->is_array(); }
    bool is_text() const { return value_->is_string(); }

    // Objects. `what` says in words what should stand here: "a cloth", "the run settings".
    void require_object(const std::string& what) const;
    void require_keys(const std::vector<std::string>& allowed) const;  // no others
    std::vector<std::string> keys() const;
    std::optional<JsonReader> find(const std::string& key) const;            // none where absent
    JsonReader at(const std::string& key, const std::string& remedy) const;  // absent: error

    // Arrays. `least`: the smallest count allowed.
    std::vector<JsonReader> elements(const std::string& what, std::size_t least = 0) const;
    // The same, or the value itself as the only element: "corner": "u0v0".
    std::vector<JsonReader> one_or_more(const std::string& what) const;

    // Values.
    double number(const Range& range = {}) const;
    int integer(const Range& range = {}) const;
    bool flag() const;
    std::string text() const;
    std::string choice(const std::vector<std::string>& choices, const std::string& what) const;
    Vec3 vector(const Range& range = {}) const;  // of each of the three

    // Fails: `name` is not one of `known`; the remedy lists them or gives the nearest.
    [[noreturn]] void fail_unknown(const std::string& what, const std::string& name,
                                   const std::vector<std::string>& known) const;

    // Reads the parameters present in this object; the others keep their values. Keys beyond the
    // list and `others` are errors; so are absent keys named in `required`.
    void read(const ParamList& list, const std::vector<std::string>& others = {},
              const std::vector<std::string>& required = {}) const;

private:
    void read_one(const Param& param) const;

    const Json* value_;
    std::string file_;
    std::string pointer_;
};

// Adds every parameter to the object, in order. Infinite numbers, which mean "never", become null.
void write(Json& object, const ParamList& list);

Json vector_json(const Vec3& v);

// "did you mean 'x'?" if a name is near, else "allowed: a, b, c".
std::string name_remedy(const std::string& name, const std::vector<std::string>& known);

}  // namespace taut::scene
