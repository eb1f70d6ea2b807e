#include <fmt/format.h>

#include "taut/scene/overrides.hpp"
#include "taut/scene/reading.hpp"

namespace taut::scene {
namespace {

void read_header(const JsonReader& top, Scene& scene) {
    const JsonReader version = top.at("taut", "begin the scene with \"taut\": 1, the version of its format");
    if (version.integer() != format_version) {
        version.fail("this taut does not know that version of the format",
                     fmt::format("allowed: {}", format_version));
    }
    if (const auto name = top.find("name")) scene.name = name->text();
    if (const auto description = top.find("description")) scene.description = description->text();
    if (const auto schema = top.find("$schema")) schema->text();
}

void read_settings(const JsonReader& top, Scene& scene) {
    if (const auto run = top.find("run")) scene.run = read_params<RunParams>(*run, "'run'");
    const auto output = top.find("output");
    if (!output) return;
    scene.output = read_params<OutputParams>(*output, "'output'", names_in(output_keys()));
    if (const auto preview = output->find("preview")) {
        scene.preview = read_params<PreviewParams>(*preview, "'preview'");
    }
}

Scene read_scene(const JsonReader& top, const std::filesystem::path& base_dir) {
    Scene scene;
    scene.file = top.file();
    scene.name = std::filesystem::path(top.file()).stem().string();
    top.require_object("a scene");
    top.require_keys(names_in(top_keys()));
    read_header(top, scene);
    read_cloths(top, base_dir, scene);
    read_groups(top, scene);
    read_obstacles(top, base_dir, scene);
    read_pins(top, scene);
    read_seams(top, scene);
    read_friction(top, scene);
    read_maps(top, scene);
    read_pieces(top, scene);
    read_settings(top, scene);
    return scene;
}

// Is `inner` the place `outer` or below it?
bool below(const std::string& inner, const std::string& outer) {
    return inner.starts_with(outer) && (inner.size() == outer.size() || inner[outer.size()] == '/');
}

}  // namespace

Scene parse_scene(std::string_view text, const std::string& name, const std::filesystem::path& base_dir,
                  const std::vector<std::string>& overrides) {
    Json root = parse_json(text, name);
    std::vector<AppliedOverride> applied;
    applied.reserve(overrides.size());
    for (const std::string& change : overrides) applied.push_back(apply_override(root, change));

    // Say so where a fault was brought in by an override.
    try {
        return read_scene(JsonReader(root, name), base_dir);
    } catch (const InputError& error) {
        for (const AppliedOverride& change : applied) {
            if (!below(error.where().place, change.pointer)) continue;
            throw InputError(error.where(), error.problem(), error.value(),
                             error.remedy() + fmt::format(" (set by --set {})", change.text));
        }
        throw;
    }
}

Scene load_scene(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
    const std::string text = read_text_file(file, file.string());
    return parse_scene(text, file.string(), file.has_parent_path() ? file.parent_path() : ".", overrides);
}

}  // namespace taut::scene
