// Reads obstacles: shape, placement and motion, and finds the files of those that are meshes.

#include <fmt/format.h>

#include "taut/io/mesh_recording.hpp"
#include "taut/scene/reading.hpp"

namespace taut::scene {
namespace {

// Refuses numbers that are fine one by one but make no solid.
void check_shape(const JsonReader& reader, const Piece& shape) {
    if (shape.entry->name == "plane" && shape.settings.get<PlaneParams>().normal.isZero(0)) {
        reader.at("normal", "").fail("the normal has no length", "allowed: any vector but zero");
    }
    if (shape.entry->name == "box" && !(shape.settings.get<BoxParams>().size.minCoeff() > 0)) {
        reader.at("size", "").fail("the box has no volume", "allowed: three numbers > 0 m");
    }
}

template <class T>
T& value_of(const Piece& piece, const char* name) {
    return *std::get<T*>(piece.settings.list().find(name)->target);
}

// Makes the pattern of a sequence absolute and settles which frames it means.
void settle_sequence(const JsonReader& reader, const Piece& shape, const std::filesystem::path& base_dir) {
    auto& pattern = value_of<std::string>(shape, "sequence");
    const JsonReader given = *reader.find("sequence");
    if (pattern.find('\0') != std::string::npos)
        given.fail("the file name holds a null character", "mend the name");
    std::error_code failure;
    const auto path = std::filesystem::absolute(base_dir / pattern, failure).lexically_normal();
    auto &first = value_of<int>(shape, "first"), &count = value_of<int>(shape, "count");
    try {
        const io::FrameRange range = io::find_frames(io::FrameNames(path), first, count);
        first = range.first, count = range.count;
    } catch (const InputError& error) {
        throw InputError(given.place(), error.problem(), error.value(), error.remedy());
    }
    pattern = path.string();
}

// Makes the paths of a mesh absolute; an empty one stands for none.
void settle_mesh(const JsonReader& reader, const Piece& shape, const std::filesystem::path& base_dir) {
    auto &file = value_of<std::string>(shape, "file"), &pc2 = value_of<std::string>(shape, "pc2");
    const bool sequence = !value_of<std::string>(shape, "sequence").empty();
    if (sequence && !pc2.empty())
        reader.find("pc2")->fail("the mesh has two recordings", "keep 'sequence' or 'pc2'");
    if (file.empty() && !pc2.empty())
        reader.find("pc2")->fail("a point cache has no faces", "give the mesh as 'file' besides");
    if (file.empty() && !sequence) {
        throw InputError(reader.place(), "the key 'file' is missing", "",
                         "give an OBJ file as 'file', or frames of it as 'sequence'");
    }
    if (!file.empty()) file = resolve_file(*reader.find("file"), base_dir);
    if (!pc2.empty()) pc2 = resolve_file(*reader.find("pc2"), base_dir);
    if (sequence) settle_sequence(reader, shape, base_dir);
}

ObstacleSpec read_obstacle(const JsonReader& reader, const std::filesystem::path& base_dir) {
    reader.require_object("an obstacle");
    ObstacleSpec obstacle;
    ParamList common;
    describe(common, obstacle.params);
    const std::vector<std::string> nested = names_in(obstacle_keys());
    obstacle.shape = read_piece(reader, Kind::obstacle, nullptr, joined(common.names(), nested));
    reader.read(common, joined(obstacle.shape.settings.list().names(), nested));
    check_shape(reader, obstacle.shape);
    if (obstacle.shape.entry->name == "mesh") settle_mesh(reader, obstacle.shape, base_dir);
    if (const auto place = reader.find("place")) {
        if (!obstacle.shape.entry->takes_place) {
            place->fail(fmt::format("an obstacle of type {} has no 'place'", obstacle.shape.entry->name),
                        "say where it is by its own parameters, and turn it by 'motion'");
        }
        obstacle.place = read_params<PlaceParams>(*place, "'place'");
    }
    if (const auto motion = reader.find("motion")) obstacle.motion = read_motion(*motion);
    return obstacle;
}

}  // namespace

void read_obstacles(const JsonReader& top, const std::filesystem::path& base_dir, Scene& scene) {
    const auto section = top.find("obstacles");
    if (!section) return;
    std::vector<std::string> taken;
    for (const JsonReader& reader : section->elements("'obstacles'")) {
        ObstacleSpec obstacle = read_obstacle(reader, base_dir);
        settle_name(obstacle.params.name, "obstacle", taken.size(), taken, reader);
        taken.push_back(obstacle.params.name);
        scene.obstacles.push_back(std::move(obstacle));
    }
}

}  // namespace taut::scene
