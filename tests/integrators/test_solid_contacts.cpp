// Contacts with solids as constraints of the solve: landing, resting, sticking and sliding on slopes,
// release, moving obstacles, grooves, and vertices that start inside.
#include "taut/integrators/solid_contacts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "collision/touching.hpp"
#include "taut/base/parallel.hpp"
#include "taut/forces/bend_condition.hpp"
#include "taut/forces/gravity.hpp"
#include "taut/forces/shear_condition.hpp"
#include "taut/forces/stretch_condition.hpp"
#include "taut/integrators/baraff_witkin.hpp"

namespace taut::integrators::solid_contacts {
namespace {

using testing::Obstacle;

constexpr double thickness = 1e-3, g = 9.81;
constexpr double degree = std::numbers::pi / 180;

BaraffWitkinParams params() {
    BaraffWitkinParams result;
    result.tolerance = 1e-8;
    result.thickness = thickness;
    result.cloth.on = false;
    return result;
}

// A sheet of 5 x 4 vertices on or above obstacles; without forces within it where `loose`.
struct Scene {
    Model model = testing::sheet(5, 4, 0.4, 0.3);
    State start = testing::at_rest(model);
    std::vector<Obstacle> obstacles;
    Vec3 gravity = Vec3(0, 0, -g);
    bool loose = false;

