#include "taut/scene/sample_test.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "taut/forces/stiff_springs.hpp"
#include "taut/forces/trellis.hpp"
#include "taut/forces/yarn_bend.hpp"
#include "taut/integrators/backward_euler.hpp"
#include "taut/mesh/makers.hpp"
#include "taut/sim/simulation.hpp"

namespace taut::scene {
namespace {

// Points of a path are this far apart in time, with so many steps between [s].
constexpr double point_time = 1;
constexpr int steps_per_point = 2;

// Vertices weigh so much that inertia holds them like a spring of 0.01 N/m between two steps: far below what
// any fabric does, and enough for Newton to have an end. It ends where a vertex is out of balance by what
// moves such a spring by a millionth of the shortest edge.
constexpr double vertex_mass = 2.5e-3;  // [kg]
constexpr double balance = 1;
constexpr int newton_steps = 60;

Model sample_model(const mesh::MadeMesh& made, std::shared_ptr<const Fabric> fabric) {
    Model model;
    append(model,
           {"sample", made.mesh, made.net, made.rest, std::vector<double>(made.rest.size(), vertex_mass)});
    model.cloths[0].fabric = std::move(fabric);
    return model;
}

// Clamps along the path: at second k they are at its point k.
class ClampMotion final : public Deformation {
public:
    ClampMotion(ClampPlaces places, std::span<const double> path)
        : places_(std::move(places)), path_(path.begin(), path.end()) {}
    void at(double time, PointsView x) const override {
        const double t = std::clamp(time / point_time, 0.0, double(path_.size() - 1));
        const auto k = std::min(std::size_t(t), path_.size() - 2);
        places_(path_[k] + (t - double(k)) * (path_[k + 1] - path_[k]), x);
    }

private:
    ClampPlaces places_;
    std::vector<double> path_;
};

// Notes the load at every point.
class LoadReader final : public Observer {
public:
    LoadReader(const TestSample& sample, std::span<const double> path, SampleLoads& out)
        : sample_(sample), path_(path), out_(out) {}

