// Scenes of the particles of House, DeVaul and Breen 1996: torques keep yarns straight (their Figure 12), and
// the three-phase drape comes to rest over a table.
#include <gtest/gtest.h>

#include <cmath>

#include "physics/named_scene.hpp"

namespace taut {
namespace {

// Mean turn of all yarns of a square grid of n x n vertices, at every vertex within them [rad].
double mean_turn(const Points& x, int first, int n) {
    double sum = 0;
    long count = 0;
    const auto turn = [&](int vertex, int stride) {
        const std::size_t i = std::size_t(first + vertex), s = std::size_t(stride);
        const Vec3 a = x[i] - x[i - s], b = x[i + s] - x[i];
        sum += std::atan2(a.cross(b).norm(), a.dot(b));
        ++count;
    };
    for (int j = 0; j < n; ++j) {
        for (int i = 1; i + 1 < n; ++i) {
            turn(j * n + i, 1);
            turn(i * n + j, n);
        }
    }
    return sum / double(count);
}

TEST(ParticleScenes, TorquesKeepRowsNearlyStraight) {
    const auto simulation = named("alignment");
    ASSERT_EQ(simulation->run({}), RunOutcome::finished);
    const Model& model = simulation->model();
    ASSERT_EQ(model.cloths.size(), 2u);
    const double loose = mean_turn(simulation->state().x, model.cloths[0].first_vertex, 17);
    const double cloth = mean_turn(simulation->state().x, model.cloths[1].first_vertex, 17);
    RecordProperty("loose", std::to_string(loose));
    RecordProperty("cloth", std::to_string(cloth));
    EXPECT_GT(loose, 0.2);
    EXPECT_LT(cloth, 0.02);
}

class Energies final : public Observer {
public:
    void step(const Simulation&, const StepReport& report) override {
        if (first < 0) first = report.energy();
        last = report;
    }
    double first = -1;  // after the first step [J]
    StepReport last;
};

// Coarse, to be quick: the drape loses the energy of its fall, stands still, and stays out of the table.
TEST(ParticleScenes, TheDrapeComesToRest) {
    const auto simulation =
        named("breen_table", {"cloths/cloth/nu=21", "cloths/cloth/nv=21", "run/duration=1.2"});
    Energies energies;
    ASSERT_EQ(simulation->run({&energies}), RunOutcome::finished);
    EXPECT_LT(energies.last.energy(), energies.first);
    EXPECT_LT(energies.last.kinetic, 1e-4);
    EXPECT_LT(energies.last.warp.mean, 0.03);
    EXPECT_LT(energies.last.weft.mean, 0.03);
    EXPECT_LT(energies.last.filters.back().residual, 1e-6);
}

}  // namespace
}  // namespace taut
