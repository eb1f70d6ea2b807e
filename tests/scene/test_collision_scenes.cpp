// The filter `collision` in scenes: when a chain has it, thickness and friction of cloths and pairs, the
// mannequin, and what `taut check` says about the start.
#include <gtest/gtest.h>

#include <cmath>

#include "scene/scene_text.hpp"
#include "taut/scene/check.hpp"
#include "taut/sim/step_statistics.hpp"

namespace taut::scene::collision_scenes_tests {
namespace {

using Names = std::vector<std::string>;

const std::string ball =
    R"("obstacles": [{"name": "ball", "type": "sphere", "radius": 0.1, "center": [9, 9, 9]}])";
const std::string dancer = R"("obstacles": [{"name": "dancer", "type": "mannequin", "position": [9, 9, 9]}])";

Names filters(const std::string& more) {
    Names names;
    for (const Piece& piece : parse(small_scene(more)).filters) names.push_back(piece.entry->name);
    return names;
}

// Two sheets of 1 m, the second above the first by so much, under the filter collision.
std::string two_sheets(double above, const std::string& keys = "", const std::string& more = "") {
    return R"({"taut": 1, "cloths": [{"name": "low", "type": "grid", "nu": 11, "nv": 11},
               {"name": "high", "type": "grid", "nu": 11, "nv": 11)" +
           keys + R"(, "place": {"translate": [0.03, 0.04, )" + std::to_string(above) + "]}}]" +
           R"(, "filters": {"collision": {}})" + more + "}";
}

Finding find(const std::vector<Finding>& findings, const std::string& words) {
    for (const Finding& finding : findings) {
        if (finding.text.find(words) != std::string::npos) return finding;
    }
    return {};
}

void holds(const std::string& text, const std::string& words) {
    EXPECT_NE(text.find(words), std::string::npos) << "'" << words << "' is not in: " << text;
}

TEST(CollisionScenes, CollisionTakesThePlaceOfContact) {
    EXPECT_EQ(filters(ball), (Names{"stable_projection", "contact"}));
    EXPECT_EQ(filters(ball + R"(, "filters": {"collision": {}})"), (Names{"stable_projection", "collision"}));
    EXPECT_EQ(filters(ball + R"(, "filters": {"collision": {}, "contact": null})"),
              (Names{"stable_projection", "collision"}));
    EXPECT_EQ(filters(R"("filters": {"collision": {}})"), (Names{"stable_projection", "collision"}));
    EXPECT_EQ(filters(R"("filters": ["contact"])"), (Names{"contact"}));
}

TEST(CollisionScenes, MeshesAskForCollision) {
    EXPECT_EQ(filters(dancer), (Names{"stable_projection", "collision"}));
    EXPECT_EQ(filters(dancer + R"(, "filters": {"stable_projection": {"tolerance": 0.01}})"),
              (Names{"stable_projection", "collision"}));
    EXPECT_EQ(filters(dancer + R"(, "filters": {"collision": {"thickness": 0.002}})"),
              (Names{"stable_projection", "collision"}));
    EXPECT_EQ(filters(dancer + R"(, "filters": {"contact": null})"), (Names{"stable_projection"}));
    EXPECT_EQ(filters(dancer + R"(, "filters": {"collision": null})"), (Names{"stable_projection"}));
    EXPECT_EQ(filters(dancer + R"(, "filters": {"contact": {}})"), (Names{"stable_projection", "contact"}));
    EXPECT_EQ(filters(dancer + R"(, "filters": ["stable_projection"])"), (Names{"stable_projection"}));
    EXPECT_EQ(filters(dancer + R"(, "preset": "implicit_springs")"), (Names{"collision"}));
}

TEST(CollisionScenes, TheEffectiveSceneIsTheSame) {
    const std::string more =
        dancer + R"(, "friction": [{"between": ["sheet", "dancer"], "coefficient": 0.4}])";
    const Json effective = effective_json(parse(small_scene(more)));
    EXPECT_EQ(effective["friction"][0].dump(), R"({"between":["sheet","dancer"],"coefficient":0.4})");
    EXPECT_EQ(effective_json(parse(effective.dump())), effective);
}

TEST(CollisionScenes, ThicknessAndFrictionReachTheModel) {
    const Assembly assembly = assemble(parse(two_sheets(1, R"(, "thickness": 0.004, "friction": 0.7)")));
    EXPECT_EQ(assembly.model.cloths[0].thickness, 0);
    EXPECT_EQ(assembly.model.cloths[0].friction, 0.3);
    EXPECT_EQ(assembly.model.cloths[1].thickness, 0.004);
    EXPECT_EQ(assembly.model.cloths[1].friction, 0.7);
}

// A sheet lies on an inclined box of friction 0; a pair of its own holds it there.
TEST(CollisionScenes, FrictionOfAPairCountsInTheStep) {
    const std::string scene = R"({"taut": 1, "cloths": [{"name": "sheet", "type": "grid", "nu": 6, "nv": 6,
        "width": 0.5, "height": 0.5, "place": {"rotate": [0, 20, 0], "translate": [-0.0635, -0.25, 0.5564]}}],
        "obstacles": [{"name": "ramp", "type": "box", "size": [4, 4, 1], "friction": 0,
                       "motion": {"keyframes": [{"time": 0, "rotate": [0, 20, 0]}]}}],
        "filters": {"collision": {}}, "run": {"dt": 0.01, "fps": 20, "duration": 0.2})";
    const auto slid = [&](const std::string& more) {
        const auto simulation = build(parse(scene + more + "}"));
        const Vec3 before = simulation->state().x[0];
        EXPECT_EQ(simulation->run({}), RunOutcome::finished);
        return (simulation->state().x[0] - before).norm();
    };
    const double free = slid(""),
                 held = slid(R"(, "friction": [{"between": ["ramp", "sheet"], "coefficient": 2}])");
    EXPECT_GT(free, 0.02);
    EXPECT_LT(held, 0.1 * free);
}

