// The parts of reading a scene, one function per section; private to the scene room.
#pragma once

#include "taut/scene/format.hpp"
#include "taut/scene/json_reader.hpp"
#include "taut/scene/scene.hpp"

namespace taut::scene {

// Reads the parameters of a struct found in an object.
template <class Params>
Params read_params(const JsonReader& reader, const std::string& what,
                   const std::vector<std::string>& others = {},
                   const std::vector<std::string>& required = {}) {
    reader.require_object(what);
    Params params;
    ParamList list;
    describe(list, params);
    reader.read(list, others, required);
    return params;
}

// One list of names after the other.
inline std::vector<std::string> joined(std::vector<std::string> first,
                                       const std::vector<std::string>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

// {"type": name, ...} or just "name". Known parameters of `base`, if it has the same type, are kept
// where the object does not give them; a missing "type" means that of `base`. Keys in `others` are
// left to the caller.
Piece read_piece(const JsonReader& reader, Kind kind, const Piece* base = nullptr,
                 const std::vector<std::string>& others = {});

// Absolute path of a file named in the scene, or the name of a mesh inside the program; throws where
// there is neither.
std::string resolve_file(const JsonReader& reader, const std::filesystem::path& base_dir);

MotionSpec read_motion(const JsonReader& reader);

// The name of a group, or selectors.
GroupSpec read_group_or_name(const JsonReader& reader, const Scene& scene);

// A pin with `on`.
GuideSpec read_guide(const JsonReader& reader, const Scene& scene);
// Refuses what no obstacle carries, and two motions at once.
void check_attachment(const JsonReader& reader, const PinParams& pin, const Scene& scene);

// Sections. Each reads its own keys of the top-level object into the scene.
void read_cloths(const JsonReader& top, const std::filesystem::path& base_dir, Scene& scene);
void read_groups(const JsonReader& top, Scene& scene);
void read_obstacles(const JsonReader& top, const std::filesystem::path& base_dir, Scene& scene);
void read_pins(const JsonReader& top, Scene& scene);  // after obstacles, which may carry them
void read_seams(const JsonReader& top, Scene& scene);
void read_friction(const JsonReader& top, Scene& scene);
void read_maps(const JsonReader& top, Scene& scene);
void read_pieces(const JsonReader& top, Scene& scene);

// Name of the element at `index`: what was given, or kind and number; fails where one is taken.
void settle_name(std::string& name, const char* kind, std::size_t index,
                 const std::vector<std::string>& taken, const JsonReader& reader);

}  // namespace taut::scene
