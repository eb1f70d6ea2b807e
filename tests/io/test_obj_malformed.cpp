// OBJ files nobody should have written: each is refused with file, line, text and remedy.
#include <random>

#include "io/temporary_folder.hpp"
#include "taut/io/obj.hpp"

namespace taut::io {
namespace {

using namespace taut::tests;

struct Malformed {
    const char* name;
    std::string text;
    std::string line;    // place in the message, or empty: the file as a whole
    std::string phrase;  // must stand in the message
};

void PrintTo(const Malformed& m, std::ostream* out) { *out << m.name; }

const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";  // three lines

std::vector<Malformed> malformed() {
    const std::string t = triangle;
    return {
        {"empty", "", "", "is empty"},
        {"only_mark", "\xEF\xBB\xBF", "", "is empty"},
        {"only_comments", "# nothing\n\n", "", "no faces"},
        {"no_faces", t, "", "no faces"},
        {"no_vertices", "f 1 2 3\n", "line 1", "index 1 is out of range"},
        {"binary", std::string("v 0 0 0\n\0\1\2", 11), "", "not a text file"},
        {"utf16", std::string("v\0 \0000\0", 6), "", "not a text file"},
        {"high_bytes", "\xff\xfe\x80\x81 1 2 3\n", "line 1", "not an OBJ statement"},
        {"gzip", "\x1f\x8b\x08 garbage", "line 1", "not an OBJ statement"},
        {"ply", "ply\nformat ascii 1.0\n", "line 1", "'ply' is not an OBJ statement"},
        {"json", "{\"v\": [0, 0, 0]}", "line 1", "not an OBJ statement"},
        {"misspelt", t + "F 1 2 3\n", "line 4", "'F' is not an OBJ statement"},
        {"glued", "v0 0 0\n", "line 1", "not an OBJ statement"},
        {"two_coordinates", "v 0 0 0\nv 1 0\n", "line 2", "three coordinates"},
        {"no_coordinates", "v\n", "line 1", "three coordinates"},
        {"five_coordinates", "v 1 2 3 4 5\n", "line 1", "at most a weight"},
        {"many_coordinates", "v 1 2 3 4 5 6 7 8 9\n", "line 1", "at most a weight"},
        {"nan", "v 0 nan 0\n", "line 1", "not a finite number"},
        {"negative_nan", "v 0 -NaN 0\n", "line 1", "not a finite number"},
        {"infinity", "v 0 inf 0\n", "line 1", "not a finite number"},
        {"long_infinity", "v 0 0 -infinity\n", "line 1", "not a finite number"},
        {"nan_colour", "v 0 0 0 nan 0 0\n", "line 1", "not a finite number"},
        {"overflow", "v 1e999 0 0\n", "line 1", "too large"},
        {"absurd", "v 0 0 -1e300\n", "line 1", "beyond"},
        {"just_absurd", "v 0 0 1.00001e8\n", "line 1", "beyond"},
        {"many_digits", "v 0 0 " + std::string(5000, '9') + "\n", "line 1", "not a number"},
        {"words", "v zero one two\n", "line 1", "'zero' is not a number"},
        {"comma", "v 0,5 0 0\n", "line 1", "'0,5' is not a number"},
        {"two_points", "v 0.1.2 0 0\n", "line 1", "not a number"},
        {"hexadecimal", "v 0x10 0 0\n", "line 1", "not a number"},
        {"plus_minus", "v +-1 0 0\n", "line 1", "not a number"},
        {"lone_sign", "v + 0 0\n", "line 1", "not a number"},
        {"cut_exponent", "v 1e 0 0\n", "line 1", "not a number"},
        {"empty_uv", t + "vt\n", "line 4", "one to three numbers"},
        {"long_uv", t + "vt 1 2 3 4\n", "line 4", "one to three numbers"},
        {"nan_uv", t + "vt nan 0\n", "line 4", "not a finite number"},
        {"absurd_uv", t + "vt 1e200 0\n", "line 4", "texture coordinate"},
        {"zero_index", t + "f 0 1 2\n", "line 4", "index 0"},
        {"beyond", t + "f 1 2 4\n", "line 4", "index 4 is out of range"},
        {"far_beyond", t + "f 1 2 2147483647\n", "line 4", "out of range"},
        {"overflowing_index", t + "f 1 2 99999999999999999999\n", "line 4", "out of range"},
        {"too_negative", t + "f 1 2 -4\n", "line 4", "index -4 is out of range"},
        {"most_negative", t + "f 1 2 -2147483648\n", "line 4", "out of range"},
        {"real_index", t + "f 1 2 3.0\n", "line 4", "'3.0' is not an index"},
        {"word_index", t + "f a b c\n", "line 4", "'a' is not an index"},
        {"plus_index", t + "f +1 2 3\n", "line 4", "not an index"},
        {"two_corners", t + "f 1 2\n", "line 4", "at least three corners"},
        {"no_corners", t + "f\n", "line 4", "at least three corners"},
        {"five_corners", t + "v 1 1 0\nv 2 2 0\nf 1 2 3 4 5\n", "line 6", "more than four corners"},
        {"a_million_corners", t + "f 1 2 3 " + std::string(2000000, '1'), "line 4", "out of range"},
        {"repeated_corner", t + "f 1 2 2\n", "line 4", "same vertex twice"},
        {"repeated_by_other_name", t + "f 1 2 3 -3\n", "line 4", "same vertex twice"},
        {"empty_vertex", t + "f /1 /1 /1\n", "line 4", "not an index"},
        {"open_slash", t + "vt 0 0\nf 1/ 2/ 3/\n", "line 5", "not an index"},
        {"open_slashes", t + "f 1// 2// 3//\n", "line 4", "not an index"},
        {"three_slashes", t + "vt 0 0\nf 1/1/1/1 2/1/1/1 3/1/1/1\n", "line 5", "not an index"},
        {"uv_beyond", t + "vt 0 0\nf 1/1 2/1 3/2\n", "line 5", "the file has 1 texture coordinates"},
        {"uv_zero", t + "vt 0 0\nf 1/0 2/0 3/0\n", "line 5", "index 0"},
        {"uv_none", t + "f 1/1 2/2 3/3\n", "line 4", "the file has 0 texture coordinates"},
        {"uv_too_negative", t + "vt 0 0\nf 1/-2 2/-1 3/-1\n", "line 5", "index -2"},
        {"mixed_corners", t + "vt 0 0\nf 1/1 2/1 3\n", "line 5", "different ways"},
        {"short_line", t + "l 1\n", "line 4", "at least two vertices"},
        {"line_to_itself", t + "l 1 2 2\n", "line 4", "joins a vertex to itself"},
        {"line_beyond", t + "l 1 9\n", "line 4", "out of range"},
        {"free_form", t + "cstype bspline\ndeg 3\n", "line 4", "free-form"},
        {"cut_by_continuation", t + "f 1 2 \\", "line 4", "at least three corners"},
        {"continued_elsewhere", t + "f 1 2 \\\n\\\n\\\n", "line 4", "at least three corners"},
        {"cut_number", "v 0 0 0\nv 1 0 0\nv 0 1", "line 3", "three coordinates"},
    };
}

class ObjMalformed : public testing::TestWithParam<Malformed> {};

TEST_P(ObjMalformed, IsRefusedWithPlaceAndRemedy) {
    const Malformed& m = GetParam();
    try {
        parse_obj(m.text, "mesh.obj");
        FAIL() << "was accepted";
    } catch (const InputError& error) {
        EXPECT_EQ(error.where().file, "mesh.obj");
        EXPECT_EQ(error.where().place, m.line);
        EXPECT_NE(std::string(error.what()).find(m.phrase), std::string::npos) << error.what();
        EXPECT_FALSE(error.remedy().empty()) << error.what();
        EXPECT_LT(std::string(error.what()).size(), 400u);
        for (char c : std::string(error.what())) EXPECT_TRUE(c >= ' ' && c <= '~');
    }
}

INSTANTIATE_TEST_SUITE_P(All, ObjMalformed, testing::ValuesIn(malformed()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(ObjRefusals, OptionsAndPlaces) {
    const TemporaryFolder folder;
    const std::string text = triangle + "f 1 2 3\n";
    EXPECT_NE(input_error([&] { parse_obj(text, "m", {"x", 1}); }).find("'up'"), std::string::npos);
    for (double scale : {0.0, -1.0, 1.0 / 0.0, 0.0 / 0.0}) {
        EXPECT_NE(input_error([&] {
                      parse_obj(text, "m", {"z", scale});
                  }).find("'scale'"),
                  std::string::npos);
    }
    EXPECT_NE(input_error([&] { parse_obj(text, "m", {"z", 1e9}); }).find("beyond"), std::string::npos);
    EXPECT_NE(input_error([&] { read_obj(folder / "none.obj"); }).find("no such file"), std::string::npos);
    EXPECT_NE(input_error([&] { read_obj(folder.path()); }).find("folder"), std::string::npos);
    EXPECT_NE(input_error([&] { read_obj("/dev/zero"); }).find("regular file"), std::string::npos);
}

TEST(ObjRefusals, ManyContinuedLinesTakeNoTime) {
    std::string text;
    for (int k = 0; k < 400000; ++k) text += "\\\n";
    EXPECT_NE(input_error([&] { parse_obj(text, "m"); }).find("no faces"), std::string::npos);
}

// Whatever bytes change, the reader ends with a mesh whose indices are sound, or with an InputError.
TEST(ObjRefusals, RandomDamageNeverGetsThrough) {
    const std::string good = triangle + "v 1 1 0\nvt 0 0\nvt 1 1\nf 1/1 2/2 4/2 3/1\nl 1 2 3\nv 5 5 5\n";
    const std::string letters = "0123456789 -+./eEvftlnainf#\\\n\r\t\xff";
    std::mt19937 random(7);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    int accepted = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        std::string text = good.substr(0, trial % 2 ? good.size() : below(good.size()) + 1);
        for (std::size_t k = below(4) + 1; k > 0; --k)
            text[below(text.size())] = letters[below(letters.size())];
        try {
            const ObjMesh mesh = parse_obj(text, "m");
            ++accepted;
            ASSERT_EQ(mesh.mesh.vertices, static_cast<int>(mesh.points.size()));
            for (const mesh::Face& face : mesh.mesh.faces) {
                for (int c = 0; c < face.size(); ++c) {
                    const int vertex = face.corner[static_cast<std::size_t>(c)];
                    ASSERT_TRUE(vertex >= 0 && vertex < mesh.mesh.vertices) << text;
                }
            }
            for (const Vec3& p : mesh.points) ASSERT_TRUE(p.allFinite()) << text;
        } catch (const InputError&) {
        }
    }
    EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace taut::io