// Tilted gravity instead of a tilted plane: the way of a sheet that slides, whatever the integrator.
TEST(CollisionScenes, ASheetSlidesAsCoulombSays) {
    constexpr double along = 3.3552, down = 9.2184, friction = 0.2, seconds = 0.25, dt = 1.0 / 120;
    for (const char* filter : {"contact", "collision"}) {
        for (const char* integrator :
             {"bdf2", "midpoint", "implicit_euler", "symplectic_euler", "velocity_verlet"}) {
            const auto simulation = build(parse(
                R"({"taut": 1, "cloths": [{"type": "grid", "nu": 5, "nv": 5, "width": 0.1, "height": 0.1,
                                           "place": {"translate": [0, 0, 0.001]}}],
                    "obstacles": [{"type": "plane", "friction": 0.2}], "run": {"duration": 0.25},
                    "forces": {"gravity": {"acceleration": [3.3552, 0, -9.2184]}, "velocity_damping": null},
                    "filters": {")" +
                std::string(filter) + R"(": {}}, "integrator": ")" + integrator + R"("})"));
            EXPECT_EQ(simulation->run({}), RunOutcome::finished);
            // Schemes of first order go half a step further.
            const double gain = along - friction * down, way = simulation->state().x[0].x();
            EXPECT_GT(way, 0.5 * gain * seconds * seconds * 0.97) << filter << " " << integrator;
            EXPECT_LT(way, 0.5 * gain * seconds * (seconds + dt) * 1.03) << filter << " " << integrator;
        }
    }
}

