// Small cloths with masses, pins and pipelines for tests that step: sheets, chains and sleeves from
// the mesh makers, at rest or shaken.
#pragma once

#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "base/random_points.hpp"
#include "taut/mesh/makers.hpp"
#include "taut/mesh/mass.hpp"
#include "taut/model/model.hpp"
#include "taut/sim/simulation.hpp"

namespace taut::testing {

// 0.2 kg/m^2 for faces, 0.1 kg/m for lines.
inline Model model_of(const mesh::MadeMesh& made) {
    Model model;
    append(model,
           {"cloth", made.mesh, made.net, made.rest, mesh::lumped_mass(made.mesh, made.rest, 0.2, 0.1)});
    return model;
}

inline Model sheet(int nu, int nv, double width = 1, double height = 1) {
    return model_of(mesh::make_grid(nu, nv, width, height));
}

inline Model chain(int vertices, double length = 1) {
    return model_of(mesh::make_polyline(vertices, length));
}

inline Model sleeve(int around, int along) { return model_of(mesh::make_cone(around, along, 0.2, 0.3, 0.5)); }

inline State at_rest(const Model& model) { return {model.rest, Points(model.rest.size(), Vec3::Zero()), 0}; }

inline std::vector<double> random_numbers(std::size_t n, double low, double high, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> value(low, high);
    std::vector<double> numbers(n);
    for (double& x : numbers) x = value(random);
    return numbers;
}

// Holds the vertices where `x` has them.
inline PinGroup pin(std::vector<int> vertices, ConstPoints x) {
    PinGroup group;
    for (int v : vertices) group.anchor.push_back(x[std::size_t(v)]);
    group.vertices = std::move(vertices);
    return group;
}

template <class I, class... Forces>
Pipeline pipeline(std::unique_ptr<I> integrator, std::unique_ptr<Forces>... forces) {
    Pipeline result;
    result.integrator = std::move(integrator);
    (result.forces.push_back(std::move(forces)), ...);
    return result;
}

inline Vec3 momentum(const Model& model, ConstPoints v) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < v.size(); ++i) sum += model.mass[i] * v[i];
    return sum;
}

// One committed step of any length.
inline StepResult step(Simulation& simulation, double dt) {
    StepResult result = simulation.try_step(dt);
    simulation.restore(result.state, simulation.progress(), simulation.totals());
    return result;
}

}  // namespace taut::testing