    Simulation simulation(BaraffWitkinParams settings = params()) const {
        Pipeline pipeline = testing::pipeline(
            std::make_unique<BaraffWitkin>(settings, obstacles, collision::FrictionTable{}));
        forces::GravityParams down;
        down.acceleration = gravity;
        pipeline.forces.push_back(std::make_unique<forces::Gravity>(down));
        if (!loose) {
            pipeline.forces.push_back(
                std::make_unique<forces::StretchCondition>(forces::StretchConditionParams{}));
            pipeline.forces.push_back(
                std::make_unique<forces::ShearCondition>(forces::ShearConditionParams{}));
            pipeline.forces.push_back(std::make_unique<forces::BendCondition>(forces::BendConditionParams{}));
        }
        return Simulation(model, start, std::move(pipeline), {});
    }
    void raise(double height) {
        for (Vec3& x : start.x) x.z() += height;
    }
};

const BaraffWitkin& integrator_of(const Simulation& simulation) {
    return dynamic_cast<const BaraffWitkin&>(*simulation.pipeline().integrator);
}

Vec3 mean(const Points& x) {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& p : x) sum += p;
    return sum / static_cast<double>(x.size());
}

Motion straight(const Vec3& way, double start, double end) {
    return Motion({{start, Vec3::Zero(), Vec3::Zero()}, {end, way, Vec3::Zero()}}, Vec3::Zero(),
                  Interpolation::linear);
}

TEST(SolidContacts, LandsAndRestsAtTheThickness) {
    Scene scene;
    scene.obstacles = {testing::plane(Vec3::Zero(), Vec3::UnitZ(), 0.5)};
    scene.raise(0.02);
    Simulation simulation = scene.simulation();
    for (int k = 0; k < 60; ++k) testing::step(simulation, 0.01);
    const StepResult last = testing::step(simulation, 0.01);
    EXPECT_EQ(last.report.integrator.held, 20);
    EXPECT_EQ(last.report.integrator.sticking, 20);
    EXPECT_EQ(last.report.integrator.made + last.report.integrator.released, 0);
    for (std::size_t i = 0; i < scene.model.rest.size(); ++i) {
        EXPECT_NEAR(last.state.x[i].z(), thickness, 3e-9);
        EXPECT_LT(last.state.v[i].norm(), 1e-9);
        EXPECT_NEAR(integrator_of(simulation).constraint_force()[i].z(), g * scene.model.mass[i],
                    1e-6 * g * scene.model.mass[i]);
    }
}

TEST(SolidContacts, SticksBelowTheFrictionAngleAndSlidesAboveIt) {
    const double mu = 0.4;  // 21.8 degrees
    for (const double angle : {10.0, 21.0, 23.0, 30.0, 45.0}) {
        const double a = angle * degree;
        const Vec3 normal(std::sin(a), 0, std::cos(a)), down(std::cos(a), 0, -std::sin(a));
        Scene scene;
        scene.obstacles = {testing::plane(Vec3::Zero(), normal, mu)};
        for (Vec3& x : scene.start.x) x = x.x() * down + x.y() * Vec3::UnitY() + thickness * normal;
        Simulation simulation = scene.simulation();
        const double dt = 0.005, duration = 0.5;
        const int steps = static_cast<int>(std::lround(duration / dt));
        for (int k = 0; k < steps; ++k) testing::step(simulation, dt);
        const Vec3 way = mean(simulation.state().x) - mean(scene.start.x);
        const double acceleration = g * (std::sin(a) - mu * std::cos(a));
        if (acceleration < 0) {
            EXPECT_LT(way.norm(), 1e-4) << angle;
        } else {
            // First order: half a step early.
            const double exact = 0.5 * acceleration * duration * (duration + dt);
            EXPECT_NEAR(way.dot(down), exact, 0.01 * exact) << angle;
        }
        EXPECT_LT(std::abs(way.dot(normal)), 1e-6) << angle;
    }
}

// Slides up a slope, stops where energy says, and stays.
TEST(SolidContacts, ComesToRestByFriction) {
    const double mu = 0.5, speed = 1;
    Scene scene;
    scene.obstacles = {testing::plane(Vec3::Zero(), Vec3::UnitZ(), mu)};
    scene.raise(thickness);
    for (Vec3& v : scene.start.v) v = Vec3(speed, 0, 0);
    Simulation simulation = scene.simulation();
    for (int k = 0; k < 200; ++k) testing::step(simulation, 0.002);
    const double exact = speed * speed / (2 * mu * g);
    EXPECT_NEAR((mean(simulation.state().x) - mean(scene.start.x)).x(), exact, 0.03 * exact);
    for (const Vec3& v : simulation.state().v) EXPECT_LT(v.norm(), 1e-4);
}

TEST(SolidContacts, LetsGoOfASurfaceThatFallsAwayFaster) {
    Scene scene;
    scene.obstacles = {testing::plane(Vec3::Zero(), Vec3::UnitZ(), 0.5)};
    scene.obstacles[0].motion = straight(Vec3(0, 0, -20), 0.1, 1.1);
    scene.raise(thickness);
    Simulation simulation = scene.simulation();
    int released = 0;
    for (int k = 0; k < 40; ++k) released += testing::step(simulation, 0.01).report.integrator.released;
    EXPECT_EQ(released, 20);
    // 0.3 s of free fall; one step more or less.
    EXPECT_NEAR(mean(simulation.state().x).z(), -0.5 * g * 0.3 * 0.3, g * 0.3 * 0.02);
    EXPECT_EQ(integrator_of(simulation).constraint_force()[7].norm(), 0);
}

// A pull along the normal, by gravity turned around: nothing holds it on.
TEST(SolidContacts, DoesNotPull) {
    Scene scene;
    scene.obstacles = {testing::plane(Vec3::Zero(), Vec3::UnitZ(), 0.5)};
    scene.raise(thickness);
    scene.gravity = Vec3(0, 0, 2);
    Simulation simulation = scene.simulation();
    for (int k = 0; k < 50; ++k) testing::step(simulation, 0.01);
    EXPECT_NEAR(mean(simulation.state().x).z(), thickness + 0.5 * 2 * 0.25, 0.03);
}

TEST(SolidContacts, RidesOnWhatMovesGently) {
    Scene scene;
    scene.obstacles = {testing::box(Vec3(0.2, 0.15, -0.1), Vec3(0.4, 0.4, 0.1), 0.5)};
    scene.raise(thickness);
    scene.obstacles[0].motion =
        Motion({{0.1, Vec3::Zero(), Vec3::Zero()}, {1.1, Vec3(0.5, 0.2, 0.3), Vec3(0, 0, 0.6)}},
               Vec3(0.2, 0.15, 0), Interpolation::smooth);
    Simulation simulation = scene.simulation();
    for (int k = 0; k < 120; ++k) testing::step(simulation, 0.01);
    const RigidTransform end = scene.obstacles[0].motion.at(1.2);
    for (std::size_t i = 0; i < scene.start.x.size(); ++i)
        EXPECT_LT((simulation.state().x[i] - end(scene.start.x[i])).norm(), 2.5e-4)
            << "of a way of 0.6 m; it slips as it lands";
}

TEST(SolidContacts, IsLeftBehindByWhatMovesFast) {
    Scene scene;
    scene.obstacles = {testing::box(Vec3(0.2, 0.15, -0.1), Vec3(3, 0.4, 0.1), 0.2)};
    scene.raise(thickness);
    scene.obstacles[0].motion = straight(Vec3(2, 0, 0), 0, 0.2);
    Simulation simulation = scene.simulation();
    for (int k = 0; k < 20; ++k) testing::step(simulation, 0.01);
    // Friction takes it along with mu g.
    EXPECT_NEAR(mean(simulation.state().x).x() - mean(scene.start.x).x(), 0.5 * 0.2 * g * 0.04, 0.006);
}

// A groove of two planes holds a vertex on a line: it slides down along it.
TEST(SolidContacts, TwoPlanesLeaveALine) {
    Scene scene;
    scene.loose = true;
    scene.obstacles = {testing::plane(Vec3::Zero(), Vec3(1, 0, 1), 0),
                       testing::plane(Vec3::Zero(), Vec3(-1, 0, 1), 0)};
    scene.gravity = Vec3(0, 3, -g);
    for (Vec3& x : scene.start.x) x = Vec3(0, x.y(), std::sqrt(2.0) * thickness + 1e-4);
    Simulation simulation = scene.simulation();
    for (int k = 0; k < 30; ++k) testing::step(simulation, 0.01);
    for (std::size_t i = 0; i < scene.start.x.size(); ++i) {
        const Vec3 way = simulation.state().x[i] - scene.start.x[i];
        EXPECT_NEAR(simulation.state().x[i].x(), 0, 1e-8);
        EXPECT_NEAR(simulation.state().x[i].z(), std::sqrt(2.0) * thickness, 1e-8);
        EXPECT_NEAR(way.y(), 0.5 * 3 * 0.3 * 0.3, 0.01);
    }
}

// Three planes, askew: nothing is left free, up to rounding.
TEST(SolidContacts, ThreePlanesHoldInACorner) {
    Scene scene;
    scene.loose = true;
    const double low = 1 / std::sqrt(3.0), wide = std::sqrt(2.0 / 3);
    for (int k = 0; k < 3; ++k) {
        const Vec3 normal(wide * std::cos(120 * k * degree), wide * std::sin(120 * k * degree), low);
        scene.obstacles.push_back(testing::plane(Vec3::Zero(), normal, 0));
    }
    scene.gravity = Vec3(1, 0.5, -g);
    for (Vec3& x : scene.start.x) x = Vec3(1e-4, 0, std::sqrt(3.0) * thickness + 1e-3);
    Simulation simulation = scene.simulation();
    for (int k = 0; k < 60; ++k) {
        const StepResult r = testing::step(simulation, 0.01);
        ASSERT_TRUE(r.report.held) << r.report.note;
    }
    for (const Vec3& x : simulation.state().x)
        EXPECT_LT((x - Vec3(0, 0, std::sqrt(3.0) * thickness)).norm(), 1e-7);
}

// A floor and a box that lies on it with nearly the same normal: the higher one counts, and nothing is
// thrown.
TEST(SolidContacts, NearlyParallelSurfacesDoNotThrow) {
    Scene scene;
    scene.obstacles = {testing::plane(Vec3::Zero(), Vec3::UnitZ(), 0.5),
                       testing::plane(Vec3(0, 0, 0.005), Vec3(0.01, 0, 1), 0.5)};
    for (Vec3& x : scene.start.x) x.z() = 0.007;
    Simulation simulation = scene.simulation();
    for (int k = 0; k < 50; ++k) testing::step(simulation, 0.01);
    for (std::size_t i = 0; i < scene.start.x.size(); ++i)
        EXPECT_LT((simulation.state().x[i] - scene.start.x[i]).norm(), 0.01);
}

// Outside of the sharp edges of a tetrahedron, whichever way its faces are turned.
TEST(SolidContacts, SharpMeshesAreNotFilledOut) {
    for (const bool flipped : {false, true}) {
        Obstacle mesh;
        mesh.shape = collision::Shape::mesh;
        collision::TriangleShell shell{{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}},
                                       {{0, 0, -1}, {0.4, 0, -1}, {0.2, 0.3, -1}, {0.2, 0.15, -0.5}}};
        if (flipped) {
            for (auto& t : shell.triangles) std::swap(t[0], t[1]);
        }
        mesh.mesh = std::make_shared<collision::ObstacleMesh>(
            collision::ObstacleMesh{shell.triangles, shell.points, {}});
        Scene scene;
        scene.obstacles = {mesh};
        Simulation simulation = scene.simulation();
        const StepResult first = testing::step(simulation, 0.01);
        EXPECT_EQ(first.report.integrator.held, 0) << "half a metre away";
        for (int k = 0; k < 60; ++k) testing::step(simulation, 0.01);
        for (const double distance : collision::distances(mesh, 0, simulation.state().x))
            EXPECT_GT(distance, -1e-9) << flipped;
    }
}

