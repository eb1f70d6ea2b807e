// Reads materials and cloths: maker, material, per-vertex densities, initial shape and placement.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "taut/scene/library.hpp"
#include "taut/scene/reading.hpp"

namespace taut::scene {
namespace {

// Makes the path of a file absolute, reads the fabric, and takes its density where none is given.
void read_fabric(const JsonReader& reader, const std::filesystem::path& base_dir, MaterialSpec& material) {
    std::string& name = material.params.fabric;
    const auto given = reader.find("fabric");
    if (!given || name.empty()) return;
    if (is_fabric_name(name)) {
        const std::vector<std::string> known = built_in_fabrics();
        if (std::find(known.begin(), known.end(), name) == known.end())
            given->fail_unknown("fabric", name, known);
    } else {
        name = resolve_file(*given, base_dir);
    }
    material.fabric = std::make_shared<const FabricFile>(open_fabric(name));
    if (!reader.find("density")) material.params.density = material.fabric->fabric.density;
}

MaterialSpec read_material_object(const JsonReader& reader, const std::filesystem::path& base_dir) {
    MaterialSpec material{"", read_params<MaterialParams>(reader, "a material")};
    read_fabric(reader, base_dir, material);
    return material;
}

void read_materials(const JsonReader& top, const std::filesystem::path& base_dir, Scene& scene) {
    const auto section = top.find("materials");
    if (!section) return;
    section->require_object("'materials'");
    for (const std::string& name : section->keys()) {
        if (name.empty()) section->fail("a material has an empty name", "name it");
        scene.materials.push_back(read_material_object(*section->find(name), base_dir));
        scene.materials.back().name = name;
    }
}

MaterialSpec read_material(const JsonReader& reader, const std::filesystem::path& base_dir,
                           const Scene& scene) {
    if (!reader.is_text()) return read_material_object(reader, base_dir);
    std::vector<std::string> names;
    for (const MaterialSpec& material : scene.materials) {
        if (material.name == reader.text()) return material;
        names.push_back(material.name);
    }
    reader.fail_unknown("material", reader.text(), names);
}

// Numbers apart by blanks or line ends; '#' starts a comment.
std::vector<double> read_density_file(const std::string& file) {
    const std::string text = read_text_file(file, file);
    std::vector<double> values;
    int line = 1;
    const char* p = text.data();
    const char* const end = p + text.size();
    while (p != end) {
        if (*p == '\n') ++line;
        if (*p == '#') {
            p = std::find(p, end, '\n');
            continue;
        }
        if (std::isspace(static_cast<unsigned char>(*p))) {
            ++p;
            continue;
        }
        double value = 0;
        const auto [next, error] = std::from_chars(p, end, value);
        const bool ends = next == end || std::isspace(static_cast<unsigned char>(*next)) || *next == '#';
        if (error != std::errc{} || !ends || !std::isfinite(value) || value <= 0) {
            const char* const word_end =
                std::find_if(p, end, [](char c) { return std::isspace(static_cast<unsigned char>(c)); });
            throw InputError({file, fmt::format("line {}", line)}, "not a density",
                             std::string(p, std::min(word_end, p + 40)), "allowed: a number > 0 per vertex");
        }
        values.push_back(value);
        p = next;
    }
    return values;
}

void read_densities(const JsonReader& reader, const std::filesystem::path& base_dir, ClothSpec& cloth) {
    if (reader.is_text()) {
        cloth.density_file = resolve_file(reader, base_dir);
        cloth.density_per_vertex = read_density_file(cloth.density_file);
    } else {
        for (const JsonReader& value : reader.elements("'density_per_vertex'", 1)) {
            cloth.density_per_vertex.push_back(value.number(positive()));
        }
    }
    if (cloth.density_per_vertex.empty()) reader.fail("there are no densities", "give one per vertex");
}

// Makes the path in a piece's "file" absolute, where it has one.
void settle_file(const JsonReader& reader, const Piece& piece, const std::filesystem::path& base_dir) {
    const Param* param = piece.settings.list().find("file");
    if (param) *std::get<std::string*>(param->target) = resolve_file(*reader.find("file"), base_dir);
}

// Refuses numbers that are fine one by one but make no shape.
void check_initial(const JsonReader& reader, const Piece& piece) {
    if (piece.entry->name != "line") return;
    if (piece.settings.get<LineParams>().direction.isZero(0)) {
        reader.at("direction", "").fail("the direction has no length", "allowed: any vector but zero");
    }
}

ClothSpec read_cloth(const JsonReader& reader, const std::filesystem::path& base_dir, const Scene& scene) {
    ClothSpec cloth;
    cloth.pointer = reader.pointer();
    reader.require_object("a cloth");

    // Read the maker and what all cloths have from one object, each leaving the other's keys alone.
    ParamList common;
    describe(common, cloth.params);
    const std::vector<std::string> nested = names_in(cloth_keys());
    cloth.maker = read_piece(reader, Kind::cloth, nullptr, joined(common.names(), nested));
    reader.read(common, joined(cloth.maker.settings.list().names(), nested));
    settle_file(reader, cloth.maker, base_dir);

    // Read the parts with objects of their own.
    if (const auto material = reader.find("material"))
        cloth.material = read_material(*material, base_dir, scene);
    if (const auto densities = reader.find("density_per_vertex")) read_densities(*densities, base_dir, cloth);
    if (const auto place = reader.find("place")) cloth.place = read_params<PlaceParams>(*place, "'place'");
    if (const auto initial = reader.find("initial")) {
        cloth.initial = read_piece(*initial, Kind::initial);
        settle_file(*initial, cloth.initial, base_dir);
        check_initial(*initial, cloth.initial);
    } else {
        cloth.initial.entry = find_entry(Kind::initial, "rest");
        cloth.initial.settings = cloth.initial.entry->settings();
        cloth.initial.pointer = reader.pointer();
    }
    return cloth;
}

}  // namespace

std::string resolve_file(const JsonReader& reader, const std::filesystem::path& base_dir) {
    const std::string name = reader.text();
    if (name.empty()) reader.fail("the file name is empty", "give a path relative to the scene's folder");
    if (name.find('\0') != std::string::npos)
        reader.fail("the file name holds a null character", "mend the name");
    std::error_code failure;
    const auto path = std::filesystem::absolute(base_dir / name, failure).lexically_normal();
    if (!failure && std::filesystem::is_regular_file(path, failure)) return path.string();

    // Fall back on the meshes inside the program, so that built-in scenes run anywhere.
    const bool prefixed = name.starts_with(built_in_prefix);
    const std::string inside = prefixed ? name.substr(built_in_prefix.size()) : name;
    if (built_in_file(inside)) return std::string(built_in_prefix) + inside;
    const bool folder = std::filesystem::is_directory(path, failure);
    reader.fail(folder ? "is a folder, no file" : "the file does not exist",
                fmt::format("sought as {}", path.string()));
}

void settle_name(std::string& name, const char* kind, std::size_t index,
                 const std::vector<std::string>& taken, const JsonReader& reader) {
    if (name.empty()) name = fmt::format("{}{}", kind, index);
    if (std::find(taken.begin(), taken.end(), name) == taken.end()) return;
    throw InputError({reader.file(), child_pointer(reader.pointer(), "name")},
                     fmt::format("two {}s have the same name", kind), Json(name).dump(),
                     "rename one of them");
}

void read_cloths(const JsonReader& top, const std::filesystem::path& base_dir, Scene& scene) {
    read_materials(top, base_dir, scene);
    std::vector<std::string> taken;
    for (const JsonReader& reader : top.at("cloths", "list at least one cloth").elements("'cloths'", 1)) {
        ClothSpec cloth = read_cloth(reader, base_dir, scene);
        settle_name(cloth.params.name, "cloth", taken.size(), taken, reader);
        taken.push_back(cloth.params.name);
        scene.cloths.push_back(std::move(cloth));
    }
}

}  // namespace taut::scene
