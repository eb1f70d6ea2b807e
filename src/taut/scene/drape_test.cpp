#include "taut/scene/drape_test.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <stdexcept>

#include "taut/base/error.hpp"
#include "taut/elements/drag.hpp"
#include "taut/filters/stable_projection.hpp"
#include "taut/forces/gravity.hpp"
#include "taut/forces/trellis.hpp"
#include "taut/forces/yarn_bend.hpp"
#include "taut/integrators/implicit_euler.hpp"
#include "taut/linalg/yarn_cg.hpp"
#include "taut/mesh/makers.hpp"
#include "taut/mesh/mass.hpp"
#include "taut/mesh/topology.hpp"
#include "taut/scene/build.hpp"

namespace taut::scene {
namespace {

constexpr double gravity = 9.81;  // [m/s^2]

// Area of all faces, and of those whose corners are all pinned.
std::array<double, 2> disc_and_clamp(const Model& model) {
    std::vector<bool> held(model.rest.size(), false);
    for (const PinGroup& pin : model.pins) {
        for (const int v : pin.vertices) held[std::size_t(v)] = true;
    }
    std::array<double, 2> sum{};
    const auto& x = model.rest;
    for (const mesh::Face& face : model.faces) {
        const auto& c = face.corner;
        const double area = face.size() == 4
                                ? elements::area_vector(x[c[0]], x[c[1]], x[c[2]], x[c[3]]).norm()
                                : elements::area_vector(x[c[0]], x[c[1]], x[c[2]]).norm();
        bool all = true;
        for (int k = 0; k < face.size(); ++k) all = all && held[std::size_t(c[k])];
        sum[0] += area;
        if (all) sum[1] += area;
    }
    return sum;
}

// The strongest wave of an outline, of 2 to 24 around.
int strongest_wave(const std::vector<double>& radius) {
    int best = 0;
    double most = 0;
    for (int k = 2; k <= 24; ++k) {
        double c = 0, s = 0;
        for (std::size_t d = 0; d < radius.size(); ++d) {
            const double angle = 2 * std::numbers::pi * k * double(d) / double(radius.size());
            c += radius[d] * std::cos(angle);
            s += radius[d] * std::sin(angle);
        }
        if (std::hypot(c, s) > most) most = std::hypot(c, s), best = k;
    }
    return best;
}

}  // namespace

Shadow cast_shadow(const Model& model, ConstPoints x, const Vec3& axis, int pixels) {
    // Lay a raster over the cloth as seen from above.
    Vec2 low(1e300, 1e300), high(-1e300, -1e300);
    for (const Vec3& p : x) {
        low = low.cwiseMin(p.head<2>());
        high = high.cwiseMax(p.head<2>());
    }
    const double pixel = std::max((high - low).maxCoeff(), 1e-9) / pixels;
    const int width = int((high.x() - low.x()) / pixel) + 1, height = int((high.y() - low.y()) / pixel) + 1;
    std::vector<std::uint8_t> dark(std::size_t(width) * std::size_t(height), 0);

    // Darken the pixels whose centers a triangle covers.
    const auto side = [](const Vec2& a, const Vec2& b, const Vec2& p) {
        return (b.x() - a.x()) * (p.y() - a.y()) - (b.y() - a.y()) * (p.x() - a.x());
    };
    for (const auto& t : mesh::split_faces(model.faces)) {
        const Vec2 a = x[t[0]].head<2>(), b = x[t[1]].head<2>(), c = x[t[2]].head<2>();
        const Vec2 from = (a.cwiseMin(b).cwiseMin(c) - low) / pixel,
                   to = (a.cwiseMax(b).cwiseMax(c) - low) / pixel;
        for (int j = std::max(0, int(from.y() - 1)); j <= std::min(height - 1, int(to.y() + 1)); ++j) {
            for (int i = std::max(0, int(from.x() - 1)); i <= std::min(width - 1, int(to.x() + 1)); ++i) {
                const Vec2 p = low + pixel * Vec2(i + 0.5, j + 0.5);
                const double u = side(a, b, p), v = side(b, c, p), w = side(c, a, p);
                if ((u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0))
                    dark[std::size_t(j) * std::size_t(width) + std::size_t(i)] = 1;
            }
        }
    }

    // Count them, and find the farthest in every direction.
    Shadow shadow;
    shadow.radius.assign(360, 0.0);
    long count = 0;
    for (int j = 0; j < height; ++j) {
        for (int i = 0; i < width; ++i) {
            if (!dark[std::size_t(j) * std::size_t(width) + std::size_t(i)]) continue;
            ++count;
            const Vec2 d = low + pixel * Vec2(i + 0.5, j + 0.5) - axis.head<2>();
            const double turn = std::atan2(d.y(), d.x()) / (2 * std::numbers::pi);
            double& farthest = shadow.radius[std::size_t(std::floor((turn - std::floor(turn)) * 360)) % 360];
            farthest = std::max(farthest, d.norm());
        }
    }
    shadow.area = double(count) * pixel * pixel;
    return shadow;
}

DrapeResult test_drape(const Scene& scene, const SettleSettings& settings, const Points* start) {
    Assembly assembly = assemble(scene);
    if (start) {
        assembly.start.x = *start;
        assembly.start.v.assign(start->size(), Vec3::Zero());
    }
    const std::unique_ptr<Simulation> simulation = build(scene, std::move(assembly));
    const Model& model = simulation->model();
    const auto [disc, clamp] = disc_and_clamp(model);
    if (!(clamp > 0 && clamp < disc))
        throw InputError({scene.file, "/pins"}, "a drape test needs a disc with some faces pinned all around",
                         "", "pin the part 'clamp' of a woven_disc");
    DrapeResult result;
    result.settled = simulation->settle(settings);
    result.state = simulation->state();
    result.vertices = model.vertex_count();
    Vec3 axis = Vec3::Zero();
    double level = 0;
    for (const int v : model.pins[0].vertices) {
        axis += result.state.x[std::size_t(v)] / double(model.pins[0].vertices.size());
        level = result.state.x[std::size_t(v)].z();
    }
    const Shadow shadow = cast_shadow(model, result.state.x, axis);
    result.coefficient = (shadow.area - clamp) / (disc - clamp);
    result.nodes = strongest_wave(shadow.radius);
    for (const Vec3& p : result.state.x) result.depth = std::max(result.depth, level - p.z());
    return result;
}

namespace {

// One strip with this overhang at rest: along and down from the edge, which lies in the middle of the last
// clamped cell.
struct Strip {
    std::vector<Vec2> profile;
    bool at_rest = true;
    double angle() const {  // of the tip [deg]
        const Vec2 tip = profile.back();
        return std::atan2(tip.y(), tip.x()) * 180 / std::numbers::pi;
    }
};

Strip hang_strip(std::shared_ptr<const Fabric> fabric, bool weft, int cells, double overhang) {
    const double cell = overhang / (cells - 0.5);
    const int columns = cells + 1, rows = 3;
    const double length = cells * cell, width = 2 * cell;
    const mesh::MadeMesh made =
        weft ? mesh::make_grid(columns, rows, length, width) : mesh::make_grid(rows, columns, width, length);
    Model model;
    append(model, {"strip", made.mesh, made.net, made.rest,
                   mesh::lumped_mass(made.mesh, made.rest, fabric->density, 1)});
    model.cloths[0].fabric = std::move(fabric);
    PinGroup clamp;
    std::vector<int> middle;
    for (int c = 0; c < columns; ++c) {
        for (int row = 0; row < rows; ++row) {
            const int v = weft ? row * columns + c : c * rows + row;
            if (c < 2) clamp.vertices.push_back(v), clamp.anchor.push_back(model.rest[std::size_t(v)]);
            if (row == 1) middle.push_back(v);
        }
    }
    model.pins.push_back(std::move(clamp));

    Pipeline pipeline;
    pipeline.forces.push_back(std::make_unique<forces::Gravity>(forces::GravityParams{}));
    pipeline.forces.push_back(std::make_unique<forces::YarnBend>(forces::YarnBendParams{}));
    pipeline.forces.push_back(std::make_unique<forces::Trellis>(forces::TrellisParams{}));
    pipeline.integrator = std::make_unique<integrators::ImplicitEuler>();
    pipeline.filters.push_back(std::make_unique<filters::StableProjection>(
        filters::StableProjectionParams{}, std::make_unique<linalg::YarnCg>(linalg::YarnCgParams{})));
    State start{model.rest, Points(model.rest.size(), Vec3::Zero()), 0};
    RunSettings run;
    run.dt = 1.0 / 60;
    Simulation simulation(std::move(model), std::move(start), std::move(pipeline), run);
    SettleSettings settings;
    settings.tolerance = 1e-4;
    Strip strip;
    strip.at_rest = simulation.settle(settings).at_rest();
    for (int c = 1; c < columns; ++c) {
        const Vec3 p = simulation.state().x[std::size_t(middle[std::size_t(c)])];
        strip.profile.push_back({(weft ? p.x() : p.y()) - 0.5 * cell, -p.z()});
    }
    return strip;
}

}  // namespace

CantileverResult test_cantilever(std::shared_ptr<const Fabric> fabric, bool weft, int cells) {
    CantileverResult result;
    result.stiffness = weft ? fabric->bending_weft() : fabric->bending_warp();
    result.weight = gravity * fabric->density;
    result.expected = std::cbrt(result.stiffness / result.weight);
    const auto hang = [&](double overhang) {
        const Strip strip = hang_strip(fabric, weft, cells, overhang);
        ++result.strips;
        result.at_rest = result.at_rest && strip.at_rest;
        result.profile = strip.profile;
        return strip.angle();
    };

    // Bracket the overhang, then close in on it: the angle grows with the length.
    double low = 1.6 * result.expected, high = 2.4 * result.expected;
    double at_low = hang(low), at_high = hang(high);
    for (int k = 0; k < 20 && at_low > cantilever_angle; ++k)
        high = low, at_high = at_low, at_low = hang(low *= 0.8);
    for (int k = 0; k < 20 && at_high < cantilever_angle; ++k)
        low = high, at_low = at_high, at_high = hang(high *= 1.25);
    if (!(at_low <= cantilever_angle && at_high >= cantilever_angle))
        throw std::runtime_error("no overhang of the strip falls to the angle of the cantilever test");
    for (int k = 0; k < 12; ++k) {
        const double share = std::clamp((cantilever_angle - at_low) / (at_high - at_low), 0.1, 0.9);
        const double middle = low + share * (high - low), angle = hang(middle);
        result.overhang = middle;
        if (std::abs(angle - cantilever_angle) < 0.05) break;
        (angle < cantilever_angle ? low : high) = middle;
        (angle < cantilever_angle ? at_low : at_high) = angle;
    }
    result.length = 0.5 * result.overhang;
    const double theta = cantilever_angle * std::numbers::pi / 180;
    result.peirce = result.overhang * std::cbrt(std::cos(0.5 * theta) / (8 * std::tan(theta)));
    return result;
}

}  // namespace taut::scene