// Position alteration: what starts inside is set onto the surface at once, and gains no speed by it.
TEST(SolidContacts, AlterationSetsOntoTheSurfaceWithoutSpeed) {
    Scene scene;
    scene.obstacles = {testing::plane(Vec3::Zero(), Vec3::UnitZ(), 0.5)};
    scene.raise(-0.01);
    Simulation simulation = scene.simulation();
    const StepResult first = testing::step(simulation, 0.01);
    for (std::size_t i = 0; i < scene.start.x.size(); ++i) {
        EXPECT_NEAR(first.state.x[i].z(), thickness, 3e-9);
        EXPECT_LT(first.state.v[i].norm(), 1e-9);
    }
}

// Every shape: sheets laid on them never end a step below the surface.
TEST(SolidContacts, KeepOutOfEveryShape) {
    const Vec3 below(0.2, 0.15, -0.3);
    std::vector<Obstacle> shapes{
        testing::ball(below, 0.29), testing::capsule(below - Vec3(0.3, 0, 0), below + Vec3(0.3, 0, 0), 0.29),
        testing::box(below, Vec3(0.1, 0.1, 0.29)), testing::polygon_sphere(below, 0.29, 4)};
    Obstacle mesh;
    const auto shell = collision::as_mesh(shapes[3]);
    mesh.shape = collision::Shape::mesh;
    mesh.mesh = std::make_shared<collision::ObstacleMesh>(
        collision::ObstacleMesh{shell->triangles, shell->points, {}});
    shapes.push_back(mesh);
    for (const Obstacle& shape : shapes) {
        Scene scene;
        scene.obstacles = {shape};
        Simulation simulation = scene.simulation();
        int held = 0;
        for (int k = 0; k < 40; ++k) {
            held = std::max(held, testing::step(simulation, 0.01).report.integrator.held);
            for (const double distance : collision::distances(shape, 0, simulation.state().x))
                EXPECT_GT(distance, -1e-9) << shape.name << k;
        }
        EXPECT_GT(held, 0) << shape.name;
    }
}

