// Pins in the header of the animation cache: paths come back to the bit, forged ones are refused, and runs
// recorded before there were pins can go on.
#include <cmath>

#include "io/reforged_cache.hpp"
#include "io/small_run.hpp"
#include "taut/io/cache_header.hpp"

namespace taut::io {
namespace {

using namespace taut::tests;

PinGroup swinging() {
    PinGroup pin;
    pin.name = "swing \"it\"";
    pin.vertices = {0, 3};
    pin.anchor = {Vec3(1.0 / 3, 0, -0.0), Vec3(1e-300, 2, 0.1)};
    pin.motion = Motion({{0, Vec3(0.1, 0, 0), Vec3::Zero()}, {1.0 / 7, Vec3(0, 0.7, 0), Vec3(0, 0, 9.1)}},
                        Vec3(0.3, 1e-7, 0), Interpolation::smooth);
    pin.release = 2.0 / 3;
    return pin;
}

CacheHeader pinned_header() {
    CacheHeader header = small_header();
    PinGroup still;
    still.name = "still";
    still.vertices = {7};
    still.anchor = {Vec3(1, 2, 3)};
    header.pins = {still, swinging()};
    return header;
}

TEST(CachePins, ComeBackToTheBit) {
    const TemporaryFolder folder;
    small_cache(folder, pinned_header(), 2);
    CacheReader reader(folder / "cache.taut");
    EXPECT_EQ(reader.version(), cache_version);
    EXPECT_EQ(reader.read(1).x, small_frame(1).x);
    ASSERT_TRUE(reader.header().pins);
    const std::vector<PinGroup>& pins = *reader.header().pins;
    ASSERT_EQ(pins.size(), 2u);
    EXPECT_EQ(pins[0].release, INFINITY);
    EXPECT_FALSE(pins[0].motion.moving());
    const PinGroup wanted = swinging();
    EXPECT_EQ(pins[1].name, wanted.name);
    EXPECT_EQ(pins[1].vertices, wanted.vertices);
    EXPECT_EQ(pins[1].anchor, wanted.anchor);
    EXPECT_EQ(pins[1].release, wanted.release);
    for (const double t : {-1.0, 0.0, 0.01, 0.1, 1.0 / 7, 5.0}) {
        EXPECT_EQ(pins[0].target(0, t), Vec3(1, 2, 3));
        EXPECT_EQ(pins[1].target(1, t), wanted.target(1, t)) << t;
    }
}

TEST(CachePins, NoPinsAreNotTheSameAsNoneRecorded) {
    const TemporaryFolder folder;
    small_cache(folder, small_header(), 1);
    EXPECT_FALSE(CacheReader(folder / "cache.taut").header().pins);
    CacheHeader header = small_header();
    header.pins.emplace();
    header.judged_before = true;
    small_cache(folder, header, 1);
    const CacheHeader got = CacheReader(folder / "cache.taut").header();
    ASSERT_TRUE(got.pins);
    EXPECT_TRUE(got.pins->empty());
    EXPECT_TRUE(got.judged_before);
}

TEST(CachePins, BadPinsAreNotWritten) {
    const auto refused = [](auto change) {
        CacheHeader header = pinned_header();
        change((*header.pins)[1]);
        input_error([&] { check_cache_header(header, "cache.taut"); });
    };
    refused([](PinGroup& pin) { pin.vertices[0] = 8; });
    refused([](PinGroup& pin) { pin.vertices[0] = -1; });
    refused([](PinGroup& pin) { pin.anchor.pop_back(); });
    refused([](PinGroup& pin) { pin.anchor[1].z() = NAN; });
    refused([](PinGroup& pin) { pin.release = NAN; });
}

TEST(CachePins, ForgedPinsAreRefused) {
    const TemporaryFolder folder;
    const std::string good = bytes_of(small_cache(folder, pinned_header(), 1));
    const auto refusal = [&](const std::function<void(nlohmann::ordered_json&)>& change) {
        put_bytes(folder / "forged", reforge(good, [&](auto& j) { change(j["pins"]); }));
        return input_error([&] { CacheReader{folder / "forged"}; });
    };
    for (const char* count : {"-1", "0", "1", "3", "1.5", "2000000000", "4000000000", "1e300", "null", "[2]"})
        refusal([&](auto& pins) { pins[1]["count"] = nlohmann::ordered_json::parse(count); });
    for (const char* key : {"name", "count", "center", "interpolation", "keys"})
        EXPECT_NE(refusal([&](auto& pins) { pins[1].erase(key); }).find(key), std::string::npos);
    for (const char* key : {"time", "translate", "rotate"})
        EXPECT_NE(refusal([&](auto& pins) { pins[1]["keys"][1].erase(key); }).find(key), std::string::npos);
    EXPECT_NE(refusal([](auto& pins) { pins[1]["keys"][1]["time"] = -1; }).find("times of keyframes"),
              std::string::npos);
    refusal([](auto& pins) { pins = 7; });
    refusal([](auto& pins) { pins[0] = 7; });
    refusal([](auto& pins) { pins.erase(1); });
    refusal([](auto& pins) { pins[1]["release"] = "never"; });
    refusal([](auto& pins) { pins[1]["interpolation"] = "rough"; });
    refusal([](auto& pins) { pins[1]["center"] = {1, 2}; });
    refusal([](auto& pins) { pins[1]["keys"][0]["rotate"] = {1, 2, "3"}; });
}

TEST(CachePins, ARunGoesOnWhereTheyWereNotRecorded) {
    const TemporaryFolder folder;
    small_cache(folder, small_header(), 3);
    CacheWriter(folder / "cache.taut", pinned_header(), 2).append(small_frame(2));
    CacheReader reader(folder / "cache.taut");
    EXPECT_EQ(reader.frames(), 3);
    EXPECT_TRUE(reader.header().pins);
    CacheHeader other = pinned_header();
    (*other.pins)[1].anchor[0].x() += 1e-9;
    EXPECT_NE(input_error([&] { CacheWriter(folder / "cache.taut", other, 1); }).find("another run"),
              std::string::npos);
}

}  // namespace
}  // namespace taut::io
