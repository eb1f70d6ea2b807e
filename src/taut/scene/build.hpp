// From a scene to what runs: cloths made, placed and pinned (assemble), then the pipeline of
// forces, integrator and filters around them (build). Both throw InputError at the place of the
// scene that cannot be built.
#pragma once

#include <memory>
#include <vector>

#include "taut/scene/scene.hpp"
#include "taut/sim/simulation.hpp"

namespace taut::scene {

// The model at the start, with what checks and writers need besides.
struct Assembly {
    Model model;
    State start;
    std::vector<Lattice> lattices;               // one per cloth
    std::vector<std::vector<NamedPart>> parts;   // per cloth; vertices count within it
    std::vector<collision::Obstacle> obstacles;  // at rest of their motions
    // Per cloth: what its mesh deserves a look for, and what its importer left out.
    std::vector<std::vector<mesh::MeshProblem>> warnings;
    std::vector<std::vector<std::string>> notes;
};

// Meshes with errors (mesh::find_problems) are refused.
Assembly assemble(const Scene& scene);

std::vector<collision::Obstacle> make_obstacles(const Scene& scene);
// Filters get the obstacles, the start and the groups of the assembly.
Pipeline make_pipeline(const Scene& scene, const Assembly& assembly);
RunSettings run_settings(const Scene& scene);

// The whole: assemble(scene) with its pipeline, ready to run.
std::unique_ptr<Simulation> build(const Scene& scene);
std::unique_ptr<Simulation> build(const Scene& scene, Assembly assembly);

}  // namespace taut::scene
