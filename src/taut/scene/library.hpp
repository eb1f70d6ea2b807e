// Scenes carried inside the program: those of the folder scenes/, which benchmarks and tests run
// by name, commented starters for `taut new`, and fabrics.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace taut::scene {

// A file a scene refers to, by its path relative to the scene.
struct NamedFile {
    std::string path;
    std::string_view text;
};

struct NamedScene {
    std::string name;              // "hang": file name without folder and ".json"
    std::string_view text;         // JSON with comments
    std::vector<NamedFile> files;  // meshes it names; empty for most

    std::string description() const;  // its key `description`
};

std::vector<NamedScene> built_in_scenes();
std::vector<NamedScene> templates();  // for `taut new`

// A mesh or point cache of the folder scenes/ by its path there, "meshes/disc.obj"; none if there is no such.
std::optional<std::string_view> built_in_file(std::string_view path);

// What stands before the path of such a mesh where a scene means the one inside the program.
inline constexpr std::string_view built_in_prefix = "builtin:";

// The bytes of a file that is named so; none for other names.
std::optional<std::string_view> prefixed_file(std::string_view name);

// Fabrics and their tables, by file name: "cotton.json".
std::vector<NamedFile> fabric_library();

// The entry of that name; throws InputError with the nearest name.
const NamedScene& find_scene(const std::vector<NamedScene>& scenes, const std::string& name);

}  // namespace taut::scene
