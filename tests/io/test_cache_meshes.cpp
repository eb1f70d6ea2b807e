// Obstacles that are meshes in the animation cache: headers and frames come back to the bit, older files
// are read, and forged ones refused.
#include "io/reforged_cache.hpp"
#include "io/small_run.hpp"
#include "io/temporary_folder.hpp"
#include "taut/io/cache.hpp"
#include "taut/io/cache_header.hpp"
#include "taut/io/cache_recorder.hpp"

namespace taut::io {
namespace {

using namespace taut::tests;

// Rises as it is told to; sways besides, so that no two times look alike.
struct Swaying final : Deformation {
    void at(double time, PointsView x) const override {
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] = Vec3(static_cast<double>(i), std::sin(time + static_cast<double>(i)), 1.0 / 3);
    }
};

collision::Obstacle body(bool deforming) {
    collision::Obstacle o;
    o.name = deforming ? "body" : "stone";
    o.shape = collision::Shape::mesh;
    collision::ObstacleMesh mesh{{{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}},
                                 {{0, 0, 0}, {0.1, 0, 0}, {0, 1.0 / 3, 0}, {0, 0, 1e-7}},
                                 nullptr};
    if (deforming) mesh.deformation = std::make_shared<Swaying>();
    o.mesh = std::make_shared<const collision::ObstacleMesh>(std::move(mesh));
    o.motion = Motion({{0, Vec3::Zero(), Vec3::Zero()}, {1, Vec3(0, 0, 2), Vec3(0.3, 0, 0)}}, Vec3::Zero(),
                      Interpolation::linear);
    return o;
}

// The small run with a still and a deforming mesh besides.
CacheHeader mesh_header() {
    CacheHeader header = small_header();
    header.obstacles.push_back(body(false));
    header.obstacles.push_back(body(true));
    header.deforming = {0, 0, 0, 1};
    return header;
}

CacheFrame mesh_frame(int k) {
    CacheFrame frame = small_frame(k);
    place_obstacles(mesh_header().obstacles, frame);
    return frame;
}

void write_meshes(const std::filesystem::path& file, int frames) {
    CacheWriter writer(file, mesh_header());
    for (int k = 0; k < frames; ++k) writer.append(mesh_frame(k));
}

TEST(CacheMeshes, HeaderAndFramesComeBack) {
    const TemporaryFolder folder;
    write_meshes(folder / "cache.taut", 3);
    CacheReader reader(folder / "cache.taut");
    const CacheHeader& header = reader.header();
    EXPECT_EQ(reader.version(), cache_version);
    EXPECT_EQ(header.obstacles[3].name, "body");
    EXPECT_EQ(header.obstacles[3].shape, collision::Shape::mesh);
    EXPECT_EQ(header.obstacles[3].mesh->triangles, body(true).mesh->triangles);
    EXPECT_EQ(header.obstacles[3].mesh->rest, body(true).mesh->rest);
    EXPECT_EQ(header.deforming, (std::vector<std::uint8_t>{0, 0, 0, 1}));
    EXPECT_FALSE(header.obstacles[0].mesh);
    ASSERT_EQ(reader.frames(), 3);
    for (int k = 0; k < 3; ++k) {
        const CacheFrame got = reader.read(k), wanted = mesh_frame(k);
        EXPECT_EQ(got.x, wanted.x);
        EXPECT_EQ(got.deformed, wanted.deformed);
        EXPECT_EQ(got.deformed[3], collision::points_at(body(true), wanted.t));
        EXPECT_TRUE(got.deformed[2].empty());
        EXPECT_EQ(obstacle_points(header, got, 3), collision::points_at(body(true), wanted.t));
        EXPECT_EQ(obstacle_points(header, got, 2), collision::points_at(body(false), wanted.t));
    }
}

TEST(CacheMeshes, FramesMustHoldThePointsOfWhatDeforms) {
    const TemporaryFolder folder;
    CacheWriter writer(folder / "cache.taut", mesh_header());
    const auto refused = [&](auto change) {
        CacheFrame frame = mesh_frame(0);
        change(frame);
        EXPECT_THROW(writer.append(frame), std::logic_error);
    };
    refused([](CacheFrame& frame) { frame.deformed.clear(); });
    refused([](CacheFrame& frame) { frame.deformed[3].pop_back(); });
    refused([](CacheFrame& frame) { frame.deformed[2] = frame.deformed[3]; });
    refused([](CacheFrame& frame) { frame.deformed.push_back(frame.deformed[3]); });
    EXPECT_NO_THROW(writer.append(mesh_frame(0)));
}

TEST(CacheMeshes, BadMeshesAreNotWritten) {
    const auto refusal = [](auto change) {
        CacheHeader header = mesh_header();
        collision::ObstacleMesh mesh = *header.obstacles[3].mesh;
        change(header, mesh);
        if (header.obstacles[3].mesh)
            header.obstacles[3].mesh = std::make_shared<const collision::ObstacleMesh>(mesh);
        return input_error([&] { check_cache_header(header, "cache.taut"); });
    };
    using Mesh = collision::ObstacleMesh;
    refusal([](CacheHeader&, Mesh& mesh) { mesh.triangles.clear(); });
    refusal([](CacheHeader&, Mesh& mesh) { mesh.triangles[1][1] = 4; });
    refusal([](CacheHeader&, Mesh& mesh) { mesh.triangles[1][1] = -1; });
    refusal([](CacheHeader&, Mesh& mesh) { mesh.rest[2].y() = std::nan(""); });
    refusal([](CacheHeader& header, Mesh&) { header.obstacles[3].mesh = nullptr; });
    EXPECT_NE(refusal([](CacheHeader& header, Mesh&) { header.deforming[0] = 1; }).find("no mesh"),
              std::string::npos);
}

TEST(CacheMeshes, DamageIsNoticed) {
    const TemporaryFolder folder;
    write_meshes(folder / "cache.taut", 2);
    const std::string good = bytes_of(folder / "cache.taut");
    const std::size_t frame = cache_frame_bytes(mesh_header());
    std::string flipped = good;
    flipped[good.size() - 20] ^= 1;  // a deformed point of the last frame
    put_bytes(folder / "flipped", flipped);
    CacheReader reader(folder / "flipped");
    EXPECT_NO_THROW(reader.read(0));
    EXPECT_NE(input_error([&] { reader.read(1); }).find("damaged"), std::string::npos);
    put_bytes(folder / "cut", good.substr(0, good.size() - 1));
    EXPECT_EQ(CacheReader(folder / "cut").frames(), 1);
    EXPECT_EQ(good.size() % 8, 0u);
    EXPECT_EQ((good.size() - 2 * frame) % 8, 0u);
    std::string header = good;
    header[good.size() - 2 * frame - 12] ^= 1;  // a triangle
    put_bytes(folder / "header", header);
    input_error([&] { CacheReader{folder / "header"}; });
}

TEST(CacheMeshes, ForgedHeadersAreRefused) {
    const TemporaryFolder folder;
    write_meshes(folder / "cache.taut", 1);
    const std::string good = bytes_of(folder / "cache.taut");
    put_bytes(folder / "same", reforge(good, [](auto&) {}));
    EXPECT_EQ(bytes_of(folder / "same"), good);
    const auto refusal = [&](const char* key, const nlohmann::ordered_json& value) {
        put_bytes(folder / "forged", reforge(good, [&](auto& j) { j["obstacles"][3][key] = value; }));
        return input_error([&] { CacheReader{folder / "forged"}; });
    };
    for (const char* key : {"points", "triangles"}) {
        for (const char* value :
             {"-1", "0", "3", "5", "1.5", "2000000000", "4000000000", "1e300", "null", "\"4\"", "[4]"})
            refusal(key, nlohmann::ordered_json::parse(value));
    }
    EXPECT_NE(refusal("deforming", 1).find("'deforming'"), std::string::npos);
    refusal("deforming", false);
    refusal("shape", "sphere");
    const auto without = [&](const char* key) {
        put_bytes(folder / "forged", reforge(good, [&](auto& j) { j["obstacles"][3].erase(key); }));
        return input_error([&] { CacheReader{folder / "forged"}; });
    };
    for (const char* key : {"points", "triangles", "deforming"})
        EXPECT_NE(without(key).find(key), std::string::npos);
}

TEST(CacheMeshes, FramesThatAreNotFiniteAreRefused) {
    const TemporaryFolder folder;
    CacheWriter writer(folder / "cache.taut", mesh_header());
    CacheFrame frame = mesh_frame(0);
    frame.deformed[3][1].z() = std::nan("");
    writer.append(frame);
    EXPECT_NE(input_error([&] { CacheReader(folder / "cache.taut").read(0); }).find("not finite"),
              std::string::npos);
}

TEST(CacheMeshes, OlderFilesAreReadAndContinued) {
    const TemporaryFolder folder;
    const std::string good = bytes_of(small_cache(folder, small_header(), 3));
    put_bytes(folder / "old", reforge(
                                  good, [](auto&) {}, 1));
    {
        CacheReader reader(folder / "old");
        EXPECT_EQ(reader.version(), 1u);
        EXPECT_EQ(reader.frames(), 3);
        EXPECT_EQ(reader.read(2).x, small_frame(2).x);
    }
    CacheWriter(folder / "old", small_header(), 2).append(small_frame(7));
    CacheReader reader(folder / "old");
    EXPECT_EQ(reader.version(), cache_version);
    ASSERT_EQ(reader.frames(), 3);
    EXPECT_EQ(reader.read(1).x, small_frame(1).x);
    EXPECT_EQ(reader.read(2).x, small_frame(7).x);

    // Versions to come are named.
    put_bytes(folder / "new", reforge(
                                  good, [](auto&) {}, cache_version + 1));
    EXPECT_NE(input_error([&] { CacheReader{folder / "new"}; }).find("reads versions 1 to 3"),
              std::string::npos);
}

TEST(CacheMeshes, ContinuingNeedsTheSameMesh) {
    const TemporaryFolder folder;
    write_meshes(folder / "cache.taut", 2);
    EXPECT_NO_THROW(CacheWriter(folder / "cache.taut", mesh_header(), 1).append(mesh_frame(1)));
    CacheHeader other = mesh_header();
    collision::ObstacleMesh mesh = *other.obstacles[2].mesh;
    mesh.rest[0].x() += 1e-12;
    other.obstacles[2].mesh = std::make_shared<const collision::ObstacleMesh>(mesh);
    EXPECT_NE(input_error([&] { CacheWriter(folder / "cache.taut", other, 1); }).find("another run"),
              std::string::npos);
}

}  // namespace
}  // namespace taut::io
