// Every name a scene may use as a "type", with one sentence, its parameters and its factory.
// registry.cpp, with its first half in registry_shapes.cpp, is the only list of names in taut; readers,
// `taut info`, the JSON Schema and the reference pages all walk it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "taut/collision/friction.hpp"
#include "taut/filters/map_events.hpp"
#include "taut/linalg/linear_solver.hpp"
#include "taut/mesh/makers.hpp"
#include "taut/mesh/topology.hpp"
#include "taut/model/interfaces.hpp"
#include "taut/scene/settings.hpp"

namespace taut::scene {

enum class Kind { cloth, initial, obstacle, force, integrator, filter, solver, preset };

// Rows and columns of a cloth that has them; nu = 0: it has none. A chain is one row.
struct Lattice {
    int nu = 0, nv = 0;
    bool closed = false;  // rows are rings

    bool exists() const { return nu > 0; }
    int vertex(int i, int j) const { return j * nu + i; }
};

// Vertices of a cloth that its maker gives a name, in a meaningful order: an edge, a seam.
struct NamedPart {
    std::string name;
    std::vector<int> vertices;
};

struct MadeCloth {
    mesh::MadeMesh made;
    Lattice lattice;
    std::vector<NamedPart> parts{};             // empty: it names none
    std::vector<mesh::MeshProblem> warnings{};  // of imported meshes
    std::vector<std::string> notes{};           // what an importer left out, in words
    bool flat_uv = false;                       // texture coordinates are places in the flat cloth [m]
};

// Obstacles and friction, for what sees them.
struct SolidParts {
    std::vector<collision::Obstacle> obstacles;
    collision::FrictionTable friction;
};

// What filters are given besides their parameters.
struct FilterParts {
    std::unique_ptr<linalg::LinearSolver> solver;
    SolidParts solids;
    std::vector<filters::MapRule> maps;
    Points start;  // positions at the start [m], for filters that take maps
};

using ClothFactory = std::function<MadeCloth(const Settings&)>;
using InitialFactory = std::function<Points(const Settings&, const MadeCloth&)>;  // [m]
using ObstacleFactory = std::function<collision::Obstacle(const Settings&)>;
using ForceFactory = std::function<std::unique_ptr<Force>(const Settings&)>;
using IntegratorFactory = std::function<std::unique_ptr<Integrator>(const Settings&, SolidParts)>;
using FilterFactory = std::function<std::unique_ptr<VelocityFilter>(const Settings&, FilterParts)>;
using SolverFactory = std::function<std::unique_ptr<linalg::LinearSolver>(const Settings&)>;

struct Entry {
    Kind kind = Kind::force;
    std::string name;
    std::string text;                    // one sentence
    std::function<Settings()> settings;  // fresh, with defaults
    std::vector<std::string> required;   // parameters without a default
    std::string default_solver;          // filters that take a solver; else empty
    bool holds_strain = false;           // filters: a bound on strain is promised
    bool sees_obstacles =
        false;                // cloth is kept out of obstacles; one filter per chain, besides the integrator
    bool takes_maps = false;  // filters: correction maps and the shape at the start
    bool takes_fabric = false;  // forces: the fabric of a cloth stands in place of their own stiffness
    bool takes_place = false;   // obstacles: meshes, which `place` may turn and shift
    bool optional = false;      // not in every build; published schema and reference leave it out
    std::string pieces;         // presets: JSON of forces, integrator and filters
    std::variant<std::monostate, ClothFactory, InitialFactory, ObstacleFactory, ForceFactory,
                 IntegratorFactory, FilterFactory, SolverFactory>
        factory;
};

inline constexpr const char* default_preset = "inextensible";

// In the order of reference pages; filters in the order of a chain: projections, then contact.
const std::vector<Entry>& registry();

const Entry* find_entry(Kind kind, const std::string& name);  // or null
std::vector<std::string> names_of(Kind kind);
const char* kind_name(Kind kind);    // "force"
const char* kind_plural(Kind kind);  // "forces"
const std::vector<Kind>& all_kinds();

}  // namespace taut::scene
