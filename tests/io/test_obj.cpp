// OBJ files as programs write them, and what taut writes comes back to the bit.
#include "taut/io/obj.hpp"

#include <cmath>
#include <cstring>

#include "io/temporary_folder.hpp"

namespace taut::io {
namespace {

using namespace taut::tests;
using mesh::Face;

ObjMesh parse(const std::string& text, const ObjOptions& options = {}) {
    return parse_obj(text, "test.obj", options);
}

TEST(Obj, ReadsEveryFormOfCorner) {
    const std::string vertices =
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvn 0 0 1\n";
    const std::vector<std::string> plain{"f 1 2 3 4", "f 1//1 2//1 3//1 4//1", "f -4 -3 -2 -1",
                                         "  f\t1  2 3\t4  ", "fo 1 2 3 4"};
    const std::vector<std::string> with_uv{"f 1/1 2/2 3/3 4/4", "f 1/1/1 2/2/1 3/3/1 4/4/1",
                                           "f -4/-4 -3/-3 -2/-2 -1/-1"};
    for (const auto& forms : {plain, with_uv}) {
        for (const std::string& face : forms) {
            const ObjMesh mesh = parse(vertices + face + "\n");
            ASSERT_EQ(mesh.mesh.faces.size(), 1u) << face;
            EXPECT_EQ(mesh.mesh.faces[0].corner, (std::array{0, 1, 2, 3})) << face;
            EXPECT_EQ(mesh.mesh.vertices, 4);
            EXPECT_EQ(mesh.mesh.corner_uv.size(), forms == with_uv ? 1u : 0u) << face;
        }
    }
}

TEST(Obj, ReadsTextureCoordinatesPerCorner) {
    const ObjMesh mesh = parse(
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\n"
        "vt 0.25 0.5 0\nvt 1\nvt 3 4\nf 1/3 2/1 3/2\nf 1/1 2/1 3/1 4/3\nf 2/2 5/3 3/1\n");
    ASSERT_EQ(mesh.mesh.corner_uv.size(), 3u);
    EXPECT_EQ(mesh.mesh.corner_uv[0][0], Vec2(3, 4));
    EXPECT_EQ(mesh.mesh.corner_uv[0][1], Vec2(0.25, 0.5));
    EXPECT_EQ(mesh.mesh.corner_uv[0][2], Vec2(1, 0));
    EXPECT_EQ(mesh.mesh.corner_uv[1][3], Vec2(3, 4));
    EXPECT_EQ(mesh.mesh.faces[0].corner[3], -1);
}

TEST(Obj, LeavesOutTextureCoordinatesThatSomeFacesLack) {
    const ObjMesh mesh =
        parse("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nf 1/1 2/2 3/3\nf 1 3 4\n");
    EXPECT_TRUE(mesh.mesh.corner_uv.empty());
    ASSERT_EQ(mesh.notes.size(), 1u);
    EXPECT_NE(mesh.notes[0].find("1 of 2 faces"), std::string::npos);
}

TEST(Obj, ReadsCommentsContinuationsAndAnyLineEnding) {
    const std::string text =
        "\xEF\xBB\xBF# comment with \\\nmtllib a b.mtl\no Sheet # 1\ng one two\nv 0 0 0 # first\nv 1 0 \\\n "
        "0\n"
        "v +1. 1e0 .0 1.0\nv 0 1 -0 0.5 0.5 0.5\ns off\nusemtl cloth\nf 1 \\\n  2 \\\n  3 4\n\n   \n# end";
    for (const char* ending : {"\n", "\r\n", "\r"}) {
        std::string other;
        for (char c : text) other += c == '\n' ? std::string(ending) : std::string(1, c);
        const ObjMesh mesh = parse(other);
        ASSERT_EQ(mesh.points.size(), 4u);
        EXPECT_EQ(mesh.points[1], Vec3(1, 0, 0));
        EXPECT_EQ(mesh.points[2], Vec3(1, 1, 0));
        EXPECT_EQ(mesh.mesh.faces[0].corner, (std::array{0, 1, 2, 3}));
    }
}

TEST(Obj, ReadsPolylinesAndFacesBeforeTheirVertices) {
    const ObjMesh chain = parse("v 0 0 0\nv 0 0 1\nv 0 0 2\nl 1 2 3\n");
    EXPECT_EQ(chain.mesh.lines, (std::vector<std::array<int, 2>>{{0, 1}, {1, 2}}));
    EXPECT_TRUE(chain.mesh.faces.empty());
    const ObjMesh early = parse("f 1/1 2/1 3/1\nv 0 0 0\nv 0 0 1\nv 0 1 2\nvt 0.5 0.5\n");
    EXPECT_EQ(early.mesh.faces[0].corner, (std::array{0, 1, 2, -1}));
    EXPECT_EQ(early.mesh.corner_uv[0][2], Vec2(0.5, 0.5));
}

TEST(Obj, TurnsAndScales) {
    const std::string text = "v 1 2 3\nv 2 2 3\nv 1 3 3\nf 1 2 3\n";
    EXPECT_EQ(parse(text, {"y", 1}).points[0], Vec3(1, -3, 2));
    EXPECT_EQ(parse(text, {"z", 0.5}).points[0], Vec3(0.5, 1, 1.5));
    EXPECT_EQ(parse(text, {"y", 0.01}).points[0], Vec3(1 * 0.01, -(3 * 0.01), 2 * 0.01));
}

TEST(Obj, LeavesOutUnusedVerticesAndSaysSo) {
    const ObjMesh mesh = parse("v 9 9 9\nv 0 0 0\nv 8 8 8\nv 1 0 0\nv 1 1 0\nv 5 0 0\nf 2 4 5\nl 6 5\n");
    EXPECT_EQ(mesh.mesh.vertices, 4);
    EXPECT_EQ(mesh.file_index, (std::vector<int>{1, 3, 4, 5}));
    EXPECT_EQ(mesh.points[1], Vec3(1, 0, 0));
    EXPECT_EQ(mesh.mesh.faces[0].corner, (std::array{0, 1, 2, -1}));
    EXPECT_EQ(mesh.mesh.lines[0], (std::array{3, 2}));
    ASSERT_EQ(mesh.notes.size(), 1u);
    EXPECT_NE(mesh.notes[0].find("2 vertices"), std::string::npos);
}

TEST(Obj, TinyNumbersAndLongLinesAreNoFault) {
    const std::string blanks(3000000, ' ');
    const ObjMesh mesh = parse("# " + std::string(3000000, 'x') + "\nv 1e-400 -1e-999 1e-310" + blanks +
                               "\nv 1 0 0\nv 0 1 0\nf 1 2 " + blanks + "3\n");
    EXPECT_EQ(mesh.points[0].head<2>(), Vec2(0, 0));
    EXPECT_EQ(mesh.points[0].z(), 1e-310);
}

TEST(Obj, WhatIsWrittenComesBackToTheBit) {
    const TemporaryFolder folder;
    Points points;
    for (int k = 0; k < 50; ++k) points.push_back(Vec3(std::sin(k) / 3, -std::exp(-k), 1e7 * std::cos(k)));
    points[3] = Vec3(-0.0, 5e-324, 1.7976931348623157e+300 * 1e-295);
    std::vector<Face> faces;
    std::vector<std::array<Vec2, 4>> uv;
    for (int k = 0; k < 46; ++k) {
        faces.push_back({{k, k + 1, k + 2, k % 2 ? -1 : k + 3}});
        uv.push_back({Vec2(k, 0.1), Vec2(k + 0.1, 0.2), Vec2(k, 0.3), k % 2 ? Vec2(0, 0) : Vec2(1. / 3, k)});
    }
    const std::vector<std::array<int, 2>> lines{{48, 49}};
    write_obj(folder / "out.obj", {points, faces, lines, uv});
    const ObjMesh mesh = read_obj(folder / "out.obj");
    ASSERT_EQ(mesh.points.size(), points.size());
    EXPECT_EQ(std::memcmp(mesh.points.data(), points.data(), points.size() * sizeof(Vec3)), 0);
    EXPECT_EQ(mesh.mesh.lines, lines);
    ASSERT_EQ(mesh.mesh.corner_uv.size(), uv.size());
    for (std::size_t k = 0; k < faces.size(); ++k) {
        EXPECT_EQ(mesh.mesh.faces[k].corner, faces[k].corner);
        EXPECT_EQ(mesh.mesh.corner_uv[k], uv[k]);
    }
    write_obj(folder / "plain.obj", {points, faces, lines, {}});
    EXPECT_TRUE(read_obj(folder / "plain.obj").mesh.corner_uv.empty());
    input_error([&] { write_obj(folder / "none/out.obj", {points, faces, lines, uv}); });
}

TEST(Obj, AMillionVerticesTakeSeconds) {
    const TemporaryFolder folder;
    const int n = 1001;
    Points points;
    std::vector<Face> faces;
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) points.push_back(Vec3(i / 1000.0, j / 1000.0, std::sin(i) * std::sin(j)));
    }
    for (int j = 0; j + 1 < n; ++j) {
        for (int i = 0; i + 1 < n; ++i) {
            const int k = j * n + i;
            faces.push_back({{k, k + 1, k + n + 1, k + n}});
        }
    }
    write_obj(folder / "large.obj", {points, faces, {}, {}});
    const ObjMesh mesh = read_obj(folder / "large.obj");
    EXPECT_EQ(mesh.mesh.vertices, n * n);
    EXPECT_EQ(mesh.points.back(), points.back());
    EXPECT_EQ(mesh.mesh.faces.back().corner, faces.back().corner);
}

}  // namespace
}  // namespace taut::io