    void step(const Simulation&, const StepReport& report) override {
        out_.held = out_.held && report.held;
        out_.strain = std::max({out_.strain, report.warp.max, report.weft.max});
        ++out_.steps;
    }
    void frame(const Simulation& simulation, int frame) override {
        const State& state = simulation.state();
        Points f(state.x.size(), Vec3::Zero()), still(state.x.size(), Vec3::Zero());
        for (const auto& force : simulation.pipeline().forces) force->add_force({state.x, still, state.t}, f);
        const std::size_t n = sample_.clamped.size();
        const double s = path_[std::size_t(frame)];
        Points low(n), high(n);
        sample_.places(s - sample_.slip, low);
        sample_.places(s + sample_.slip, high);
        double work = 0;
        for (std::size_t k = 0; k < n; ++k)
            work -= f[std::size_t(sample_.clamped[k])].dot(high[k] - low[k]) / (2 * sample_.slip);
        out_.path.s.push_back(s);
        out_.path.load.push_back(work / sample_.area);
    }

private:
    const TestSample& sample_;
    std::span<const double> path_;
    SampleLoads& out_;
};

}  // namespace

TestSample bending_sample(std::shared_ptr<const Fabric> fabric, bool weft, double gauge, int cells) {
    // Two columns in each clamp: bends at the inner ones belong to the gauge, which ends in the middle of the
    // cells in the clamps.
    const int columns = cells + 3, rows = 3;
    const double cell = gauge / (cells + 1), spacing = 2e-3, width = (rows - 1) * spacing;
    mesh::MadeMesh made = weft ? mesh::make_grid(columns, rows, (columns - 1) * cell, width)
                               : mesh::make_grid(rows, columns, width, (columns - 1) * cell);
    TestSample sample;
    sample.model = sample_model(made, std::move(fabric));
    sample.area = gauge * width;
    sample.slip = 1e-3;
    sample.yarn_stiffness = 1;

    // Along an arc of equal turns, in the plane of the normal and the yarns.
    struct Clamped {
        int column;
        double across;
    };
    std::vector<Clamped> clamped;
    for (const int column : {0, 1, columns - 2, columns - 1}) {
        for (int row = 0; row < rows; ++row) {
            sample.clamped.push_back(weft ? row * columns + column : column * rows + row);
            clamped.push_back({column, row * spacing});
        }
    }
    sample.places = [clamped, columns, cell, weft](double curvature, PointsView x) {
        std::vector<Vec2> arc(std::size_t(columns), Vec2::Zero());
        for (int c = 1; c < columns; ++c) {
            const double angle = (c - 1) * curvature * cell;
            arc[std::size_t(c)] = arc[std::size_t(c - 1)] + cell * Vec2(std::cos(angle), std::sin(angle));
        }
        for (std::size_t k = 0; k < clamped.size(); ++k) {
            const Vec2 p = arc[std::size_t(clamped[k].column)];
            x[k] = weft ? Vec3(p.x(), clamped[k].across, p.y()) : Vec3(clamped[k].across, p.x(), -p.y());
        }
    };
    return sample;
}

TestSample shear_sample(std::shared_ptr<const Fabric> fabric, double size, int cells) {
    const mesh::MadeMesh made = mesh::make_grid(cells + 1, cells + 1, size, size);
    TestSample sample;
    sample.model = sample_model(made, std::move(fabric));
    sample.area = size * size;
    sample.slip = 1e-5;
    sample.yarn_stiffness = 100;

    // Bars carry the edges of the cloth; half the shear on either pair.
    std::vector<Vec3> rest;
    for (int j = 0; j <= cells; ++j) {
        for (int i = 0; i <= cells; ++i) {
            if (i != 0 && i != cells && j != 0 && j != cells) continue;
            sample.clamped.push_back(j * (cells + 1) + i);
            rest.push_back(made.rest[std::size_t(sample.clamped.back())]);
        }
    }
    sample.places = [rest](double angle, PointsView x) {
        const double c = std::cos(0.5 * angle), s = std::sin(0.5 * angle);
        for (std::size_t k = 0; k < rest.size(); ++k)
            x[k] = Vec3(c * rest[k].x() + s * rest[k].y(), s * rest[k].x() + c * rest[k].y(), 0);
    };
    return sample;
}

SampleLoads follow_path(const TestSample& sample, std::span<const double> path, bool hysteresis) {
    if (path.size() < 2) throw std::runtime_error("a path of a test has at least two points");
    Model model = sample.model;
    PinGroup clamps;
    clamps.name = "clamps";
    clamps.vertices = sample.clamped;
    clamps.anchor.resize(sample.clamped.size());
    sample.places(path[0], clamps.anchor);
    clamps.carrier = std::make_shared<ClampMotion>(sample.places, path);
    model.pins.push_back(std::move(clamps));

    Pipeline pipeline;
    pipeline.forces.push_back(std::make_unique<forces::YarnBend>(forces::YarnBendParams{0, 0, hysteresis}));
    pipeline.forces.push_back(
        std::make_unique<forces::Trellis>(forces::TrellisParams{.stiffness = 0, .hysteresis = hysteresis}));
    pipeline.forces.push_back(
        std::make_unique<forces::StiffSprings>(forces::StiffSpringsParams{sample.yarn_stiffness}));
    pipeline.integrator =
        std::make_unique<integrators::BackwardEuler>(integrators::BackwardEulerParams{newton_steps, balance});
    RunSettings settings;
    settings.duration = point_time * double(path.size() - 1);
    settings.fps = 1 / point_time;
    settings.dt = point_time / steps_per_point;
    settings.max_halvings = 4;
    State start{model.rest, Points(model.rest.size(), Vec3::Zero()), 0};

    SampleLoads loads;
    Simulation simulation(std::move(model), std::move(start), std::move(pipeline), settings);
    LoadReader reader(sample, path, loads);
    if (simulation.run({&reader}) != RunOutcome::finished)
        throw std::runtime_error("the sample cannot follow the clamps: " + simulation.failure());
    return loads;
}

}  // namespace taut::scene
