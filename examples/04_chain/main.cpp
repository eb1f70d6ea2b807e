// A simulation made in code, without a scene: cloth, pins, forces, integrator and filter. A chain
// between two nails comes to rest and is held against the catenary.
#include <fmt/core.h>
#include <taut/filters/stable_projection.hpp>
#include <taut/forces/gravity.hpp>
#include <taut/forces/velocity_damping.hpp>
#include <taut/integrators/bdf2.hpp>
#include <taut/linalg/yarn_cg.hpp>
#include <taut/mesh/makers.hpp>
#include <taut/mesh/mass.hpp>
#include <taut/taut.hpp>

#include <cmath>

// Depth of a catenary of this length over this span [m]: sinh(u) / u = length / span, by Newton.
double catenary_depth(double length, double span) {
    double u = std::sqrt(6 * (length / span - 1));
    for (int i = 0; i < 20; ++i) {
        u -= (std::sinh(u) - u * length / span) / (std::cosh(u) - length / span);
    }
    return (std::cosh(u) - 1) * span / (2 * u);
}

int main() {
    // Make 1 m of chain, 0.1 kg/m, on a parabola between two nails 0.8 m apart.
    const int links = 80;
    const double length = 1, span = 0.8;
    const taut::mesh::MadeMesh chain = taut::mesh::make_polyline(links + 1, length);
    taut::Model model;
    taut::append(model, {"chain", chain.mesh, chain.net, chain.rest,
                         taut::mesh::lumped_mass(chain.mesh, chain.rest, 0.2, 0.1)});
    taut::State start{.x = taut::mesh::sag_profile(links, length / links, span), .v = {}};
    start.v.assign(start.x.size(), taut::Vec3::Zero());
    model.pins.push_back(
        {.name = "nails", .vertices = {0, links}, .anchor = {start.x.front(), start.x.back()}, .motion = {}});

    // Choose the physics of the step.
    taut::Pipeline pipeline;
    pipeline.forces.push_back(std::make_unique<taut::forces::Gravity>(taut::forces::GravityParams{}));
    pipeline.forces.push_back(
        std::make_unique<taut::forces::VelocityDamping>(taut::forces::VelocityDampingParams{.rate = 3}));
    pipeline.integrator = std::make_unique<taut::integrators::Bdf2>();
    pipeline.filters.push_back(std::make_unique<taut::filters::StableProjection>(
        taut::filters::StableProjectionParams{},
        std::make_unique<taut::linalg::YarnCg>(taut::linalg::YarnCgParams{})));

    // Let it come to rest and compare.
    taut::Simulation simulation(std::move(model), start, std::move(pipeline), {.duration = 4});
    simulation.run({});
    const double depth = -simulation.state().x[links / 2].z(), expected = catenary_depth(length, span);
    fmt::print("depth {:.4f} m, catenary {:.4f} m\n", depth, expected);
    return simulation.certified() && std::abs(depth - expected) < 0.005 * span ? 0 : 1;
}