// A coarse sheet that folds over a small ball.
TEST(CollisionScenes, ContactAddsNoEnergy) {
    const auto simulation = build(parse(R"({"taut": 1,
        "cloths": [{"type": "grid", "nu": 13, "nv": 13, "width": 0.4, "height": 0.4,
                    "place": {"translate": [-0.2, -0.2, 0.3]}}],
        "obstacles": [{"type": "sphere", "center": [0, 0, 0.15], "radius": 0.06}, {"type": "plane"}],
        "run": {"duration": 0.6}})"));
    EXPECT_EQ(simulation->run({}), RunOutcome::finished);
    EXPECT_LE(simulation->totals().energy_max, simulation->totals().energy_start * (1 + 1e-9));
}

// What hangs over a table swings out, though shear is stiff: forces within a step know of contacts.
TEST(CollisionScenes, StiffClothComesToRestOnATable) {
    const auto simulation = build(parse(R"({"taut": 1,
        "cloths": [{"type": "grid", "nu": 13, "nv": 13, "width": 0.3, "height": 0.3,
                    "place": {"translate": [-0.15, -0.15, 0.305]}}],
        "obstacles": [{"type": "box", "center": [0, 0, 0.25], "size": [0.2, 0.2, 0.1], "friction": 0.8}],
        "forces": {"shear_springs": {"stiffness": 20}, "velocity_damping": {"rate": 2}},
        "filters": {"collision": {}}, "run": {"duration": 1.5}})"));
    EXPECT_EQ(simulation->run({}), RunOutcome::finished);
    const RunTotals& totals = simulation->totals();
    EXPECT_LE(totals.energy_max, totals.energy_start * 1.02);
    EXPECT_LT(kinetic_energy(simulation->model(), simulation->state().v), 5e-5);
}

