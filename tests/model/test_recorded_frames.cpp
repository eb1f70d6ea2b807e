// Recorded frames: exact at the frames, smooth or straight between them, at rest outside.
#include "taut/model/recorded_frames.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "taut/base/error.hpp"

namespace taut {
namespace {

using Frame = RecordedFrames::Frame;

// Two points over five frames.
std::vector<Frame> frames() {
    std::vector<Frame> list;
    for (int k = 0; k < 5; ++k) {
        const auto s = static_cast<float>(k);
        list.push_back({{s * s, 1 - s, 0.1f}, {0.3f, std::sin(s), -s}});
    }
    return list;
}

Points at(const RecordedFrames& recorded, double time) {
    Points x(2);
    recorded.at(time, x);
    return x;
}

Points of(const Frame& frame) { return {frame[0].cast<double>(), frame[1].cast<double>()}; }

TEST(RecordedFrames, PassesThroughEveryFrame) {
    for (const Interpolation kind : {Interpolation::linear, Interpolation::smooth}) {
        const RecordedFrames recorded(frames(), 4, 0.5, kind);
        for (std::size_t k = 0; k < 5; ++k)
            EXPECT_EQ(at(recorded, 0.5 + 0.25 * static_cast<double>(k)), of(frames()[k])) << k;
        EXPECT_EQ(recorded.start(), 0.5);
        EXPECT_EQ(recorded.end(), 1.5);
    }
}

TEST(RecordedFrames, RestsBeforeAndAfter) {
    for (const Interpolation kind : {Interpolation::linear, Interpolation::smooth}) {
        const RecordedFrames recorded(frames(), 4, 0.5, kind);
        for (const double time : {-1e300, -1.0, 0.499}) EXPECT_EQ(at(recorded, time), of(frames().front()));
        for (const double time : {1.501, 9.0, 1e300}) EXPECT_EQ(at(recorded, time), of(frames().back()));
    }
}

TEST(RecordedFrames, LinearGoesStraight) {
    const RecordedFrames recorded(frames(), 1, 0, Interpolation::linear);
    EXPECT_NEAR((at(recorded, 2.25)[0] - Vec3(0.75 * 4 + 0.25 * 9, -1.25, 0.1f)).norm(), 0, 1e-14);
}

TEST(RecordedFrames, SmoothFollowsAParabolaExactlyInside) {
    // Catmull and Rom reproduce s^2, away from the ends where the velocity is zero instead.
    const RecordedFrames recorded(frames(), 1, 0, Interpolation::smooth);
    for (const double s : {1.1, 1.5, 1.9, 2.5, 2.7}) EXPECT_NEAR(at(recorded, s)[0].x(), s * s, 1e-13);
}

TEST(RecordedFrames, SmoothHasAContinuousVelocityEverywhere) {
    const RecordedFrames recorded(frames(), 4, 0.5, Interpolation::smooth);
    const double h = 1e-5;
    const auto velocity = [&](double from, double to) {
        return Vec3((at(recorded, to)[1] - at(recorded, from)[1]) / (to - from));
    };
    for (int k = 0; k < 5; ++k) {
        const double t = 0.5 + 0.25 * k;
        EXPECT_NEAR((velocity(t - h, t) - velocity(t, t + h)).norm(), 0, 5e-3) << k;
    }
    EXPECT_NEAR(velocity(0.5, 0.5 + h).norm(), 0, 1e-2);
    EXPECT_NEAR(velocity(1.5 - h, 1.5).norm(), 0, 1e-2);
    const Vec3 chord = (frames()[3][1] - frames()[1][1]).cast<double>() / 0.5;
    EXPECT_NEAR((velocity(1 - h, 1 + h) - chord).norm(), 0, 1e-4);
}

TEST(RecordedFrames, TwoFramesAreEnough) {
    const RecordedFrames recorded({frames()[0], frames()[2]}, 10, 0, Interpolation::smooth);
    EXPECT_NEAR((at(recorded, 0.05)[0] - Vec3(2, 0, 0.1f)).norm(), 0, 1e-7);
}

TEST(RecordedFrames, ContentIsWhatWasRecorded) {
    const RecordedFrames one(frames(), 4, 0, Interpolation::linear),
        again(frames(), 9, 1, Interpolation::smooth);
    EXPECT_EQ(one.content(), again.content());
    auto changed = frames();
    changed[3][1].z() += 1e-6f * 4;
    EXPECT_NE(one.content(), RecordedFrames(changed, 4, 0, Interpolation::linear).content());
    changed = frames();
    changed.pop_back();
    EXPECT_NE(one.content(), RecordedFrames(changed, 4, 0, Interpolation::linear).content());
}

TEST(RecordedFrames, RefusesWhatIsNoRecording) {
    const auto make = [](std::vector<Frame> list, double fps, double start) {
        RecordedFrames(std::move(list), fps, start, Interpolation::linear);
    };
    EXPECT_THROW(make({}, 1, 0), InputError);
    EXPECT_THROW(make({frames()[0]}, 1, 0), InputError);
    for (const double fps : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
        EXPECT_THROW(make(frames(), fps, 0), InputError);
    EXPECT_THROW(make(frames(), 1, std::nan("")), InputError);
    EXPECT_THROW(make({frames()[0], {frames()[0][0]}}, 1, 0), InputError);
}

}  // namespace
}  // namespace taut
