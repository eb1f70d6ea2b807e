#include "taut/scene/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "taut/base/error.hpp"
#include "taut/scene/json_reader.hpp"

namespace taut::scene {

// Made by the build from the folder scenes/: file names and texts.
using FileList = std::vector<std::pair<std::string_view, std::string_view>>;
FileList scene_files();
FileList template_files();
FileList mesh_files();
FileList fabric_files();

namespace {

// Every mesh whose name the scene mentions, as the scene writes it.
std::vector<NamedFile> files_of(std::string_view text) {
    std::vector<NamedFile> files;
    for (const auto& [name, mesh] : mesh_files()) {
        const std::string plain = fmt::format("\"{}\"", name), nested = fmt::format("\"meshes/{}\"", name);
        if (text.find(plain) != std::string_view::npos) files.push_back({std::string(name), mesh});
        if (text.find(nested) != std::string_view::npos)
            files.push_back({fmt::format("meshes/{}", name), mesh});
    }
    return files;
}

std::vector<NamedScene> named(const FileList& files) {
    std::vector<NamedScene> scenes;
    for (const auto& [name, text] : files) {
        const std::string_view stem = name.substr(0, name.rfind('.'));
        scenes.push_back({std::string(stem), text, files_of(text)});
    }
    std::sort(scenes.begin(), scenes.end(),
              [](const NamedScene& a, const NamedScene& b) { return a.name < b.name; });
    return scenes;
}

}  // namespace

std::string NamedScene::description() const {
    const Json root = parse_json(text, name);
    const auto found = root.find("description");
    return found != root.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::vector<NamedScene> built_in_scenes() { return named(scene_files()); }

std::vector<NamedScene> templates() { return named(template_files()); }

std::vector<NamedFile> fabric_library() {
    std::vector<NamedFile> files;
    for (const auto& [name, text] : fabric_files()) files.push_back({std::string(name), text});
    std::sort(files.begin(), files.end(),
              [](const NamedFile& a, const NamedFile& b) { return a.path < b.path; });
    return files;
}

std::optional<std::string_view> built_in_file(std::string_view path) {
    for (const auto& [name, text] : mesh_files()) {
        if (path == fmt::format("meshes/{}", name)) return text;
    }
    return std::nullopt;
}

std::optional<std::string_view> prefixed_file(std::string_view name) {
    if (!name.starts_with(built_in_prefix)) return std::nullopt;
    return built_in_file(name.substr(built_in_prefix.size()));
}

const NamedScene& find_scene(const std::vector<NamedScene>& scenes, const std::string& name) {
    std::vector<std::string> names;
    for (const NamedScene& scene : scenes) {
        if (scene.name == name) return scene;
        names.push_back(scene.name);
    }
    throw InputError({}, "there is no scene of this name", name, name_remedy(name, names));
}

}  // namespace taut::scene
