// What stays fixed during a run (Model) and what changes (State). All cloths share one set of
// arrays; a Cloth is an index range. SI units, z up.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "taut/base/vec.hpp"
#include "taut/mesh/mesh.hpp"
#include "taut/model/deformation.hpp"
#include "taut/model/fabric.hpp"
#include "taut/model/guide.hpp"
#include "taut/model/motion.hpp"

namespace taut {

struct Cloth {
    std::string name;
    int first_vertex = 0, vertex_count = 0;
    int first_face = 0, face_count = 0;
    int first_edge = 0, edge_count = 0;
    int first_yarn = 0, yarn_count = 0;
    double thickness = 0;   // kept from everything else [m]; 0: what the filter keeps
    double friction = 0.3;  // Coulomb coefficient, cloth on cloth
    bool cut = false;       // texture coordinates are its pattern [m]; else they give directions alone
    double grain = 0;       // turn of the threads against the pattern, from weft to warp [rad]
    std::shared_ptr<const Fabric> fabric{};  // what it is made of, in place of stiffnesses of forces; or none
};

// Vertices held exactly on a path until released. A pin acts in every step that starts before release.
struct PinGroup {
    std::string name;
    std::vector<int> vertices;  // global indices
    Points anchor;              // positions at rest of the motion [m]
    Motion motion;
    double release = std::numeric_limits<double>::infinity();  // [s]
    // Where something that deforms carries each vertex, in place of anchor and motion; or none.
    std::shared_ptr<const Deformation> carrier{};
    int body = -1;       // the obstacle that carries them, or none
    bool rigid = false;  // they are carried as one body

    void targets(double time, PointsView x) const;  // of all vertices [m]
    Points targets(double time) const;
    Vec3 target(std::size_t k, double time) const { return targets(time)[k]; }
    bool moving() const { return carrier || motion.moving(); }
    bool holds(double time_start) const { return time_start < release; }
};

// Pairs of vertices sewn together: each keeps its gap until the seam starts to close, then comes smoothly,
// at rest at both ends, to the length of the seam, and keeps that.
struct Seam {
    std::string name;
    std::vector<std::array<int, 2>> pairs;  // global indices
    std::vector<double> gap;                // of each pair before it closes [m]
    double length = 0.002;                  // when closed [m]
    double close_start = 0,
           close_end = 0;  // [s]; a seam whose end is not after its start is closed at all times

    double distance(std::size_t k, double time) const;  // of pair k [m]
    double rate(std::size_t k, double time) const;      // its change [m/s]
};

struct Model {
    std::vector<Cloth> cloths;
    Points rest;                    // rest positions [m], n x 3
    std::vector<double> mass;       // lumped [kg], n
    std::vector<mesh::Face> faces;  // global vertex indices
    std::vector<std::array<Vec2, 4>>
        pattern;                      // texture coordinates of each face's corners; empty: none has any
    std::vector<mesh::Edge> edges;    // global vertex and face indices
    std::vector<double> rest_length;  // per edge [m]
    std::vector<mesh::Yarn> yarns;    // global edge and vertex indices
    std::vector<PinGroup> pins;
    std::vector<Guide> guides;
    std::vector<Seam> seams;

    int vertex_count() const { return static_cast<int>(rest.size()); }
    int edge_count() const { return static_cast<int>(edges.size()); }
};

struct State {
    Points x;      // positions [m]
    Points v;      // velocities [m/s]
    double t = 0;  // [s]
};

// One cloth as its maker leaves it, local indices; append() shifts it into the shared arrays.
struct ClothPart {
    std::string name;
    mesh::PolygonMesh mesh;
    mesh::Net net;
    Points rest;               // [m]
    std::vector<double> mass;  // [kg]
    bool cut = false;          // texture coordinates are its pattern [m]
    double grain = 0;          // [rad]
};

// Words for vertices given by global index, numbered as in their cloth: "vertex 4 of cloth 'sheet'"; of two:
// "vertices 4 and 9 of cloth 'sheet'", "vertex 4 of cloth 'left' and vertex 0 of cloth 'right'".
std::string vertex_name(const Model& model, int vertex);
std::string vertex_names(const Model& model, int a, int b);

// Adds a cloth to the model and returns its index. Rest lengths come from the pattern where there is one,
// else from the rest positions.
int append(Model& model, const ClothPart& part);

}  // namespace taut
