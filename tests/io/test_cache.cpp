// The animation cache: round trips to the bit, continued files, and damage of every kind, which must
// be noticed or leave the data as it was.
#include "taut/io/cache.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "io/temporary_folder.hpp"
#include "taut/io/cache_header.hpp"

namespace taut::io::cache_tests {
namespace {

namespace fs = std::filesystem;
using namespace taut::tests;

CacheHeader small_header() {
    CacheHeader header;
    header.taut_version = "0.1.0";
    header.scene_name = "flag \"quoted\" \xc3\xa9";
    header.effective_scene = R"({"dt": 0.1})";
    header.fps = 30;
    header.tolerance = 0.001;
    header.vertices = 5;
    header.cloths = {{"cloth", 0, 4, 0, 2, 0, 3, 0, 1}, {"thread", 3, 2, 2, 0, 3, 1, 1, 1}};
    header.faces = {{{0, 1, 2, 3}}, {{1, 2, 4, -1}}};
    header.edges = {{0, 1, mesh::Direction::warp, {0, -1}},
                    {1, 2, mesh::Direction::weft, {0, 1}},
                    {2, 3, mesh::Direction::none, {-1, -1}},
                    {3, 4, mesh::Direction::warp, {-1, -1}}};
    header.rest_length = {0.1, 1.0 / 3, 1e-300, 12345.678};
    collision::Obstacle ball;
    ball.name = "ball";
    ball.shape = collision::Shape::sphere;
    ball.center = Vec3(1, 2, 0.1);
    ball.radius = 0.25;
    collision::Obstacle floor;
    floor.normal = Vec3(0, 0, -1);
    header.obstacles = {ball, floor};
    return header;
}

CacheFrame small_frame(int k) {
    CacheFrame frame;
    frame.t = k / 30.0;
    for (int i = 0; i < 5; ++i) frame.x.push_back(Vec3(i + 0.1 * k, -0.0, std::sqrt(2.0 + i) * k));
    RigidTransform place;
    place.rotation << 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9 + k;
    place.translation = Vec3(1, 2, k);
    frame.obstacles = {place, RigidTransform{}};
    return frame;
}

void write_small(const fs::path& file, int frames) {
    CacheWriter writer(file, small_header());
    for (int k = 0; k < frames; ++k) writer.append(small_frame(k));
}

bool same_bits(const CacheFrame& a, const CacheFrame& b) {
    bool same = std::memcmp(&a.t, &b.t, sizeof a.t) == 0 && a.x.size() == b.x.size() &&
                a.obstacles.size() == b.obstacles.size();
    for (std::size_t k = 0; same && k < a.x.size(); ++k) {
        same = std::memcmp(a.x[k].data(), b.x[k].data(), sizeof(Vec3)) == 0;
    }
    for (std::size_t k = 0; same && k < a.obstacles.size(); ++k) {
        same = a.obstacles[k].rotation == b.obstacles[k].rotation &&
               a.obstacles[k].translation == b.obstacles[k].translation;
    }
    return same;
}

TEST(Cache, HeaderComesBack) {
    const TemporaryFolder folder;
    write_small(folder / "cache.taut", 1);
    const CacheHeader wanted = small_header();
    const CacheHeader got = CacheReader(folder / "cache.taut").header();
    EXPECT_EQ(got.taut_version, wanted.taut_version);
    EXPECT_EQ(got.scene_name, wanted.scene_name);
    EXPECT_EQ(got.effective_scene, wanted.effective_scene);
    EXPECT_EQ(got.fps, wanted.fps);
    EXPECT_EQ(got.tolerance, wanted.tolerance);
    EXPECT_EQ(got.vertices, wanted.vertices);
    EXPECT_EQ(got.rest_length, wanted.rest_length);
    ASSERT_EQ(got.faces.size(), 2u);
    EXPECT_EQ(got.faces[1].corner, wanted.faces[1].corner);
    ASSERT_EQ(got.edges.size(), 4u);
    for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_EQ(got.edges[k].a, wanted.edges[k].a);
        EXPECT_EQ(got.edges[k].b, wanted.edges[k].b);
        EXPECT_EQ(got.edges[k].direction, wanted.edges[k].direction);
        EXPECT_EQ(got.edges[k].face, wanted.edges[k].face);
    }
    ASSERT_EQ(got.cloths.size(), 2u);
    EXPECT_EQ(got.cloths[1].name, "thread");
    EXPECT_EQ(got.cloths[1].first_edge, 3);
    EXPECT_EQ(got.cloths[1].yarn_count, 1);
    ASSERT_EQ(got.obstacles.size(), 2u);
    EXPECT_EQ(got.obstacles[0].shape, collision::Shape::sphere);
    EXPECT_EQ(got.obstacles[0].center, wanted.obstacles[0].center);
    EXPECT_EQ(got.obstacles[0].radius, 0.25);
    EXPECT_EQ(got.obstacles[1].normal, wanted.obstacles[1].normal);
}

CacheHeader with_polygon_sphere(int frequency) {
    CacheHeader header = small_header();
    header.obstacles[0].shape = collision::Shape::polygon_sphere;
    header.obstacles[0].frequency = frequency;
    return header;
}

TEST(Cache, PolygonSphereComesBack) {
    const TemporaryFolder folder;
    CacheWriter(folder / "cache.taut", with_polygon_sphere(7)).append(small_frame(0));
    const CacheHeader got = CacheReader(folder / "cache.taut").header();
    EXPECT_EQ(got.obstacles[0].shape, collision::Shape::polygon_sphere);
    EXPECT_EQ(got.obstacles[0].frequency, 7);
    EXPECT_EQ(got.obstacles[0].radius, 0.25);
}

TEST(Cache, FrequencyIsWrittenForPolygonSpheresOnlyAndChecked) {
    // Caches of the other shapes are as they were before there was a frequency.
    std::uint64_t checksum = 0;
    EXPECT_EQ(encode_cache_header(small_header(), checksum).find("frequency"), std::string::npos);
    EXPECT_NE(encode_cache_header(with_polygon_sphere(7), checksum).find("frequency"), std::string::npos);
    for (int frequency : {0, -1, 33, 1 << 30}) {
        const std::string told =
            input_error([&] { check_cache_header(with_polygon_sphere(frequency), "cache.taut"); });
        EXPECT_NE(told.find("frequency"), std::string::npos);
    }
}

TEST(Cache, FramesComeBackToTheBitInAnyOrder) {
    const TemporaryFolder folder;
    write_small(folder / "cache.taut", 7);
    CacheReader reader(folder / "cache.taut");
    ASSERT_EQ(reader.frames(), 7);
    for (int k : {6, 0, 3, 3, 5}) EXPECT_TRUE(same_bits(reader.read(k), small_frame(k))) << k;
    EXPECT_NE(input_error([&] { reader.read(7); }).find("frames 0 to 6"), std::string::npos);
    input_error([&] { reader.read(-1); });
}

TEST(Cache, EveryFrameIsValidOnDiskAtOnce) {
    const TemporaryFolder folder;
    CacheWriter writer(folder / "cache.taut", small_header());
    for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(CacheReader(folder / "cache.taut").frames(), k);
        writer.append(small_frame(k));
        EXPECT_TRUE(same_bits(CacheReader(folder / "cache.taut").read(k), small_frame(k)));
    }
}