TEST(CollisionScenes, TheMannequinIsAMesh) {
    const auto obstacles = make_obstacles(parse(small_scene(
        R"("obstacles": [{"type": "mannequin", "place": {"translate": [0, 0, 5]}, "friction": 0.5},
                         {"type": "mannequin", "action": "walk", "start": 1,
                          "motion": {"keyframes": [{"time": 0, "translate": [0, 0, 1]}]}}])")));
    EXPECT_EQ(obstacles[0].shape, collision::Shape::mesh);
    EXPECT_EQ(obstacles[0].friction, 0.5);
    EXPECT_FALSE(obstacles[0].mesh->deformation);
    EXPECT_NEAR(collision::distances(obstacles[0], 0, Points{Vec3(0, 0, 4)})[0], 1, 1e-2);
    EXPECT_LT(collision::distances(obstacles[0], 0, Points{Vec3(0, 0, 6)})[0], 0);
    ASSERT_TRUE(obstacles[1].mesh->deformation);
    const Points still = collision::points_at(obstacles[1], 1), later = collision::points_at(obstacles[1], 3);
    EXPECT_NEAR((still[0] - obstacles[1].mesh->rest[0] - Vec3(0, 0, 1)).norm(), 0, 1e-12);
    EXPECT_LT(later[0].y(), still[0].y() - 0.5);
}

TEST(CollisionScenes, NormalsOfAnyLength) {
    for (const char* normal : {"[1e300, 1e300, 1e300]", "[1e-300, 1e-300, 1e-300]", "[2, 2, 2]"}) {
        const auto planes = make_obstacles(
            parse(small_scene(R"("obstacles": [{"type": "plane", "normal": )" + std::string(normal) + "}]")));
        EXPECT_NEAR((planes[0].normal - Vec3::Constant(std::sqrt(1.0 / 3))).norm(), 0, 1e-15) << normal;
    }
}

TEST(CollisionScenes, UnknownKeysListEachKeyOnce) {
    const std::string remedy =
        error_of([] {
            parse(small_scene(R"("obstacles": [{"type": "sphere", "radius": 1, "xxxxxxxxx": 1}])"));
        }).remedy();
    const std::size_t first = remedy.find(" type");
    ASSERT_NE(first, std::string::npos) << remedy;
    EXPECT_EQ(remedy.find(" type", first + 1), std::string::npos) << remedy;
}

TEST(CollisionScenes, ClothTooThickForItsEdges) {
    const Finding finding = find(run_check(parse(two_sheets(1, R"(, "thickness": 0.05)"))), "too thick");
    EXPECT_EQ(finding.severity, Severity::warning);
    EXPECT_EQ(finding.pointer, "/cloths/1");
    holds(finding.text, "keeps 0.04 m of 0.05 m");
    const auto findings = run_check(parse(two_sheets(1, "", R"(, "run": {"duration": 1})")));
    EXPECT_TRUE(find(findings, "too thick").text.empty());
}

TEST(CollisionScenes, SurfacesThatStartClose) {
    const Finding cloths = find(run_check(parse(two_sheets(0.0004))), "starts 0.0004 m from cloth 'low'");
    EXPECT_EQ(cloths.severity, Severity::note);
    EXPECT_EQ(cloths.pointer, "/cloths/1");
    holds(cloths.text, "0.001 m are kept");
    const std::string floor =
        R"(, "obstacles": [{"name": "floor", "type": "plane", "point": [0, 0, -0.0002]}])";
    const Finding plane = find(run_check(parse(two_sheets(1, "", floor))), "from obstacle 'floor'");
    EXPECT_EQ(plane.pointer, "/cloths/0");
    EXPECT_TRUE(find(run_check(parse(two_sheets(0.002))), "are kept").text.empty());
    const std::string table =
        R"(, "obstacles": [{"name": "table", "type": "box", "center": [0, 0, -0.5], "size": [4, 4, 1]}])";
    holds(find(run_check(parse(two_sheets(1, "", table))), "from obstacle 'table'").text, "starts 0 m");
}

TEST(CollisionScenes, AStartThatIntersects) {
    std::string scene = two_sheets(0.05);
    scene.replace(scene.find("\"translate\": [0.03"), 0, R"("rotate": [30, 0, 0], )");
    Finding finding = find(run_check(parse(scene)), "the start intersects");
    EXPECT_TRUE(finding.text.empty()) << finding.text;
    scene.replace(scene.find("30, 0, 0]"), 2, "-30");
    finding = find(run_check(parse(scene)), "the start intersects");
    EXPECT_EQ(finding.severity, Severity::error);
    EXPECT_TRUE(finding.refused);
    EXPECT_EQ(finding.pointer, "/cloths/0");
    holds(finding.text, "of cloth 'low' and face");
    holds(finding.text, "pairs of triangles in all");
    holds(finding.remedy, "untangle");
    EXPECT_FALSE(finding.faces.empty());
    for (const std::string choice : {"exempt", "untangle"}) {
        std::string other = scene;
        other.replace(other.find("\"collision\": {}"), 15,
                      "\"collision\": {\"tangles\": \"" + choice + "\"}");
        finding = find(run_check(parse(other)), "the start intersects");
        EXPECT_EQ(finding.severity, Severity::warning);
        EXPECT_FALSE(finding.refused);
    }
    const std::string box = R"(, "obstacles": [{"name": "box", "type": "box", "size": [0.1, 0.1, 0.1]}])";
    finding = find(run_check(parse(two_sheets(1, "", box))), "the start intersects");
    holds(finding.text, "of obstacle 'box'");
}

TEST(CollisionScenes, FrictionThatNothingAsksFor) {
    const std::string pair = R"(, "friction": [{"between": ["sheet", "ball"], "coefficient": 0.4}])";
    const Finding unheard = find(run_check(parse(small_scene(ball + pair))), "friction of pairs");
    EXPECT_EQ(unheard.pointer, "/friction");
    holds(unheard.remedy, R"("filters": {"collision": {}})");
    EXPECT_TRUE(find(run_check(parse(small_scene(ball + pair + R"(, "filters": {"collision": {}})"))),
                     "friction of pairs")
                    .text.empty());
}

}  // namespace
}  // namespace taut::scene::collision_scenes_tests
