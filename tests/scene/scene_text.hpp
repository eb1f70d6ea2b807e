// Short scenes for tests: a small valid scene, and pieces put in place of others.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "taut/base/error.hpp"
#include "taut/scene/scene.hpp"

namespace taut::scene {

// A 5 x 4 sheet named "sheet" held by two corners, with `more` added at the top level.
inline std::string small_scene(const std::string& more = "") {
    return R"({"taut": 1, "cloths": [{"name": "sheet", "type": "grid", "nu": 5, "nv": 4}],
               "pins": [{"group": {"corner": ["u0v0", "u1v0"]}}])" +
           (more.empty() ? "" : ", " + more) + "}";
}

// A scene of one cloth with these keys.
inline std::string one_cloth(const std::string& cloth, const std::string& more = "") {
    return R"({"taut": 1, "cloths": [{)" + cloth + "}]" + (more.empty() ? "" : ", " + more) + "}";
}

inline Scene parse(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return parse_scene(text, "test.json", ".", overrides);
}

// Runs `action` and returns the InputError it throws; fails the test where it throws none.
template <class Action>
InputError error_of(Action action) {
    try {
        action();
    } catch (const InputError& error) {
        return error;
    }
    ADD_FAILURE() << "no InputError was thrown";
    return InputError({}, "");
}

}  // namespace taut::scene