TEST(Cache, EmptySceneIsAllowed) {
    const TemporaryFolder folder;
    CacheWriter writer(folder / "cache.taut", CacheHeader{});
    writer.append(CacheFrame{});
    CacheReader reader(folder / "cache.taut");
    EXPECT_EQ(reader.frames(), 1);
    EXPECT_TRUE(reader.read(0).x.empty());
}

TEST(Cache, GoesOnAfterKeptFrames) {
    const TemporaryFolder folder;
    write_small(folder / "whole", 6);
    for (int keep : {0, 1, 4, 6}) {
        write_small(folder / "cut", 6);
        CacheWriter writer(folder / "cut", small_header(), keep);
        EXPECT_EQ(writer.frames(), keep);
        for (int k = keep; k < 6; ++k) writer.append(small_frame(k));
        EXPECT_EQ(bytes_of(folder / "cut"), bytes_of(folder / "whole")) << keep;
    }
}

TEST(Cache, GoesOnUnderAHeaderWithOtherTexts) {
    const TemporaryFolder folder;
    write_small(folder / "cache.taut", 5);
    CacheHeader longer = small_header();
    longer.effective_scene = R"({"dt": 0.1, "duration": 12})";
    {
        CacheWriter writer(folder / "cache.taut", longer, 3);
        writer.append(small_frame(3));
    }
    CacheReader reader(folder / "cache.taut");
    EXPECT_EQ(reader.header().effective_scene, longer.effective_scene);
    ASSERT_EQ(reader.frames(), 4);
    for (int k = 0; k < 4; ++k) EXPECT_TRUE(same_bits(reader.read(k), small_frame(k)));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

TEST(Cache, RefusesToGoOnInAFileThatDoesNotFit) {
    const TemporaryFolder folder;
    write_small(folder / "cache.taut", 3);
    const std::string before = bytes_of(folder / "cache.taut");
    EXPECT_NE(
        input_error([&] { CacheWriter(folder / "cache.taut", small_header(), 4); }).find("4 are needed"),
        std::string::npos);
    CacheHeader other = small_header();
    other.rest_length[1] = 0.25;
    EXPECT_NE(input_error([&] { CacheWriter(folder / "cache.taut", other, 2); }).find("another run"),
              std::string::npos);
    input_error([&] { CacheWriter(folder / "none", small_header(), 0); });
    EXPECT_EQ(bytes_of(folder / "cache.taut"), before);
}

// Reads header and all frames; what is returned without an error must be what was written.
enum class Outcome { refused, sound, wrong };
Outcome read_all(const fs::path& file, const CacheHeader& wanted) {
    try {
        CacheReader reader(file);
        bool same = reader.header().rest_length == wanted.rest_length &&
                    reader.header().effective_scene == wanted.effective_scene &&
                    reader.header().vertices == wanted.vertices;
        for (long k = 0; k < reader.frames(); ++k) {
            same = same && same_bits(reader.read(k), small_frame(static_cast<int>(k)));
        }
        return same ? Outcome::sound : Outcome::wrong;
    } catch (const InputError& error) {
        EXPECT_FALSE(error.where().file.empty());
        return Outcome::refused;
    }
}

TEST(Cache, EveryFlippedByteIsNoticed) {
    const TemporaryFolder folder;
    write_small(folder / "cache.taut", 2);
    const std::string bytes = bytes_of(folder / "cache.taut");
    std::fstream stream(folder / "cache.taut", std::ios::binary | std::ios::in | std::ios::out);
    const auto put = [&](std::size_t at, int mask) {
        stream.seekp(static_cast<std::streamoff>(at));
        stream.put(static_cast<char>(bytes[at] ^ mask)).flush();
    };
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        put(at, at % 3 == 0 ? 0x01 : at % 3 == 1 ? 0x80 : 0xff);
        EXPECT_EQ(read_all(folder / "cache.taut", small_header()), Outcome::refused) << "byte " << at;
        put(at, 0);
    }
    EXPECT_EQ(read_all(folder / "cache.taut", small_header()), Outcome::sound);
}

