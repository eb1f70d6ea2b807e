// A scene as read: every default resolved, every name checked, nothing built yet. Text, JSON or a
// file becomes a Scene (load_scene, parse_scene); a Scene becomes a Simulation (build.hpp), a
// complete JSON of itself (effective_json) or a list of findings (check.hpp).
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "taut/scene/fabric_file.hpp"
#include "taut/scene/json_text.hpp"
#include "taut/scene/params.hpp"
#include "taut/scene/pin_params.hpp"
#include "taut/scene/registry.hpp"
#include "taut/scene/run_params.hpp"
#include "taut/scene/settings.hpp"

namespace taut::scene {

inline constexpr int format_version = 1;

// One registered thing with its parameters; pointer: where it stands in the scene file.
struct Piece {
    const Entry* entry = nullptr;
    Settings settings;
    std::shared_ptr<const Piece> solver;  // of filters that take one
    std::string group = "step";           // of forces: for the integrator, for filters that relax, or both
    std::string pointer;
};

struct MotionSpec {
    MotionParams params;
    std::vector<KeyframeParams> keyframes;  // empty: at rest
    Motion motion() const;
};

struct MaterialSpec {
    std::string name;  // empty: written inside its cloth
    MaterialParams params;
    std::shared_ptr<const FabricFile> fabric{};  // or none
};

struct ClothSpec {
    ClothParams params;
    Piece maker, initial;
    PlaceParams place;
    MaterialSpec material;
    std::vector<double> density_per_vertex;  // [kg/m^2 or kg/m]; empty: the material's
    std::string density_file;                // where those came from, or empty
    std::string pointer;
};

// A union of selectors. Index selectors need one cloth, selectors by place may see all of them.
struct GroupSpec {
    std::string name;   // empty: written inside its pin
    std::string cloth;  // empty: the only cloth, or all of them
    std::vector<int> indices, rows, columns;
    std::vector<std::string> corners, edges, parts, groups;
    std::vector<BoxSelector> boxes;
    std::vector<SphereSelector> spheres;
    std::vector<Vec3> nearest;  // [m]
    bool all = false;
    std::string pointer;
};

struct PinSpec {
    PinParams params;
    GroupSpec group;             // with a name: a reference to it; else the selectors themselves
    std::vector<Vec3> position;  // empty: initial positions; else one per vertex [m]
    MotionSpec motion;
    std::string pointer;
};

// A pin with `on`: its vertices stay on a curve or surface. Name, release and attachment as of pins.
struct GuideSpec {
    PinParams params;
    GroupSpec group;
    GuideParams on;
    std::vector<Vec3> points;  // of a polyline [m]
    MotionSpec motion;
    std::string pointer;
};

// Vertex k of one side is sewn to vertex k of the other. Groups as in pins.
struct SeamSpec {
    SeamParams params;
    GroupSpec from, to;
    double close_start = 0, close_end = 0;  // [s]; both 0: closed from the start
    std::string pointer;
};

// What is fixed besides pins in one order of corrections, and what calls for it.
struct MapSpec {
    MapParams params;
    GroupSpec fixed;
    std::optional<GroupSpec> watch;  // none: what is fixed
    std::string touch;               // name of an obstacle, "any", or empty: no contact is asked for
    std::string pointer;
};

struct ObstacleSpec {
    ObstacleParams params;
    Piece shape;
    std::optional<PlaceParams> place;  // of meshes
    MotionSpec motion;
};

// Friction between two things by name, cloths or obstacles, in place of their own.
struct FrictionSpec {
    std::string first, second;
    FrictionParams params;
};

struct Scene {
    std::string file;  // as the user named it; for messages
    std::string name;  // key `name`, or the file's stem
    std::string description;
    std::string preset;
    std::vector<MaterialSpec> materials;
    std::vector<ClothSpec> cloths;
    std::vector<GroupSpec> groups;
    std::vector<PinSpec> pins;
    std::vector<GuideSpec> guides;  // pins with `on`
    std::vector<SeamSpec> seams;
    std::vector<ObstacleSpec> obstacles;
    std::vector<FrictionSpec> friction;
    std::vector<MapSpec> maps;
    std::vector<Piece> forces;
    Piece integrator;
    std::vector<Piece> filters;
    RunParams run;
    OutputParams output;
    PreviewParams preview;
};

// Overrides are texts "path=value" as given to --set (overrides.hpp). All throw InputError.
Scene load_scene(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});
// `name` stands for the file in messages; files named in the scene are sought from base_dir.
Scene parse_scene(std::string_view text, const std::string& name, const std::filesystem::path& base_dir = ".",
                  const std::vector<std::string>& overrides = {});

// The scene with every default resolved and every path absolute; reading it again gives the same run.
Json effective_json(const Scene& scene);

}  // namespace taut::scene
