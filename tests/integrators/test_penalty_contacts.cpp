// Contacts of cloth with cloth as damped springs: force and rows, momentum, rest on each other, friction,
// cloth that goes through, and neighbours that must not push.
#include "taut/integrators/penalty_contacts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sim/cloths.hpp"
#include "taut/base/parallel.hpp"
#include "taut/forces/bend_condition.hpp"
#include "taut/forces/gravity.hpp"
#include "taut/forces/shear_condition.hpp"
#include "taut/forces/stretch_condition.hpp"
#include "taut/integrators/baraff_witkin.hpp"

namespace taut::integrators::penalty_contacts {
namespace {

constexpr double g = 9.81, degree = std::numbers::pi / 180;

void add_sheet(Model& model, const char* name, int side, double size, const Vec3& corner, double friction) {
    mesh::MadeMesh made = mesh::make_grid(side, side, size, size);
    for (Vec3& x : made.rest) x += corner;
    append(model, {name, made.mesh, made.net, made.rest, mesh::lumped_mass(made.mesh, made.rest, 0.2, 0)});
    model.cloths.back().friction = friction;
}

// A sheet of 0.4 m that is held everywhere, and a smaller one a height above it.
struct Pair {
    Model model;
    State start;
    Vec3 gravity = Vec3(0, 0, -g);
    std::size_t first = 0;  // vertex of the upper sheet
    explicit Pair(double height, double friction = 0) {
        add_sheet(model, "lower", 9, 0.4, Vec3::Zero(), friction);
        first = model.rest.size();
        add_sheet(model, "upper", 4, 0.13, Vec3(0.13, 0.14, height), friction);
        start = testing::at_rest(model);
        std::vector<int> all(first);
        for (std::size_t i = 0; i < first; ++i) all[i] = static_cast<int>(i);
        model.pins.push_back(testing::pin(all, start.x));
    }

