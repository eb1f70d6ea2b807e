// Obstacles that are meshes in scenes: every way to write them, what is refused and where, what `taut check`
// says about them.
#include <gtest/gtest.h>

#include <numbers>

#include "io/temporary_folder.hpp"
#include "scene/scene_text.hpp"
#include "taut/io/obj.hpp"
#include "taut/io/pc2.hpp"
#include "taut/scene/check.hpp"

namespace taut::scene::mesh_obstacles_tests {
namespace {

using tests::put_bytes;
using tests::TemporaryFolder;

// A unit cube of quads about the origin, as OBJ text, shifted along z.
std::string cube_text(double shift = 0, const std::string& more = "") {
    std::string text;
    for (int k = 0; k < 8; ++k) {
        text += "v " + std::string(k & 1 ? "0.5" : "-0.5") + (k & 2 ? " 0.5 " : " -0.5 ") +
                std::to_string((k & 4 ? 0.5 : -0.5) + shift) + "\n";
    }
    return text + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\n" +
           (more.empty() ? "f 2 4 8 6\n" : more);
}

// A folder with a cube, five frames of it that rise by 0.1 m each, and the same as a point cache.
struct Files {
    TemporaryFolder folder;
    Files() {
        put_bytes(folder / "cube.obj", cube_text());
        io::Pc2Writer pc2(folder / "cube.pc2", 8);
        std::filesystem::create_directory(folder / "frames");
        for (int k = 0; k < 5; ++k) {
            put_bytes(folder / ("frames/cube_00" + std::to_string(10 + k) + ".obj"), cube_text(0.1 * k));
            Points points = io::read_obj(folder / "cube.obj").points;
            for (Vec3& p : points) p.z() += 0.1 * k;
            pc2.append(points);
        }
    }
    // A sheet high above an obstacle of type mesh with these keys; no contact.
    std::string text(const std::string& keys,
                     const std::string& more = R"("filters": ["stable_projection"])") const {
        return R"({"taut": 1, "cloths": [{"name": "sheet", "type": "grid", "nu": 5, "nv": 5,
                   "place": {"translate": [-0.5, -0.5, 3]}}],
                   "obstacles": [{"name": "body", "type": "mesh")" +
               (keys.empty() ? "" : ", " + keys) + "}]" + (more.empty() ? "" : ", " + more) + "}";
    }
    Scene scene(const std::string& keys,
                const std::string& more = R"("filters": ["stable_projection"])") const {
        return parse_scene(text(keys, more), "test.json", folder.path());
    }
    collision::Obstacle obstacle(const std::string& keys) const { return make_obstacles(scene(keys))[0]; }
    InputError refusal(const std::string& keys) const {
        return error_of([&] { assemble(scene(keys)); });
    }
    std::string path(const std::string& name) const { return (folder / name).string(); }
};

const char* const sequence = R"("sequence": "frames/cube_%04d.obj")";

void holds(const std::string& text, const std::string& words) {
    EXPECT_NE(text.find(words), std::string::npos) << "'" << words << "' is not in: " << text;
}

TEST(MeshObstacles, FromAFile) {
    const Files files;
    const collision::Obstacle o = files.obstacle(R"("file": "cube.obj", "friction": 0.7)");
    EXPECT_EQ(o.name, "body");
    EXPECT_EQ(o.friction, 0.7);
    EXPECT_EQ(o.shape, collision::Shape::mesh);
    EXPECT_EQ(o.mesh->triangles.size(), 12u);
    EXPECT_EQ(o.mesh->rest.size(), 8u);
    EXPECT_FALSE(o.mesh->deformation);
    EXPECT_NEAR(collision::distances(o, 0, Points{Vec3::Zero()})[0], -0.5, 1e-15);
}

TEST(MeshObstacles, UpScalePlaceAndMotion) {
    const Files files;
    EXPECT_EQ(files.obstacle(R"("file": "cube.obj", "up": "y", "scale": 2)").mesh->rest[1], Vec3(1, 1, -1));
    const collision::Obstacle o = files.obstacle(
        R"("file": "cube.obj", "place": {"translate": [1, 2, 3], "rotate": [0, 0, 90]},
           "motion": {"interpolation": "linear", "keyframes": [{"time": 0}, {"time": 1, "translate": [0, 0, 4]}]})");
    EXPECT_NEAR((o.mesh->rest[1] - Vec3(1.5, 2.5, 2.5)).norm(), 0, 1e-15);
    EXPECT_NEAR((collision::points_at(o, 0.5)[1] - Vec3(1.5, 2.5, 4.5)).norm(), 0, 1e-15);
}

TEST(MeshObstacles, SequencesDeform) {
    const Files files;
    for (const std::string& file : {std::string(), std::string(R"("file": "cube.obj", )")}) {
        const collision::Obstacle o =
            files.obstacle(file + sequence + R"(, "fps": 10, "start": 1, "interpolation": "linear")");
        ASSERT_TRUE(o.mesh->deformation);
        EXPECT_NEAR(collision::points_at(o, 0)[0].z(), -0.5, 1e-7);
        EXPECT_NEAR(collision::points_at(o, 1.25)[0].z(), -0.25, 1e-7);
        EXPECT_NEAR(collision::points_at(o, 9)[0].z(), -0.1, 1e-7);
    }
    const collision::Obstacle part = files.obstacle(std::string(sequence) + R"(, "first": 11, "count": 2)");
    EXPECT_NEAR(collision::points_at(part, 9)[0].z(), -0.3, 1e-7);
    EXPECT_NEAR(part.mesh->rest[0].z(), -0.4, 1e-7);
}

TEST(MeshObstacles, PointCachesDeform) {
    const Files files;
    const std::string keys = R"("file": "cube.obj", "pc2": "cube.pc2", "fps": 10)";
    const collision::Obstacle pc2 = files.obstacle(keys),
                              obj = files.obstacle(std::string(sequence) + R"(, "fps": 10)");
    for (const double time : {-1.0, 0.0, 0.07, 0.21, 0.33, 5.0}) {
        for (std::size_t i = 0; i < 8; ++i) {
            const Vec3 a = collision::points_at(pc2, time)[i], b = collision::points_at(obj, time)[i];
            EXPECT_NEAR((a - b).norm(), 0, 1e-6);
        }
    }
    EXPECT_EQ(pc2.mesh->deformation->content(), files.obstacle(keys).mesh->deformation->content());
    const collision::Obstacle placed = files.obstacle(keys + R"(, "place": {"translate": [0, 0, 7]})");
    EXPECT_NEAR(collision::points_at(placed, 0.2)[0].z(), 6.7, 1e-6);
    EXPECT_EQ(placed.mesh->deformation->content(), pc2.mesh->deformation->content());
}

TEST(MeshObstacles, BuiltInMeshesAndEffectiveScenesAreFound) {
    const Files files;
    EXPECT_GT(files.obstacle(R"("file": "meshes/disc.obj")").mesh->triangles.size(), 0u);
    for (const std::string& keys : {std::string(R"("file": "cube.obj", "place": {"rotate": [0, 0, 90]})"),
                                    std::string(sequence) + R"(, "fps": 12)",
                                    std::string(R"("file": "cube.obj", "pc2": "cube.pc2")")}) {
        const Json effective = effective_json(files.scene(keys));
        const Scene again = parse_scene(effective.dump(), "effective.json", "/");
        EXPECT_EQ(effective_json(again), effective);
        EXPECT_EQ(collision::points_at(make_obstacles(again)[0], 0.3),
                  collision::points_at(files.obstacle(keys), 0.3));
    }
    const Json obstacle = effective_json(files.scene(sequence))["obstacles"][0];
    EXPECT_EQ(obstacle["sequence"], files.path("frames/cube_%04d.obj"));
    EXPECT_EQ(obstacle["first"], 10);
    EXPECT_EQ(obstacle["count"], 5);
}

TEST(MeshObstacles, FaultsOfTheSceneStandAtTheirPlace) {
    const Files files;
    struct Row {
        std::string keys, place, words, remedy;
    };
    const std::string body = R"("file": "cube.obj")";
    const std::vector<Row> rows{
        {"", "/obstacles/0", "'file' is missing", "sequence"},
        {R"("file": "")", "/obstacles/0", "'file' is missing", "OBJ"},
        {R"("file": 3)", "/obstacles/0/file", "text", ""},
        {R"("file": "none.obj")", "/obstacles/0/file", "does not exist", "none.obj"},
        {R"("file": "frames")", "/obstacles/0/file", "is a folder", ""},
        {R"("pc2": "cube.pc2")", "/obstacles/0/pc2", "no faces", "'file'"},
        {body + R"(, "pc2": "none.pc2")", "/obstacles/0/pc2", "does not exist", ""},
        {body + R"(, "pc2": "cube.pc2", )" + sequence, "/obstacles/0/pc2", "two recordings", "keep"},
        {R"("sequence": "frames/cube_0010.obj")", "/obstacles/0/sequence", "number", "%04d"},
        {R"("sequence": "frames/cube_%d.obj")", "/obstacles/0/sequence", "too few", "at least 2"},
        {R"("sequence": "nowhere/cube_%04d.obj")", "/obstacles/0/sequence", "folder", ""},
        {R"("sequence": "frames/cube_%04d.obj\u0000")", "/obstacles/0/sequence", "null", ""},
        {std::string(sequence) + R"(, "count": 9)", "/obstacles/0/sequence", "too few",
         "at least 9, from number 10 on"},
        {std::string(sequence) + R"(, "first": -1)", "/obstacles/0/first", "out of range", "0"},
        {std::string(sequence) + R"(, "count": 1)", "/obstacles/0/sequence", "too few", "at least 2"},
        {std::string(sequence) + R"(, "fps": 0)", "/obstacles/0/fps", "out of range", ""},
        {std::string(sequence) + R"(, "fps": -3)", "/obstacles/0/fps", "out of range", ""},
        {std::string(sequence) + R"(, "start": null)", "/obstacles/0/start", "number", ""},
        {std::string(sequence) + R"(, "interpolation": "cubic")", "/obstacles/0/interpolation", "unknown",
         "smooth"},
        {body + R"(, "up": "x")", "/obstacles/0/up", "unknown", ""},
        {body + R"(, "scale": 0)", "/obstacles/0/scale", "out of range", ""},
        {body + R"(, "radius": 1)", "/obstacles/0/radius", "unknown key", ""},
        {body + R"(, "place": [1, 2, 3])", "/obstacles/0/place", "object", ""},
        {body + R"(, "place": {"turn": 3})", "/obstacles/0/place/turn", "unknown key", ""},
        {body + R"(, "place": {"rotate": [0, 0, 1e300]})", "/obstacles/0/place/rotate/2", "out of range",
         "1000000"},
    };
    for (const Row& row : rows) {
        const InputError error = files.refusal(row.keys);
        EXPECT_EQ(error.where().file, "test.json") << row.keys;
        EXPECT_EQ(error.where().place, row.place) << row.keys;
        holds(error.problem(), row.words);
        holds(error.remedy(), row.remedy);
    }
    const InputError place = error_of(
        [&] { parse(small_scene(R"("obstacles": [{"type": "sphere", "radius": 1, "place": {}}])")); });
    EXPECT_EQ(place.where().place, "/obstacles/0/place");
    holds(place.problem(), "type sphere has no 'place'");
}

TEST(MeshObstacles, FaultsOfFilesAreNamedThere) {
    const Files files;
    put_bytes(files.folder / "bad.obj", "v 0 0 0\nv 1 nan 0\n");
    EXPECT_EQ(files.refusal(R"("file": "bad.obj")").where().file, files.path("bad.obj"));
    EXPECT_EQ(files.refusal(R"("file": "bad.obj")").where().place, "line 2");
    put_bytes(files.folder / "bad.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n");
    holds(files.refusal(R"("file": "bad.obj")").problem(), "no faces");
    put_bytes(files.folder / "bad.obj", cube_text() + "v 0 0 9\nl 1 9\n");
    holds(files.refusal(R"("file": "bad.obj")").problem(), "lines");
    put_bytes(files.folder / "bad.obj", cube_text(0, "f 2 4 6\nf 4 8 6\n"));
    const InputError other = files.refusal(R"("file": "bad.obj", )" + std::string(sequence));
    EXPECT_EQ(other.where().file, files.path("frames/cube_0010.obj"));
    holds(other.problem(), "bad.obj");
    put_bytes(files.folder / "bad.obj", cube_text() + "v 0 0 9\nf 1 2 9\n");
    const InputError points = files.refusal(R"("file": "bad.obj", "pc2": "cube.pc2")");
    EXPECT_EQ(points.where().file, files.path("cube.pc2"));
    holds(points.remedy(), "9");
    std::filesystem::remove(files.folder / "frames/cube_0012.obj");
    const InputError gap = files.refusal(sequence);
    EXPECT_EQ(gap.where().place, "/obstacles/0/sequence");
    holds(gap.value(), "cube_0012.obj");
}

TEST(MeshObstacles, ContactRefusesThem) {
    const Files files;
    const Scene scene = files.scene(R"("file": "cube.obj")", R"("filters": {"contact": {}})");
    const InputError error = error_of([&] { run_check(scene); });
    EXPECT_EQ(error.where().file, "test.json");
    holds(error.problem(), "convex");
    holds(error.value(), "body");
    holds(error.remedy(), "collision");
}

std::vector<Finding> check(const Files& files, const std::string& keys) {
    return run_check(files.scene(keys));
}

Finding find(const std::vector<Finding>& findings, const std::string& words) {
    for (const Finding& finding : findings) {
        if (finding.text.find(words) != std::string::npos) return finding;
    }
    return {};
}

TEST(MeshObstacles, CheckHasNothingToSayAboutASoundMesh) {
    const Files files;
    const auto findings = check(files, R"("file": "cube.obj")");
    for (const Finding& finding : findings)
        EXPECT_EQ(finding.text.find("obstacle '"), std::string::npos) << finding.text;
    const Finding none = find(findings, "no filter sees the obstacles");
    holds(none.remedy, "collision");
}

TEST(MeshObstacles, CheckTellsWhatIsWrongWithAMesh) {
    const Files files;
    const auto told = [&](const std::string& text, const std::string& words) {
        put_bytes(files.folder / "odd.obj", text);
        const Finding finding = find(check(files, R"("file": "odd.obj")"), words);
        EXPECT_EQ(finding.pointer, "/obstacles/0") << words;
        EXPECT_EQ(finding.severity, Severity::warning);
        holds(finding.text, "obstacle 'body'");
    };
    told(cube_text(0, "f 2 4 8\n"), "not closed: 3 edges");
    told(cube_text(0, "f 2 6 8 4\n"), "opposite orientation");
    told("v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n", "no area");
    told(cube_text() + "v 3 3 3\nf 1 2 9\n", "more than two faces");
    std::string inside_out = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 1 3 4\n";
    told(inside_out, "face inwards");
}

TEST(MeshObstacles, CheckKnowsWhatIsInside) {
    const Files files;
    EXPECT_EQ(find(check(files, R"("file": "cube.obj")"), "inside obstacle").text, "");
    const Finding start =
        find(check(files, R"("file": "cube.obj", "place": {"translate": [0, 0, 3]})"), "inside");
    holds(start.text, "9 vertices of cloth 'sheet' start inside obstacle 'body', up to 0.5 m deep");
    const std::string pinned = R"("filters": ["stable_projection"], "run": {"duration": 1},
        "pins": [{"group": {"row": 0}}])";
    const auto findings = run_check(files.scene(
        R"("file": "cube.obj", "pc2": "cube.pc2", "fps": 10, "place": {"translate": [0, -0.4, 2.3]})",
        pinned));
    holds(find(findings, "held inside").text, "obstacle 'body'");
}

TEST(MeshObstacles, RunBesideTheCloth) {
    const Files files;
    const auto simulation =
        build(files.scene(sequence, R"("filters": ["stable_projection"], "run": {"duration": 0.05})"));
    EXPECT_EQ(simulation->run({}), RunOutcome::finished);
}

}  // namespace
}  // namespace taut::scene::mesh_obstacles_tests