TEST(SolidContacts, OffMeansThrough) {
    Scene scene;
    scene.obstacles = {testing::plane(Vec3::Zero(), Vec3::UnitZ())};
    scene.raise(0.01);
    BaraffWitkinParams off = params();
    off.contacts = false;
    Simulation simulation = scene.simulation(off);
    for (int k = 0; k < 20; ++k) testing::step(simulation, 0.01);
    EXPECT_LT(mean(simulation.state().x).z(), -0.1);
}

TEST(SolidContacts, SameBitsForAnyNumberOfThreads) {
    std::string hash;
    for (const int threads : {1, 2, 4}) {
        const ThreadLimit limit(threads);
        Scene scene;
        scene.obstacles = {testing::ball(Vec3(0.2, 0.15, -0.3), 0.29)};
        Simulation simulation = scene.simulation();
        for (int k = 0; k < 30; ++k) testing::step(simulation, 0.01);
        if (!hash.empty()) {
            EXPECT_EQ(simulation.state_hash(), hash) << threads;
        }
        hash = simulation.state_hash();
    }
}

// A file may hold anything: what names no vertex or no surface changes no bit.
TEST(SolidContacts, RecordsOfNoContactAreLeftOut) {
    Scene scene;
    scene.obstacles = {testing::plane(Vec3::Zero(), Vec3::UnitZ(), 0.5)};
    scene.raise(0.02);
    Simulation plain = scene.simulation();
    const StepResult expected = testing::step(plain, 0.01);
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<std::array<double, 5>> forged{
        {-1, 0, -1, -1, -1}, {20, 0, -1, -1, -1}, {nan, 0, -1, -1, -1}, {3, 1, -1, -1, -1},
        {3, -1, -1, -1, -1}, {3, 0, 0, 1, 2},     {3, 0, nan, -1, -1},  {3, 1e300, -1, -1, -1}};
    for (const auto& [vertex, obstacle, a, b, c] : forged) {
        Simulation simulation = scene.simulation();
        *simulation.memory().at(0).data = {vertex, obstacle, 1, 0, a, b, c, 0, 0, 0, 0, 0, 1};
        EXPECT_EQ(testing::step(simulation, 0.01).state.x, expected.state.x) << vertex << " " << obstacle;
    }
}

}  // namespace
}  // namespace taut::integrators::solid_contacts
