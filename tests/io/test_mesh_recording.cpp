// Recordings of meshes: names of frames, OBJ sequences and PC2 point caches, and all that makes them unfit.
#include "taut/io/mesh_recording.hpp"

#include <cmath>
#include <limits>

#include "io/temporary_folder.hpp"
#include "taut/io/binary.hpp"
#include "taut/io/pc2.hpp"

namespace taut::io {
namespace {

using namespace taut::tests;

// A quad and a triangle, raised by `height`.
std::string obj_text(double height, const std::string& faces = "f 1 2 3 4\nf 2 5 3\n") {
    const std::string z = " " + std::to_string(height) + "\n";
    return "v 0 0" + z + "v 1 0" + z + "v 1 1" + z + "v 0 1" + z + "v 2 0" + z + faces;
}

struct Sequence {
    TemporaryFolder folder;
    explicit Sequence(int first = 3, int count = 4) {
        for (int k = 0; k < count; ++k) put(first + k, obj_text(k));
    }
    FrameNames names(const std::string& pattern = "body_%04d.obj") const {
        return FrameNames(folder / pattern);
    }
    void put(int number, const std::string& text) const { put_bytes(names().file(number), text); }
    ObjMesh mesh(const ObjOptions& options = {}) const { return read_obj(names().file(3), options); }
    Recording read(const ObjOptions& options = {}) const {
        return read_obj_frames(names(), find_frames(names(), 0, 0), mesh(options), "first.obj", options);
    }
};

bool holds(const std::string& text, const std::string& words) {
    const bool found = text.find(words) != std::string::npos;
    if (!found) ADD_FAILURE() << "'" << words << "' is not in: " << text;
    return found;
}

TEST(FrameNames, PutTheNumberWhereThePatternSays) {
    EXPECT_EQ(FrameNames("a/b_%04d.obj").file(7), "a/b_0007.obj");
    EXPECT_EQ(FrameNames("a/b_%04d.obj").file(123456), "a/b_123456.obj");
    EXPECT_EQ(FrameNames("%d").file(7), "7");
    EXPECT_EQ(FrameNames("100%/x%03d").file(1), "100%/x001");
}

TEST(FrameNames, RefuseOtherPatterns) {
    for (const char* pattern : {"body.obj", "body_%.obj", "body_%s.obj", "%d_%d.obj", "%4d.obj", "%00d.obj",
                                "%012d.obj", "body_%04", "%%04d", "%-4d.obj", "%04d/body.obj", ""}) {
        holds(input_error([&] { FrameNames{pattern}; }), "%04d");
    }
}

TEST(FrameNames, FindFilesAndNoOthers) {
    const Sequence sequence;
    for (const char* name : {"body_0001.obj.txt", "body_1.obj", "body_00002.obj", "body_12a4.obj",
                             "xbody_0001.obj", "body_.obj", "body_1234567890.obj"}) {
        put_bytes(sequence.folder / name, "x");
    }
    EXPECT_EQ(sequence.names().existing(), (std::vector<int>{3, 4, 5, 6}));
    EXPECT_EQ(sequence.names("body_%d.obj").existing(), (std::vector<int>{1}));
    holds(input_error([&] { sequence.names("none/%d.obj").existing(); }), "folder");
}

TEST(MeshRecording, RangesAreSettled) {
    const Sequence sequence;
    const auto range = [&](int first, int count) {
        const FrameRange found = find_frames(sequence.names(), first, count);
        return std::pair(found.first, found.count);
    };
    EXPECT_EQ(range(0, 0), std::pair(3, 4));
    EXPECT_EQ(range(4, 0), std::pair(4, 3));
    EXPECT_EQ(range(3, 2), std::pair(3, 2));
    holds(input_error([&] { range(0, 5); }), "too few frames");
    holds(input_error([&] { range(0, 5); }), "at least 5, from number 3 on");
    holds(input_error([&] { range(6, 0); }), "at least 2");
    holds(input_error([&] { range(99, 0); }), "body_0099.obj");
}

TEST(MeshRecording, MissingNumbersAreNamed) {
    const Sequence sequence(3, 8);
    std::filesystem::remove(sequence.names().file(6));
    holds(input_error([&] { find_frames(sequence.names(), 0, 0); }), "body_0006.obj");
    EXPECT_EQ(find_frames(sequence.names(), 0, 3).count, 3);
    EXPECT_EQ(find_frames(sequence.names(), 7, 0).first, 7);
}

TEST(MeshRecording, ReadsObjFrames) {
    const Sequence sequence;
    const Recording recording = sequence.read();
    ASSERT_EQ(recording.frames.size(), 4u);
    EXPECT_EQ(recording.stride, 1);
    EXPECT_EQ(recording.frames[2][4], Eigen::Vector3f(2, 0, 2));
    EXPECT_EQ(sequence.read({"y", 0.5}).frames[2][4], Eigen::Vector3f(1, -1, 0));
}

TEST(MeshRecording, ObjFramesMustFitTheMesh) {
    const Sequence sequence;
    const auto refusal = [&](const std::string& text) {
        sequence.put(5, text);
        return input_error([&] { sequence.read(); });
    };
    const std::string vertices = obj_text(0, "") + "v 3 3 3\n";
    holds(refusal(vertices + "f 1 2 3 4\nf 2 5 3\nf 3 5 6\n"), "6 vertices");
    holds(refusal(vertices + "f 1 2 3 4\nf 2 6 3\n"), "has other vertices than first.obj");
    const std::string unused = refusal(vertices + "f 1 2 3 4\nf 2 5 3\n");
    holds(unused, "6 vertices");
    holds(unused, "allowed: 5 vertices");
    holds(refusal(obj_text(0, "f 1 2 3 4\n")), "use other vertices than those of first.obj (got vertex 4)");
    holds(refusal(obj_text(0, "f 1 2 3 4\nf 2 5 3\nf 1 5 2\n")), "another number of faces");
    holds(refusal(obj_text(0, "f 1 2 3 4\nf 2 3 5\n")), "face 2");
    holds(refusal(obj_text(0, "f 2 3 4 1\nf 2 5 3\n")), "allowed: 0, 1, 2, 3");
    holds(refusal(obj_text(std::nan(""))), "line 1");
    holds(refusal("v 1e999 0 0\n"), "line 1");
    holds(refusal(""), "body_0005.obj");
    EXPECT_NE(refusal(obj_text(0, "f 1 2 3 4\nf 2 5 9\n")).find("body_0005.obj"), std::string::npos);
}

// A PC2 file whose header says what it likes.
std::string pc2_bytes(std::int32_t points, float rate, std::int32_t samples,
                      const std::vector<float>& values) {
    ByteWriter out;
    out.put_array<char>(std::string_view("POINTCACHE2\0", 12));
    out.put<std::int32_t>(1);
    out.put(points);
    out.put(0.0f);
    out.put(rate);
    out.put(samples);
    out.put_array<float>(values);
    return out.take();
}

struct PointCache {
    TemporaryFolder folder;
    ObjMesh mesh = parse_obj("v 9 9 9\n" + obj_text(0, "f 2 3 4 5\nf 3 6 4\n"), "mesh.obj");
    std::vector<float> values;
    PointCache() {
        for (int k = 0; k < 3 * 6 * 3; ++k) values.push_back(static_cast<float>(k));
    }
    Recording read(const std::string& bytes, const ObjOptions& options = {}) const {
        put_bytes(folder / "body.pc2", bytes);
        return read_pc2_frames(Pc2Reader(folder / "body.pc2"), mesh, "mesh.obj", options);
    }
    std::string refusal(const std::string& bytes) const {
        return input_error([&] { read(bytes); });
    }
};

TEST(MeshRecording, ReadsPc2WithTheVerticesOfTheFile) {
    const PointCache cache;
    const Recording recording = cache.read(pc2_bytes(6, 2, 3, cache.values));
    ASSERT_EQ(recording.frames.size(), 3u);
    EXPECT_EQ(recording.stride, 2);
    ASSERT_EQ(recording.frames[0].size(), 5u);
    EXPECT_EQ(recording.frames[0][0], Eigen::Vector3f(3, 4, 5));
    EXPECT_EQ(recording.frames[2][4], Eigen::Vector3f(51, 52, 53));
    EXPECT_EQ(cache.read(pc2_bytes(6, 1, 3, cache.values), {"y", 2}).frames[0][0],
              Eigen::Vector3f(6, -10, 8));
}

TEST(MeshRecording, Pc2MustFitTheMesh) {
    const PointCache cache;
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    holds(cache.refusal(pc2_bytes(5, 1, 3, cache.values)), "allowed: 6");
    holds(cache.refusal(pc2_bytes(6, 1, 1, cache.values)), "at least 2");
    const std::string cut = cache.refusal(pc2_bytes(6, 1, 4, cache.values));
    holds(cut, "fewer samples");
    holds(cut, "3 of 4 samples, with 6 points each");
    holds(cut, "export it again");
    holds(cache.refusal(pc2_bytes(6, 1, 2'000'000'000, cache.values)), "fewer samples");
    holds(cache.refusal(pc2_bytes(6, 1, -3, cache.values)), "negative number of samples (got -3)");
    holds(cache.refusal(pc2_bytes(-6, 1, 3, cache.values)), "negative number of points (got -6)");
    for (const float rate : {0.0f, -1.0f, nan})
        holds(cache.refusal(pc2_bytes(6, rate, 3, cache.values)), "rate");
    for (const float bad : {nan, std::numeric_limits<float>::infinity(), 1e9f}) {
        std::vector<float> values = cache.values;
        values[18 + 3 * 4 + 1] = bad;
        const std::string told = cache.refusal(pc2_bytes(6, 1, 3, values));
        holds(told, "sample 1");
        holds(told, "point 4");
    }
    holds(cache.refusal("POINTCACHE3"), "PC2");
    std::vector<float> unused = cache.values;
    unused[0] = nan;
    EXPECT_NO_THROW(cache.read(pc2_bytes(6, 1, 3, unused)));
}

TEST(MeshRecording, RefusesWhatWouldNotFitMemory) {
    // A sparse file of 8 GiB whose size agrees with its header.
    const PointCache cache;
    put_bytes(cache.folder / "body.pc2", pc2_bytes(6, 1, 119'304'647, {}));
    std::error_code failure;
    std::filesystem::resize_file(cache.folder / "body.pc2", std::uintmax_t{32} + 72ull * 119'304'647,
                                 failure);
    if (failure) GTEST_SKIP() << "no sparse files here";
    holds(input_error([&] { read_pc2_frames(Pc2Reader(cache.folder / "body.pc2"), cache.mesh, "mesh.obj"); }),
          "memory");
}

}  // namespace
}  // namespace taut::io
