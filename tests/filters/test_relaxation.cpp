// Relaxing: energies only fall, both methods reach the same minimum, pins stay, particles move no farther
// than allowed, noise is the same for a seed and put back with the memory, and a chain relaxes to its closed
// form.
#include "taut/filters/relaxation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "filters/filter_probe.hpp"
#include "taut/base/error.hpp"
#include "taut/base/parallel.hpp"
#include "taut/forces/bend_springs.hpp"
#include "taut/forces/gravity.hpp"
#include "taut/forces/isometric_bending.hpp"
#include "taut/forces/shear_springs.hpp"
#include "taut/forces/stiff_springs.hpp"
#include "taut/forces/velocity_damping.hpp"
#include "taut/integrators/viscous_fall.hpp"

namespace taut::filters::relaxation_tests {
namespace {

using testing::FilterProbe;
using Forces = std::vector<std::unique_ptr<Force>>;

Forces cloth_forces(double gravity = 9.81) {
    Forces forces;
    forces.push_back(std::make_unique<forces::Gravity>(forces::GravityParams{Vec3(0, 0, -gravity), 0}));
    forces.push_back(std::make_unique<forces::StiffSprings>(forces::StiffSpringsParams{200}));
    forces.push_back(std::make_unique<forces::ShearSprings>(forces::ShearSpringsParams{1}));
    forces.push_back(std::make_unique<forces::IsometricBending>(forces::IsometricBendingParams{1e-4, 1e-4}));
    return forces;
}

struct Relaxed {
    Relaxed(Model model, RelaxationParams params, Forces forces_, const std::vector<int>& pins = {})
        : forces(std::move(forces_)),
          probe(std::move(model), std::make_unique<Relaxation>(std::move(params)), pins) {
        for (auto& force : forces) force->prepare(probe.model);
        probe.context.relax = forces;
    }
    double energy(ConstPoints x) const {
        double sum = 0;
        for (const auto& force : forces) sum += force->energy(x);
        return sum;
    }
    // Largest force on a particle that no pin holds [N].
    double force(ConstPoints x) const {
        Points f(x.size(), Vec3::Zero());
        const Points still(x.size(), Vec3::Zero());
        for (const auto& one : forces) one->add_force({x, still, 0}, f);
        double most = 0;
        for (std::size_t i = 0; i < f.size(); ++i) {
            if (!probe.context.pinned[i]) most = std::max(most, f[i].norm());
        }
        return most;
    }
    Forces forces;
    FilterProbe probe;
};

RelaxationParams with(const std::string& method, int iterations, double tolerance = 0) {
    RelaxationParams params;
    params.method = method;
    params.iterations = iterations;
    params.tolerance = tolerance;
    return params;
}

TEST(Relaxation, EverySweepLowersTheEnergy) {
    for (const char* method : {"gradient", "newton"}) {
        Relaxed cloth(testing::sheet(9, 8), with(method, 1), cloth_forces(), {0, 8});
        const Points rough = testing::blown(cloth.probe.model, 0.03, 17);
        cloth.probe.apply(rough);
        double before = cloth.energy(rough);
        for (int sweep = 0; sweep < 30; ++sweep) {
            cloth.probe.again();
            const double after = cloth.energy(cloth.probe.end());
            EXPECT_LE(after, before + 1e-12) << method << " " << sweep;
            before = after;
        }
        EXPECT_LT(before, cloth.energy(rough) - 1e-3);
    }
}

TEST(Relaxation, BothMethodsEndWhereForcesBalance) {
    Points ends[2];
    double energies[2];
    for (int k : {0, 1}) {
        Relaxed cloth(
            testing::chain(12), with(k == 0 ? "gradient" : "newton", k == 0 ? 20000 : 200),
            [] {
                Forces forces;
                forces.push_back(std::make_unique<forces::Gravity>(forces::GravityParams{}));
                forces.push_back(std::make_unique<forces::StiffSprings>(forces::StiffSpringsParams{20}));
                return forces;
            }(),
            {0, 11});
        cloth.probe.apply(testing::blown(cloth.probe.model, 0.1, 5));
        ends[k] = cloth.probe.end();
        energies[k] = cloth.energy(ends[k]);
        EXPECT_LT(cloth.force(ends[k]), k == 0 ? 1e-4 : 1e-7);
    }
    EXPECT_NEAR(energies[0], energies[1], 1e-8);
    EXPECT_LT(testing::farthest(ends[0], ends[1]), 1e-3);
}

// Newton needs few sweeps where springs are stiff, if forces give their Hessians.
TEST(Relaxation, NewtonTakesFewSweeps) {
    RelaxationParams params = with("newton", 400, 1e-6);
    params.max_move = 0.5;
    Forces forces = cloth_forces();
    forces[2] = std::make_unique<forces::BendSprings>(forces::BendSpringsParams{});
    Relaxed cloth(testing::sheet(12, 12), params, std::move(forces), {0, 11});
    const FilterReport report = cloth.probe.apply(testing::blown(cloth.probe.model, 0.03, 3));
    EXPECT_LT(report.iterations, 400);
    EXPECT_LT(cloth.force(cloth.probe.end()), 1e-5);
}

TEST(Relaxation, ParticlesMoveNoFartherThanAllowed) {
    for (const char* method : {"gradient", "newton"}) {
        RelaxationParams params = with(method, 1);
        params.max_move = 0.02;
        Relaxed cloth(testing::sheet(6, 6), params, cloth_forces());
        const Points rough = testing::blown(cloth.probe.model, 0.1, 4);
        cloth.probe.apply(rough);
        const double edge = cloth.probe.model.rest_length[0];
        EXPECT_LE(testing::farthest(cloth.probe.end(), rough), 2 * 0.02 * edge * (1 + 1e-9)) << method;
        EXPECT_GT(testing::farthest(cloth.probe.end(), rough), 0) << method;
    }
}

TEST(Relaxation, PinsStay) {
    RelaxationParams params = with("gradient", 20);
    params.noise = 0.05;
    Relaxed cloth(testing::sheet(6, 6), params, cloth_forces(), {0, 5, 20});
    cloth.probe.apply(testing::blown(cloth.probe.model, 0.05, 4));
    for (std::size_t v : {0u, 5u, 20u}) EXPECT_EQ(cloth.probe.end()[v], cloth.probe.model.rest[v]);
}

TEST(Relaxation, NoiseFollowsTheSeedAndItsMemory) {
    RelaxationParams params = with("gradient", 5);
    params.noise = 0.05;
    const auto run = [&](int seed) {
        params.seed = seed;
        Relaxed cloth(testing::sheet(6, 6), params, cloth_forces(), {0});
        cloth.probe.apply(cloth.probe.model.rest);
        return cloth.probe.end();
    };
    EXPECT_EQ(run(1), run(1));
    EXPECT_NE(run(1), run(2));

    // A step that is thrown away leaves no trace.
    Relaxed cloth(testing::sheet(6, 6), params, cloth_forces(), {0});
    const auto blocks = cloth.probe.filter->memory();
    const std::vector<double> saved = *blocks[0].data;
    cloth.probe.apply(cloth.probe.model.rest);
    const Points first = cloth.probe.end();
    cloth.probe.apply(cloth.probe.model.rest);
    EXPECT_NE(cloth.probe.end(), first);
    *blocks[0].data = saved;
    cloth.probe.apply(cloth.probe.model.rest);
    EXPECT_EQ(cloth.probe.end(), first);
}

// A sheet pressed flat rests on a ridge; noise takes it off, nothing else does.
TEST(Relaxation, NoiseTakesASheetOffItsRidge) {
    for (double noise : {0.0, 0.02}) {
        Model model = testing::chain(9);
        RelaxationParams params = with("newton", 200);
        params.noise = noise;
        Forces forces;
        forces.push_back(std::make_unique<forces::StiffSprings>(forces::StiffSpringsParams{100}));
        Relaxed cloth(std::move(model), params, std::move(forces), {0, 8});
        for (std::size_t i = 0; i < 9; ++i) cloth.probe.start.x[i].x() *= 0.9;
        cloth.probe.context.pin_target[8] = cloth.probe.start.x[8];
        cloth.probe.context.pin_target[0] = cloth.probe.start.x[0];
        cloth.probe.apply(cloth.probe.start.x);
        const double energy = cloth.energy(cloth.probe.end());
        if (noise > 0) {
            EXPECT_LT(energy, 1e-6);
        } else {
            EXPECT_NEAR(energy, 0.5 * 100 * 0.01, 1e-6);
        }
    }
}

TEST(Relaxation, SameBitsForAnyThreadCountWithForces) {
    for (const char* method : {"gradient", "newton"}) {
        Points ends[2];
        for (int threads : {1, 2}) {
            ThreadLimit limit(threads);
            RelaxationParams params = with(method, 4);
            params.noise = 0.01;
            Relaxed cloth(testing::sheet(50, 40), params, cloth_forces(), {0, 49});
            cloth.probe.apply(testing::blown(cloth.probe.model, 0.01, 17));
            ends[threads - 1] = cloth.probe.end();
        }
        EXPECT_EQ(ends[0], ends[1]) << method;
    }
}

TEST(Relaxation, ForcesWithoutAnEnergyAreRefused) {
    Model model = testing::chain(3);
    State start = testing::at_rest(model);
    Pipeline pipeline =
        testing::pipeline(std::make_unique<integrators::ViscousFall>(),
                          std::make_unique<forces::VelocityDamping>(forces::VelocityDampingParams{}));
    pipeline.relax_alone = 1;
    EXPECT_THROW(Simulation(std::move(model), std::move(start), std::move(pipeline), {}), InputError);
}

// The three phases together: a chain that hangs comes to rest with every spring bearing what hangs on it.
TEST(Relaxation, ThePhasesTogetherComeToRest) {
    for (const char* method : {"gradient", "newton"}) {
        Model model = testing::chain(6);
        State start = testing::at_rest(model);
        for (std::size_t i = 0; i < start.x.size(); ++i) start.x[i] = Vec3(0, 0, -0.2 * double(i));
        model.pins.push_back(testing::pin({0}, start.x));
        Pipeline pipeline =
            testing::pipeline(std::make_unique<integrators::ViscousFall>(integrators::ViscousFallParams{2}),
                              std::make_unique<forces::Gravity>(forces::GravityParams{}),
                              std::make_unique<forces::StiffSprings>(forces::StiffSpringsParams{20}));
        pipeline.shared = 1;
        pipeline.relax_alone = 1;
        pipeline.filters.push_back(std::make_unique<Relaxation>(with(method, 2000, 1e-9)));
        double expected = 0, borne = 0;
        for (std::size_t i = 5; i > 0; --i) {
            borne += model.mass[i] * 9.81;
            expected += borne * 0.2 / 20;
        }
        RunSettings settings;
        settings.duration = 0.2;
        Simulation simulation(std::move(model), std::move(start), std::move(pipeline), settings);
        EXPECT_EQ(simulation.run({}), RunOutcome::finished);
        EXPECT_NEAR(-simulation.state().x[5].z() - 1, expected, 1e-5) << method;
        EXPECT_LT(simulation.state().v[5].norm(), 1e-3) << method;
    }
}

}  // namespace
}  // namespace taut::filters::relaxation_tests