TEST(Cache, TruncationAtAnyLengthKeepsWholeFramesOnly) {
    const TemporaryFolder folder;
    write_small(folder / "cache.taut", 3);
    const std::size_t frame = cache_frame_bytes(5, 2);
    const std::size_t whole = fs::file_size(folder / "cache.taut");
    const std::size_t header = whole - 3 * frame;
    for (std::size_t size = whole; size > 0;) {
        // Visit every length near a border, every seventh elsewhere.
        const bool near = size % frame < 12 || size < 70 || (size + 12 > header && size < header + 12);
        size -= std::min<std::size_t>(size, near ? 1 : 7);
        fs::resize_file(folder / "cache.taut", size);
        if (size < header) {
            EXPECT_EQ(read_all(folder / "cache.taut", small_header()), Outcome::refused) << size;
        } else {
            EXPECT_EQ(read_all(folder / "cache.taut", small_header()), Outcome::sound) << size;
            EXPECT_EQ(CacheReader(folder / "cache.taut").frames(),
                      static_cast<long>((size - header) / frame));
        }
    }
}

TEST(Cache, FramesInOtherPlacesAreNoticed) {
    const TemporaryFolder folder;
    write_small(folder / "cache.taut", 2);
    std::string bytes = bytes_of(folder / "cache.taut");
    const std::size_t frame = cache_frame_bytes(5, 2);
    const std::string first = bytes.substr(bytes.size() - 2 * frame, frame);
    bytes.replace(bytes.size() - frame, frame, first);
    put_bytes(folder / "cache.taut", bytes);
    CacheReader reader(folder / "cache.taut");
    EXPECT_NO_THROW(reader.read(0));
    EXPECT_NE(input_error([&] { reader.read(1); }).find("frame 1"), std::string::npos);
}

