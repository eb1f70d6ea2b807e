#include "taut/scene/overrides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "taut/base/error.hpp"
#include "taut/scene/format.hpp"
#include "taut/scene/json_reader.hpp"

namespace taut::scene {
namespace {

[[noreturn]] void fail(const std::string& text, const std::string& problem, const std::string& value,
                       const std::string& remedy) {
    throw InputError({"--set " + text, ""}, problem, value, remedy);
}

std::string unescaped(const std::string& token) {
    std::string result;
    for (std::size_t i = 0; i < token.size(); ++i) {
        const bool escape =
            token[i] == '~' && i + 1 < token.size() && (token[i + 1] == '0' || token[i + 1] == '1');
        result += escape ? (token[++i] == '1' ? '/' : '~') : token[i];
    }
    return result;
}

// "/run/dt", "run/dt" or "run.dt" as {"run", "dt"}.
std::vector<std::string> split_path(const std::string& path, const std::string& text) {
    const bool pointer = !path.empty() && path.front() == '/';
    const char separator = path.find('/') != std::string::npos ? '/' : '.';
    std::vector<std::string> tokens;
    std::size_t begin = pointer ? 1 : 0;
    while (begin <= path.size()) {
        const std::size_t end = std::min(path.find(separator, begin), path.size());
        std::string token = path.substr(begin, end - begin);
        if (token.empty()) fail(text, "the path has an empty part", path, "write it like run/dt=0.01");
        tokens.push_back(pointer ? unescaped(token) : token);
        begin = end + 1;
    }
    if (tokens.size() > max_depth) fail(text, "the path is too long", "", "no scene is nested so deeply");
    return tokens;
}

// JSON where it is JSON; else the text itself, as "ldlt" in solver=ldlt.
Json parse_value(const std::string& value, const std::string& text) {
    const auto sure_json = [](char c) { return c == '[' || c == '{' || c == '"'; };
    try {
        return parse_json(value, "--set " + text);
    } catch (const InputError& error) {
        const bool syntax = error.problem().starts_with("not valid JSON");
        if (!syntax || (!value.empty() && sure_json(value.front()))) throw;
    }
    return Json(value);
}

// What an element of an array may be called.
std::vector<std::string> element_names(const Json& element) {
    std::vector<std::string> names;
    if (element.is_string()) names.push_back(element.get<std::string>());
    if (element.is_object()) {
        for (const char* key : {"name", "type"}) {
            const auto found = element.find(key);
            if (found != element.end() && found->is_string()) names.push_back(found->get<std::string>());
        }
    }
    return names;
}

std::size_t find_element(const Json& array, const std::string& token, const std::string& text) {
    // Take a number as an index.
    std::uint64_t index = 0;
    const char* const end = token.data() + token.size();
    if (const auto [p, error] = std::from_chars(token.data(), end, index); error == std::errc{} && p == end) {
        if (index < array.size()) return static_cast<std::size_t>(index);
        fail(text, "the array has no such element", token, fmt::format("it has {} elements", array.size()));
    }

    // Else look for the only element of that name or type.
    std::vector<std::string> known;
    std::vector<std::size_t> matches;
    for (std::size_t i = 0; i < array.size(); ++i) {
        const std::vector<std::string> names = element_names(array[i]);
        known.insert(known.end(), names.begin(), names.end());
        if (std::find(names.begin(), names.end(), token) != names.end()) matches.push_back(i);
    }
    if (matches.empty())
        fail(text, "no element of the array has this name or type", token, name_remedy(token, known));
    if (matches.size() > 1) {
        fail(text, "several elements of the array have this name or type", token,
             "use the number of the element");
    }
    return matches.front();
}

// One level down. Missing keys are made as empty objects; "bdf2" becomes {"type": "bdf2"} to hold more.
Json& descend(Json& node, const std::string& token, std::string& pointer, const std::string& text) {
    if (node.is_array()) {
        const std::size_t index = find_element(node, token, text);
        pointer = child_pointer(pointer, std::to_string(index));
        return node[index];
    }
    if (node.is_null()) node = Json::object();
    if (node.is_string()) {
        Json holder = Json::object();
        holder["type"] = node;
        node = std::move(holder);
    }
    if (!node.is_object()) {
        fail(text, "the path goes on below a plain value", short_text(node),
             fmt::format("{} holds no keys", pointer));
    }
    pointer = child_pointer(pointer, token);
    return node[token];
}

}  // namespace

AppliedOverride apply_override(Json& root, const std::string& text) {
    const std::size_t equal = text.find('=');
    if (equal == std::string::npos || equal == 0) {
        fail(text, "this is not path=value", "", "write it like run/dt=0.01");
    }
    const std::vector<std::string> path = split_path(text.substr(0, equal), text);
    Json value = parse_value(text.substr(equal + 1), text);
    const std::vector<std::string> known = names_in(top_keys());
    if (std::find(known.begin(), known.end(), path.front()) == known.end()) {
        fail(text, "a scene has no such key", path.front(), name_remedy(path.front(), known));
    }

    // Walk down and set.
    std::string pointer;
    Json* node = &root;
    for (const std::string& token : path) node = &descend(*node, token, pointer, text);
    *node = std::move(value);
    return {text, pointer};
}

}  // namespace taut::scene
