// Text to JSON with guards: comments are allowed; duplicate keys, numbers beyond double, too deep
// or too large texts are refused. Every refusal is an InputError that says where.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace taut::scene {

using Json = nlohmann::ordered_json;

// Limits that keep a hostile or broken file from exhausting memory or stack. A scene of a
// million per-vertex numbers is about 20 MB; hand-written scenes nest about 7 deep.
inline constexpr std::size_t max_text_bytes = std::size_t{64} << 20;
inline constexpr std::size_t max_depth = 64;
inline constexpr std::size_t max_keys = 10'000;  // per object

// Parses the whole text; `file` names it in errors. A byte order mark at the start is skipped.
Json parse_json(std::string_view text, const std::string& file);

// Reads a text file; `shown_as` names it in errors. Refuses folders, missing and too large files.
std::string read_text_file(const std::filesystem::path& file, const std::string& shown_as);

// "/cloths/0" + "nu" -> "/cloths/0/nu", with "~" and "/" in the key escaped (RFC 6901).
std::string child_pointer(const std::string& pointer, std::string_view key);

// A value as one line of JSON for error messages, cut after about 60 characters.
std::string short_text(const Json& value);

}  // namespace taut::scene