TEST(Cache, WriterRefusesWhatTheReaderWould) {
    const TemporaryFolder folder;
    const auto refused = [&](auto&& change) {
        CacheHeader header = small_header();
        change(header);
        input_error([&] { CacheWriter(folder / "cache.taut", header); });
        EXPECT_FALSE(fs::exists(folder / "cache.taut"));
    };
    refused([](CacheHeader& h) { h.faces[0].corner[2] = 5; });
    refused([](CacheHeader& h) { h.faces[0].corner[0] = -1; });
    refused([](CacheHeader& h) { h.faces[0].corner[3] = -2; });
    refused([](CacheHeader& h) { h.edges[0].a = -1; });
    refused([](CacheHeader& h) { h.edges[0].b = 5; });
    refused([](CacheHeader& h) { h.edges[0].face[1] = 2; });
    refused([](CacheHeader& h) { h.edges[0].direction = static_cast<mesh::Direction>(3); });
    refused([](CacheHeader& h) { h.rest_length.pop_back(); });
    refused([](CacheHeader& h) { h.rest_length[0] = NAN; });
    refused([](CacheHeader& h) { h.rest_length[0] = 0; });
    refused([](CacheHeader& h) { h.fps = INFINITY; });
    refused([](CacheHeader& h) { h.tolerance = INFINITY; });
    refused([](CacheHeader& h) { h.cloths[0].vertex_count = 6; });
    refused([](CacheHeader& h) { h.cloths[0].first_vertex = std::numeric_limits<int>::max(); });
    refused([](CacheHeader& h) { h.obstacles[0].center.x() = NAN; });
    refused([](CacheHeader& h) { h.vertices = -1; });
}

TEST(Cache, FramesThatAreNotFiniteAreRecordedButNotHandedOut) {
    const TemporaryFolder folder;
    CacheWriter writer(folder / "cache.taut", small_header());
    CacheFrame frame = small_frame(0);
    frame.x[2].y() = NAN;
    writer.append(frame);
    CacheReader reader(folder / "cache.taut");
    EXPECT_NE(input_error([&] { reader.read(0); }).find("not finite"), std::string::npos);
    frame.x.pop_back();
    EXPECT_THROW(writer.append(frame), std::logic_error);
}

TEST(Cache, AFullDiskLeavesTheFramesBefore) {
    const TemporaryFolder folder;
    write_small(folder / "cache.taut", 3);
    const std::uintmax_t room = fs::file_size(folder / "cache.taut") - 20;
    {
        CacheWriter writer(folder / "cache.taut", small_header());
        writer.append(small_frame(0));
        writer.append(small_frame(1));
        const FullDisk full(room);
        EXPECT_NE(input_error([&] { writer.append(small_frame(2)); }).find("space"), std::string::npos);
        EXPECT_EQ(writer.frames(), 2);
    }
    EXPECT_EQ(read_all(folder / "cache.taut", small_header()), Outcome::sound);
    EXPECT_EQ(CacheReader(folder / "cache.taut").frames(), 2);
}

TEST(Cache, ForeignFilesAreNamedForeign) {
    const TemporaryFolder folder;
    const auto message = [&](const std::string& bytes) {
        put_bytes(folder / "file", bytes);
        return input_error([&] { CacheReader reader(folder / "file"); });
    };
    EXPECT_NE(message("").find("not a taut animation cache"), std::string::npos);
    EXPECT_NE(message("# an OBJ file\nv 0 0 0\n").find("not a taut animation cache"), std::string::npos);
    write_small(folder / "cache.taut", 0);
    std::string bytes = bytes_of(folder / "cache.taut");
    bytes[8] = 9;
    EXPECT_NE(message(bytes).find("version"), std::string::npos);
    std::swap(bytes[12], bytes[15]);
    std::swap(bytes[13], bytes[14]);
    EXPECT_NE(message(bytes).find("byte order"), std::string::npos);
    EXPECT_NE(input_error([&] { CacheReader reader(folder / "none"); }).find("no such file"),
              std::string::npos);
    EXPECT_NE(input_error([&] { CacheReader reader(folder.path()); }).find("folder"), std::string::npos);
}

}  // namespace
}  // namespace taut::io::cache_tests
