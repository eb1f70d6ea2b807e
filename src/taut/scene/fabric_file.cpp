#include "taut/scene/fabric_file.hpp"

#include "taut/scene/fabric_tests.hpp"
#include "taut/scene/library.hpp"

namespace taut::scene {
namespace {

FabricFile read_fabric(std::string_view text, const std::string& name, const FabricSource& source) {
    const Json root = parse_json(text, name);
    const JsonReader top(root, name);
    top.require_object("a fabric");
    top.require_keys(
        {"taut_fabric", "name", "description", "source", "density", "thickness", "bending", "shear"});
    const JsonReader version =
        top.at("taut_fabric", "begin the fabric with \"taut_fabric\": 1, the version of its format");
    if (version.integer() != fabric_version) {
        version.fail("this taut does not know that version of the format",
                     "allowed: " + std::to_string(fabric_version));
    }

    // Read what it is and weighs.
    FabricFile file;
    file.file = name;
    file.fabric.name = std::filesystem::path(name).stem().string();
    if (const auto given = top.find("name")) file.fabric.name = given->text();
    if (file.fabric.name.empty())
        top.find("name")->fail("the name is empty", "name the fabric, or leave it out");
    if (const auto description = top.find("description")) file.description = description->text();
    constexpr const char* source_remedy =
        "say where the numbers come from: a reference, or \"synthetic: ...\"";
    const JsonReader origin = top.at("source", source_remedy);
    file.source = origin.text();
    if (file.source.find_first_not_of(" \t\n") == std::string::npos)
        origin.fail("the source is empty", source_remedy);
    constexpr double heaviest = 100, thickest = 0.1;  // [kg/m^2], [m]; beyond it is a slip of units
    file.fabric.density = top.at("density", "give the mass per area in kg/m^2").number(up_to(heaviest));
    if (const auto thickness = top.find("thickness"))
        file.fabric.thickness = thickness->number(between(0, thickest));

    // Read the tests and keep their curves.
    read_bending(top.at("bending", "give 'bending', by points, a table or parameters"), source, file);
    read_shear(top.at("shear", "give 'shear', by points, a table or parameters"), source, file);
    file.fabric.bend_warp = file.bend_warp.curve;
    file.fabric.bend_weft = file.bend_weft.curve;
    file.fabric.shear = file.shear.curve;
    return file;
}

}  // namespace

bool is_fabric_name(const std::string& name) { return name.find_first_of("/\\.") == std::string::npos; }

std::vector<std::string> built_in_fabrics() {
    std::vector<std::string> names;
    for (const NamedFile& file : fabric_library()) {
        if (file.path.ends_with(".json")) names.push_back(file.path.substr(0, file.path.size() - 5));
    }
    return names;
}

FabricFile parse_fabric(std::string_view text, const std::string& name, const std::filesystem::path& folder) {
    return read_fabric(text, name, {folder, false});
}

FabricFile open_fabric(const std::string& name, const std::filesystem::path& folder) {
    if (!is_fabric_name(name)) {
        const std::filesystem::path file = folder == "." ? std::filesystem::path(name) : folder / name;
        return parse_fabric(read_text_file(file, file.string()), file.string(),
                            file.has_parent_path() ? file.parent_path() : ".");
    }
    for (const NamedFile& file : fabric_library()) {
        if (file.path == name + ".json") return read_fabric(file.text, name, {{}, true});
    }
    throw InputError({}, "there is no fabric of this name",
                     Json(name).dump(-1, ' ', false, Json::error_handler_t::replace),
                     name_remedy(name, built_in_fabrics()) + "; of a file give the path with its suffix");
}

}  // namespace taut::scene
