// Pins that a deforming obstacle carries: the verification follows them from the recorded points of the
// obstacle alone, and finds one that was moved.
#include <Eigen/Geometry>

#include "io/reforged_cache.hpp"
#include "io/small_run.hpp"
#include "taut/io/cache_header.hpp"
#include "taut/io/verify.hpp"

namespace taut::io {
namespace {

using namespace taut::tests;

// The chain of the small run rides on a plate that shifts and turns, far from the other cloth.
struct CarriedRun {
    explicit CarriedRun(bool rigid) {
        header = small_header();
        header.tolerance = 0;
        collision::Obstacle plate;
        plate.name = "plate";
        plate.shape = collision::Shape::mesh;
        auto mesh = std::make_shared<collision::ObstacleMesh>();
        mesh->rest = {Vec3(-10, -1, -5), Vec3(-8, -1, -5), Vec3(-8, 3, -5), Vec3(-10, 3, -5)};
        mesh->triangles = {{0, 1, 2}, {0, 2, 3}};
        plate.mesh = mesh;
        header.obstacles = {plate};
        header.deforming = {1};
        PinGroup pin;
        pin.name = "belt";
        pin.vertices = {5, 6, 7};
        pin.anchor = {Vec3(-9, 0, 0), Vec3(-9, 0.5, 0), Vec3(-9, 1, 0)};
        pin.body = 0;
        pin.rigid = rigid;
        header.pins.emplace().push_back(pin);
        for (int k = 0; k < 4; ++k) {
            CacheFrame& frame = frames.emplace_back(small_frame(k));
            const auto move = [&](const Vec3& p) -> Vec3 {
                return Eigen::AngleAxisd(0.2 * k, Vec3(0, 0.6, 0.8)) * p + Vec3(0.1 * k, 0, -0.3 * k);
            };
            frame.obstacles.resize(1);
            frame.obstacles[0] = {};
            frame.deformed = {mesh->rest};
            for (Vec3& p : frame.deformed[0]) p = move(p);
            for (std::size_t i = 0; i < 3; ++i) frame.x[5 + i] = move(pin.anchor[i]);
        }
    }
    VerifyReport verify() const {
        CacheWriter writer(folder / "cache.taut", header);
        for (const CacheFrame& frame : frames) writer.append(frame);
        VerifyOptions options;
        options.intersections = false;
        return verify_run(folder / "cache.taut", {}, options);
    }

    TemporaryFolder folder;
    CacheHeader header;
    std::vector<CacheFrame> frames;
};

TEST(VerifyPins, CarriedOnesAreFollowed) {
    for (const bool rigid : {false, true}) {
        CarriedRun run(rigid);
        VerifyReport report = run.verify();
        EXPECT_TRUE(report.good());
        EXPECT_EQ(report.frames.pinned, 12);
        EXPECT_LT(report.frames.pin_error, 1e-13);

        run.frames[2].x[6].y() += 1e-9;
        report = run.verify();
        ASSERT_EQ(report.list.size(), 1u);
        EXPECT_EQ(report.list[0].check, Check::pins);
        EXPECT_EQ(report.list[0].index, 2);
        EXPECT_EQ(report.list[0].note, "belt");
        EXPECT_NEAR(report.list[0].value, 1e-9, 1e-12);
    }
}

TEST(VerifyPins, ABodyThatMovesAwayIsFound) {
    CarriedRun run(false);
    for (Vec3& p : run.frames[3].deformed[0]) p.x() += 1e-6;
    const VerifyReport report = run.verify();
    EXPECT_EQ(report.list.size(), 3u);
    EXPECT_EQ(report.list[0].index, 3);
}

TEST(VerifyPins, BodiesMustDeform) {
    CarriedRun run(false);
    (*run.header.pins)[0].body = 1;
    input_error([&] { check_cache_header(run.header, "cache.taut"); });
    (*run.header.pins)[0].body = 0;
    run.header.deforming = {0};
    input_error([&] { check_cache_header(run.header, "cache.taut"); });

    CarriedRun other(true);
    other.verify();
    const std::string good = bytes_of(other.folder / "cache.taut");
    for (const char* body : {"-1", "1", "1e300", "null", "0.5"}) {
        put_bytes(other.folder / "forged", reforge(good, [&](auto& j) {
                      j["pins"][0]["body"] = nlohmann::ordered_json::parse(body);
                  }));
        input_error([&] { CacheReader{other.folder / "forged"}; });
    }
}

}  // namespace
}  // namespace taut::io