    Simulation simulation(const BaraffWitkinParams& params) const {
        Pipeline pipeline = testing::pipeline(std::make_unique<BaraffWitkin>(params));
        forces::GravityParams down;
        down.acceleration = gravity;
        pipeline.forces.push_back(std::make_unique<forces::Gravity>(down));
        pipeline.forces.push_back(
            std::make_unique<forces::StretchCondition>(forces::StretchConditionParams{}));
        pipeline.forces.push_back(std::make_unique<forces::ShearCondition>(forces::ShearConditionParams{}));
        pipeline.forces.push_back(std::make_unique<forces::BendCondition>(forces::BendConditionParams{}));
        return Simulation(model, start, std::move(pipeline), {});
    }
    Vec3 upper(const Simulation& simulation) const {
        Vec3 sum = Vec3::Zero();
        for (std::size_t i = first; i < model.rest.size(); ++i) sum += simulation.state().x[i];
        return sum / static_cast<double>(model.rest.size() - first);
    }
};

BaraffWitkinParams params() {
    BaraffWitkinParams result;
    result.tolerance = 1e-8;
    result.stretch_change = 0;
    return result;
}

// The springs of a step of 10 ms that starts at a state, outside an integrator.
struct Springs {
    StepContext context;
    PenaltyContacts contacts;
    Springs(const Pair& pair, PenaltyParams settings) : contacts(settings, {}) {
        contacts.prepare(pair.model);
        context.model = &pair.model;
        context.start = &pair.start;
        context.dt = context.h = 0.01;
        context.pinned.assign(pair.model.rest.size(), 0);
        context.pin_target = pair.model.rest;
        contacts.begin(context);
    }
    Points force(const State& state) const {
        Points f(state.x.size(), Vec3::Zero());
        contacts.add_force(state, f);
        return f;
    }
};

Points product(const std::vector<linalg::RankOneRow>& rows, const Points& x) {
    Points y(x.size(), Vec3::Zero());
    for (const linalg::RankOneRow& row : rows) {
        const double pull = row.factor * row.dot(x);
        for (std::size_t k = 0; k < 4; ++k) {
            if (row.vertex[k] >= 0)
                y[static_cast<std::size_t>(row.vertex[k])] += pull * row.weight[k] * row.direction;
        }
    }
    return y;
}

double largest(const Points& x) {
    double most = 0;
    for (const Vec3& p : x) most = std::max(most, p.norm());
    return most;
}

// Linear in positions and velocities as long as springs stay: rows are exact.
TEST(PenaltyContacts, RowsAreTheDerivativesOfTheForce) {
    Pair pair(0.0015, 0.5);
    for (std::size_t i = pair.first; i < pair.start.v.size(); ++i) pair.start.v[i] = Vec3(0.3, 0, -0.1);
    Springs springs(pair, {});
    ASSERT_GT(springs.contacts.pushing(), 10);
    const Points base = springs.force(pair.start);
    const Points way = testing::shaken(Points(pair.start.x.size(), Vec3::Zero()), 1e-3, 3);
    State moved = pair.start, faster = pair.start;
    for (std::size_t i = 0; i < way.size(); ++i) moved.x[i] += way[i], faster.v[i] += way[i];
    const Points by_place = springs.force(moved), by_speed = springs.force(faster);
    const double h = springs.context.h;
    const Points elastic = product(springs.contacts.elastic_rows(), way);
    const Points system = product(springs.contacts.system_rows(), way);
    ASSERT_GT(largest(elastic), 1e-3);
    for (std::size_t i = 0; i < way.size(); ++i) {
        EXPECT_LT((by_place[i] - base[i] + elastic[i]).norm(), 1e-9 * largest(elastic));
        EXPECT_LT((h * (by_speed[i] - base[i]) + system[i] - h * h * elastic[i]).norm(),
                  1e-9 * largest(system));
    }
}

TEST(PenaltyContacts, KeepMomentum) {
    for (const double friction : {0.0, 0.5}) {
        Pair pair(0.0015, friction);
        for (std::size_t i = pair.first; i < pair.start.v.size(); ++i) pair.start.v[i] = Vec3(0.3, 0.1, -0.1);
        const Springs springs(pair, {});
        const Points f = springs.force(pair.start);
        Vec3 sum = Vec3::Zero(), turn = Vec3::Zero();
        for (std::size_t i = 0; i < f.size(); ++i)
            sum += f[i], turn += (pair.start.x[i] + springs.context.h * pair.start.v[i]).cross(f[i]);
        EXPECT_LT(sum.norm(), 1e-12 * largest(f));
        // About where inertia leads, where springs are made; friction acts at both closest points, apart.
        if (friction == 0) {
            EXPECT_LT(turn.norm(), 1e-12 * largest(f));
        }
    }
}

TEST(PenaltyContacts, ComeToRestNearTheThickness) {
    const Pair pair(0.01, 0.3);
    Simulation simulation = pair.simulation(params());
    StepResult last;
    for (int k = 0; k < 150; ++k) last = testing::step(simulation, 0.01);
    double weight = 0;
    for (std::size_t i = pair.first; i < pair.model.mass.size(); ++i) weight += g * pair.model.mass[i];
    EXPECT_GT(last.report.integrator.pushing, 0);
    // Sunk in by the weight over all springs at most, which push with 100 N/m each.
    EXPECT_GT(pair.upper(simulation).z(), 0.002 - weight / 100);
    EXPECT_LT(pair.upper(simulation).z(), 0.002);
    for (std::size_t i = pair.first; i < pair.start.v.size(); ++i)
        EXPECT_LT(simulation.state().v[i].norm(), 1e-4) << "no trembling";
}

TEST(PenaltyContacts, StickBelowTheFrictionAngleAndSlideAboveIt) {
    for (const double angle : {10.0, 35.0}) {
        const double mu = 0.4, a = angle * degree;
        Pair pair(0.002, mu);
        pair.gravity = g * Vec3(std::sin(a), 0, -std::cos(a));
        Simulation simulation = pair.simulation(params());
        const double duration = 0.15;
        for (int k = 0; k < 75; ++k) testing::step(simulation, 0.002);
        const double way = pair.upper(simulation).x() - 0.13 - 0.065;
        const double free = 0.5 * g * (std::sin(a) - mu * std::cos(a)) * duration * duration;
        if (free < 0) {
            EXPECT_LT(std::abs(way), 0.003);
        } else {
            EXPECT_NEAR(way, free, 0.2 * free);
        }
    }
}

// 5 cm in a step, through a sheet of no thickness: pushed back within the step or in those after it.
TEST(PenaltyContacts, LeadBackWhatGoesThrough) {
    for (const double speed : {0.5, 2.0, 5.0}) {
        Pair pair(0.02, 0.3);
        for (std::size_t i = pair.first; i < pair.start.v.size(); ++i) pair.start.v[i] = Vec3(0, 0, -speed);
        Simulation simulation = pair.simulation(params());
        for (int k = 0; k < 40; ++k) testing::step(simulation, 0.01);
        for (std::size_t i = pair.first; i < pair.start.x.size(); ++i)
            EXPECT_GT(simulation.state().x[i].z(), 0) << speed << " " << i;
    }
}

// Springs too weak to stop it in time still lead it back: the memory keeps what no search finds any more.
TEST(PenaltyContacts, RememberWhatIsFarBehind) {
    Pair pair(0.01, 0);
    pair.gravity.setZero();
    for (std::size_t i = pair.first; i < pair.start.v.size(); ++i) pair.start.v[i] = Vec3(0, 0, -2);
    BaraffWitkinParams weak = params();
    weak.cloth.stiffness = 0.1;
    weak.cloth.damping = 0;
    Simulation simulation = pair.simulation(weak);
    double lowest = 0;
    for (int k = 0; k < 60; ++k) {
        testing::step(simulation, 0.01);
        lowest = std::min(lowest, pair.upper(simulation).z());
    }
    EXPECT_LT(lowest, -0.006) << "three thicknesses and more behind";
    EXPECT_GT(pair.upper(simulation).z(), 0);
}

// A file may hold anything: what names no pair of the cloth changes no bit.
TEST(PenaltyContacts, RecordsOfNoPairAreLeftOut) {
    const Pair pair(0.01, 0);
    Simulation plain = pair.simulation(params());
    const StepResult expected = testing::step(plain, 0.01);
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<std::vector<double>> forged{{0, -1, 1, 2, 3, 1},  {0, 1, 2, 3, 1e300, 1},
                                                  {0, nan, 1, 2, 3, 1}, {1, 85, 86, 90, 91, nan},
                                                  {1, 0, 1, 90, 91, 7}, {0, 1, 2}};
    for (const std::vector<double>& record : forged) {
        Simulation simulation = pair.simulation(params());
        *simulation.memory().at(1).data = record;
        EXPECT_EQ(testing::step(simulation, 0.01).state.x, expected.state.x) << record[1];
    }
}

// Parallel edges and vertices of neighbouring cells change sides of each other as cloth bends to and fro;
// that is no contact.
TEST(PenaltyContacts, NeighboursInOneClothDoNotPush) {
    Model model = testing::sheet(17, 5, 0.4, 0.1);
    State start = testing::at_rest(model);
    for (Vec3& v : start.v) v.setZero();
    for (const double bend : {0.3, -0.3}) {
        State bent = start;
        for (std::size_t i = 0; i < bent.x.size(); ++i) {
            const double x = model.rest[i].x();
            bent.x[i].z() = 0.02 * std::sin(15 * x) * bend;
            bent.v[i].z() = -2 * 0.02 * std::sin(15 * x) * bend / 0.01;
        }
        PenaltyContacts contacts({}, {});
        contacts.prepare(model);
        StepContext context;
        context.model = &model;
        context.start = &bent;
        context.dt = context.h = 0.01;
        context.pinned.assign(model.rest.size(), 0);
        context.pin_target = model.rest;
        contacts.begin(context);
        EXPECT_EQ(contacts.pushing(), 0);
    }
}

TEST(PenaltyContacts, OwnThicknessGoesFirst) {
    Pair pair(0.004);
    EXPECT_EQ(Springs(pair, {}).contacts.pushing(), 0);
    for (Cloth& cloth : pair.model.cloths) cloth.thickness = 0.006;
    EXPECT_GT(Springs(pair, {}).contacts.pushing(), 0);
}

TEST(PenaltyContacts, OffMeansThrough) {
    const Pair pair(0.01);
    BaraffWitkinParams off = params();
    off.cloth.on = false;
    Simulation simulation = pair.simulation(off);
    for (int k = 0; k < 20; ++k) testing::step(simulation, 0.01);
    EXPECT_LT(pair.upper(simulation).z(), -0.1);
}

TEST(PenaltyContacts, SameBitsForAnyNumberOfThreads) {
    std::string hash;
    for (const int threads : {1, 2, 4}) {
        const ThreadLimit limit(threads);
        Simulation simulation = Pair(0.005, 0.3).simulation(params());
        for (int k = 0; k < 30; ++k) testing::step(simulation, 0.01);
        if (!hash.empty()) {
            EXPECT_EQ(simulation.state_hash(), hash) << threads;
        }
        hash = simulation.state_hash();
    }
}

}  // namespace
}  // namespace taut::integrators::penalty_contacts
