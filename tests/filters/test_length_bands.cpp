// Bands of lengths that contacts keep: edges by the promised strain, seams by time, diagonals by thickness.
#include "taut/filters/length_bands.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sim/cloths.hpp"

namespace taut::filters {
namespace {

struct BandProbe {
    Model model;
    collision::Surface surface;
    State start;
    StepContext context;
    LengthBands bands;

    explicit BandProbe(Model made) : model(std::move(made)) {
        surface = collision::make_surface(model, {}, 1e-3);
        start = testing::at_rest(model);
        context.model = &model;
        context.start = &start;
    }
    std::span<const LengthBand> at(double time, double strain) {
        start.t = time;
        context.dt = 0;
        context.strain_limit = strain;
        bands.set(context, &surface);
        return bands.all();
    }
};

TEST(LengthBands, EdgesStayInsideThePromisedStrain) {
    BandProbe probe(testing::sheet(3, 3));
    const auto bands = probe.at(0, 0.01);
    ASSERT_EQ(bands.size(), 12u + 8u);  // edges, and two diagonals of four cells
    for (const LengthBand& band : bands.first(12)) {
        EXPECT_GT(band.low, 0.5 * 0.99);
        EXPECT_LT(band.high, 0.5 * 1.01);
        EXPECT_LT(band.low, 0.5);
        EXPECT_GT(band.high, 0.5);
    }
}

TEST(LengthBands, DiagonalsEndBeforeOppositeSidesTouch) {
    BandProbe probe(testing::sheet(3, 3, 0.02, 0.02));
    for (const LengthBand& band : probe.at(0, 0.001).subspan(12)) {
        EXPECT_EQ(band.low, 0);
        // A rhombus of side l and long diagonal d has sides d sqrt(1 - d^2 / 4 l^2) apart.
        const double l = 0.01, d = band.high, apart = d * std::sqrt(1 - d * d / (4 * l * l));
        EXPECT_NEAR(apart, 1.2e-3, 1e-9);
    }
}

TEST(LengthBands, SeamsFollowTheirLengthInTime) {
    Model model = testing::sheet(3, 3);
    Seam seam;
    seam.pairs = {{0, 8}, {2, 6}};
    seam.gap = {1, 0.8};
    seam.length = 0.1;
    seam.close_end = 2;
    model.seams.push_back(seam);
    BandProbe probe(model);
    for (double time : {0.0, 0.7, 1.0, 2.0, 5.0}) {
        const auto bands = probe.at(time, 0.01);
        for (std::size_t k = 0; k < 2; ++k) {
            EXPECT_EQ(bands[k].a, seam.pairs[k][0]);
            EXPECT_NEAR(0.5 * (bands[k].low + bands[k].high), seam.distance(k, time), 1e-12) << time;
        }
    }
}

TEST(LengthBands, ThereAreNoneWithoutAPromise) {
    BandProbe probe(testing::sheet(3, 3));
    EXPECT_TRUE(probe.at(0, std::numeric_limits<double>::infinity()).empty());
    EXPECT_FALSE(probe.at(0, 0.01).empty());
    EXPECT_TRUE(probe.at(0, std::numeric_limits<double>::infinity()).empty());
}

}  // namespace
}  // namespace taut::filters
