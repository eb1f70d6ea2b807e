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

Names filters_of(const std::string& text) {
    Names names;
    for (const Piece& piece : parse(text).filters) names.push_back(piece.entry->name);
    return names;
}

Names filters(const std::string& more) { return filters_of(small_scene(more)); }

// Two sheets of 1 m, the second shifted by so much and with these keys, and `more` at the top level.
std::string shifted(const std::string& by, const std::string& more = "", const std::string& keys = "") {
    return R"({"taut": 1, "cloths": [{"name": "one", "type": "grid", "nu": 5, "nv": 5},
               {"name": "other", "type": "grid", "nu": 5, "nv": 5, "place": {"translate": )" +
           by + "}" + keys + "}]" + (more.empty() ? "" : ", " + more) + "}";
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

TEST(CollisionScenes, ASecondClothAsksForCollision) {
    const auto two = [](const std::string& more) { return filters_of(shifted("[0, 0, 1]", more)); };
    EXPECT_EQ(two(""), (Names{"stable_projection", "collision"}));
    EXPECT_EQ(two(ball), (Names{"stable_projection", "collision"}));
    EXPECT_EQ(two(R"("filters": {"stable_projection": {"tolerance": 0.01}})"),
              (Names{"stable_projection", "collision"}));
    EXPECT_EQ(two(R"("preset": "implicit_springs")"), (Names{"collision"}));

    // A scene that has its say about either gets what it says.
    EXPECT_EQ(two(R"("filters": {"collision": {"thickness": 0.002}})"),
              (Names{"stable_projection", "collision"}));
    EXPECT_EQ(two(R"("filters": {"collision": null})"), (Names{"stable_projection"}));
    EXPECT_EQ(two(ball + R"(, "filters": {"collision": null})"), (Names{"stable_projection", "contact"}));
    EXPECT_EQ(two(dancer + R"(, "filters": {"collision": null})"), (Names{"stable_projection"}));
    EXPECT_EQ(two(R"("filters": {"contact": null})"), (Names{"stable_projection"}));
    EXPECT_EQ(two(ball + R"(, "filters": {"contact": {}})"), (Names{"stable_projection", "contact"}));
    EXPECT_EQ(two(R"("filters": ["stable_projection"])"), (Names{"stable_projection"}));
    const Json effective = effective_json(parse(shifted("[0, 0, 1]")));
    EXPECT_EQ(effective_json(parse(effective.dump())), effective);
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

TEST(CollisionScenes, AStartInASolid) {
    // Balls in a face, around a vertex, touching; a half space above.
    struct Case {
        const char *obstacle, *words;
    };
    const Case cases[] = {
        {R"("type": "sphere", "center": [0.07, 0.03, 0], "radius": 0.005)", "reaches 0.005 m into"},
        {R"("type": "sphere", "center": [0.5, 0.5, 0], "radius": 0.3)", "triangles in all"},
        {R"("type": "sphere", "center": [0.5, 0.5, -0.125], "radius": 0.125)", "touches obstacle 'solid'"},
        {R"("type": "capsule", "start": [0.07, 0.03, -1], "end": [0.07, 0.03, 0.5], "radius": 0.005)",
         "reaches 0.005 m into"},
        {R"("type": "plane", "point": [0, 0, 0.5])", "121 vertices in all"}};
    for (const auto& [obstacle, words] : cases) {
        const std::string more = R"(, "obstacles": [{"name": "solid", )" + std::string(obstacle) + "}]";
        const auto findings = run_check(parse(two_sheets(1, "", more)));
        const Finding finding = find(findings, "the start intersects");
        EXPECT_TRUE(finding.refused) << obstacle;
        EXPECT_EQ(finding.severity, Severity::error);
        EXPECT_EQ(finding.pointer, "/cloths/0");
        holds(finding.text, words);
        EXPECT_TRUE(find(findings, "start inside").text.empty()) << "told once";
    }
    const std::string on_floor = R"(, "obstacles": [{"name": "solid", "type": "plane", "point": [0, 0, 0]}])";
    EXPECT_FALSE(has_errors(run_check(parse(two_sheets(1, "", on_floor))))) << "lies on it";
}

TEST(CollisionScenes, WhatPinsHoldInASolidIsCountedOnly) {
    // A corner on the axis of a pole: nobody but who wrote the pins can mend that.
    const std::string pole =
        R"(, "obstacles": [{"name": "pole", "type": "capsule", "start": [0, 0, -1], "end": [0, 0, 1], "radius": 0.02}],
           "pins": [{"group": {"cloth": "low", "corner": "u0v0"}}], "run": {"duration": 0.05})";
    const auto findings = run_check(parse(two_sheets(0.1, "", pole)));
    EXPECT_FALSE(has_errors(findings));
    EXPECT_EQ(find(findings, "held inside obstacle 'pole'").severity, Severity::warning);

    const auto simulation = build(parse(two_sheets(0.1, "", pole)));
    EXPECT_EQ(simulation->run({}), RunOutcome::finished) << simulation->failure();
    EXPECT_TRUE(simulation->certified());
    EXPECT_GT(simulation->totals().intersections, 0);
    EXPECT_LT(simulation->totals().distance, -0.01) << "inside counts as negative";
}

TEST(CollisionScenes, ClothsThatNothingKeepsApart) {
    const std::string words = "no filter keeps cloths apart", list = R"("filters": ["stable_projection"])";
    const auto told = [&](const std::string& text) { return find(run_check(parse(text)), words); };
    const Finding above = told(shifted("[0, 0, 1]", list));
    EXPECT_EQ(above.severity, Severity::warning);
    EXPECT_EQ(above.pointer, "/filters");
    EXPECT_EQ(above.text, "cloths 'one' and 'other' may pass through each other: " + words);
    holds(above.remedy, R"(put {"type": "collision"} at the end)");
    holds(told(shifted("[0, 0, 1]", ball + R"(, "filters": {"collision": null})")).remedy,
          "place of contact");
    EXPECT_TRUE(told(shifted("[0, 0, 1]", R"("filters": ["collision"])")).text.empty());
    EXPECT_TRUE(told(small_scene(list)).text.empty());

    // Side by side it is a note, unless the cloth flies there or pins take it.
    const Finding beside = told(shifted("[3, 0, 0]", list));
    EXPECT_EQ(beside.severity, Severity::note);
    holds(beside.text, "would pass through each other if they met");
    EXPECT_EQ(told(shifted("[3, 0, 0]", list, R"(, "velocity": [-1.5, 0, 0])")).severity, Severity::warning);
    const std::string carried = R"(, "pins": [{"group": {"cloth": "other", "corner": "u0v0"}, "motion":
        {"keyframes": [{"time": 0}, {"time": 1, "translate": [-2.5, 0, 0]}]}}])";
    EXPECT_EQ(told(shifted("[3, 0, 0]", list + carried)).severity, Severity::warning);

    // Of many pairs one is named.
    std::string three = shifted("[0, 0, 1]", list);
    three.replace(
        three.find("\"cloths\": ["), 11,
        R"("cloths": [{"name": "low", "type": "grid", "nu": 5, "nv": 5, "place": {"translate": [0, 0, -1]}}, )");
    holds(told(three).text, "cloths 'low' and 'one'");
    holds(told(three).text, "(and 2 more pairs)");
}

TEST(CollisionScenes, CollisionThatCameByItselfForClothsFarApart) {
    const auto told = [](const std::string& text) { return find(run_check(parse(text)), "came by itself"); };
    const Finding apart = told(shifted("[3, 0, 0]"));
    EXPECT_EQ(apart.severity, Severity::note);
    holds(apart.remedy, R"("collision": null)");
    EXPECT_TRUE(told(shifted("[0, 0, 1]")).text.empty());
    EXPECT_TRUE(told(shifted("[3, 0, 0]", R"("filters": {"collision": {}})")).text.empty());
    EXPECT_TRUE(told(shifted("[3, 0, 0]", dancer)).text.empty());
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
