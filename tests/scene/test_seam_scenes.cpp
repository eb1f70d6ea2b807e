// Seams and attached pins in scenes: how they are written, what they become, and what `taut check` says.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "scene/scene_text.hpp"
#include "taut/scene/check.hpp"

namespace taut::scene::seam_scenes_tests {
namespace {

// Two panels of 5 x 4 vertices and 0.4 x 0.3 m in the plane of the screen, `gap` apart, with a seam.
std::string panels(double gap, const std::string& keys, const std::string& more = "") {
    const auto panel = [](const char* name, double x) {
        return std::string(R"({"name": ")") + name + R"(", "type": "grid", "nu": 5, "nv": 4, "width": 0.4,
            "height": 0.3, "place": {"rotate": [90, 0, 0], "translate": [)" +
               std::to_string(x) + R"(, 0, 0]}})";
    };
    return R"({"taut": 1, "cloths": [)" + panel("left", 0) + ", " + panel("right", 0.4 + gap) +
           R"(], "pins": [{"group": {"cloth": "left", "corner": ["u0v1", "u1v1"]}}],
               "seams": [{"name": "middle", "from": {"cloth": "left", "edge": "u1"},
                          "to": {"cloth": "right", "edge": "u0"})" +
           (keys.empty() ? "" : ", " + keys) + "}]" + (more.empty() ? "" : ", " + more) + "}";
}

Finding find(const std::vector<Finding>& findings, const std::string& words) {
    for (const Finding& finding : findings) {
        if (finding.text.find(words) != std::string::npos) return finding;
    }
    return {};
}

Finding found(const std::string& text, const std::string& words) {
    return find(run_check(parse(text)), words);
}

TEST(SeamScenes, PairVerticesInOrder) {
    const Model model = assemble(parse(panels(0.1, R"("close": [0.1, 0.6], "length": 0.004)"))).model;
    ASSERT_EQ(model.seams.size(), 1u);
    const Seam& seam = model.seams[0];
    EXPECT_EQ(seam.name, "middle");
    EXPECT_EQ(seam.pairs, (std::vector<std::array<int, 2>>{{4, 20}, {9, 25}, {14, 30}, {19, 35}}));
    for (const double gap : seam.gap) EXPECT_NEAR(gap, 0.1, 1e-12);
    EXPECT_EQ(seam.length, 0.004);
    EXPECT_EQ(seam.close_start, 0.1);
    EXPECT_EQ(seam.close_end, 0.6);
}

TEST(SeamScenes, ReverseTurnsTheSecondSide) {
    const Model model = assemble(parse(panels(0.1, R"("close": [0, 1], "reverse": true)"))).model;
    EXPECT_EQ(model.seams[0].pairs[0], (std::array<int, 2>{4, 35}));
    EXPECT_NEAR(model.seams[0].gap[0], std::hypot(0.1, 0.3), 1e-12);
}

TEST(SeamScenes, SidesMayBeNamedGroups) {
    const std::string text = R"({"taut": 1, "cloths": [{"type": "grid", "nu": 5, "nv": 4}],
        "groups": {"a": {"column": 0}, "b": {"column": -1}},
        "seams": [{"from": "a", "to": "b", "close": [0, 1]}]})";
    const Scene scene = parse(text);
    EXPECT_EQ(scene.seams[0].params.name, "seam0");
    EXPECT_EQ(assemble(scene).model.seams[0].pairs[3], (std::array<int, 2>{15, 19}));
    const Json effective = effective_json(scene);
    EXPECT_EQ(effective["seams"][0].dump(),
              R"({"name":"seam0","length":0.002,"reverse":false,"from":"a","to":"b","close":[0.0,1.0]})");
    EXPECT_EQ(effective_json(parse(effective.dump())), effective);
}

TEST(SeamScenes, RunAndHold) {
    const auto simulation = build(parse(
        panels(0.05, R"("close": [0, 0.3])", R"("run": {"duration": 0.5, "fps": 30, "dt": 0.0166666667})")));
    EXPECT_EQ(simulation->run({}), RunOutcome::finished) << simulation->failure();
    EXPECT_TRUE(simulation->certified());
    const Points& x = simulation->state().x;
    for (const auto& [a, b] : simulation->model().seams[0].pairs) {
        EXPECT_NEAR((x[std::size_t(b)] - x[std::size_t(a)]).norm(), 0.002, 0.002 * 0.001 * (1 + 1e-9));
    }
}

TEST(SeamScenes, CheckHasNothingToSayAboutAGoodSeam) {
    for (const Finding& finding : run_check(parse(panels(0.05, R"("close": [0, 0.5])"))))
        EXPECT_EQ(finding.text.find("seam"), std::string::npos) << finding.text;
    EXPECT_TRUE(found(panels(0.002, ""), "seam").text.empty());
    // The second panel hangs on the seam.
    EXPECT_TRUE(found(panels(0.002, ""), "has no pins").text.empty());
}

TEST(SeamScenes, CheckTellsWhereASeamIsNotClosed) {
    const Finding far = found(panels(0.5, ""), "is closed from the start");
    EXPECT_EQ(far.severity, Severity::error);
    EXPECT_EQ(far.pointer, "/seams/0");
    EXPECT_NE(far.text.find("0.5 m apart where 0.002 m are held"), std::string::npos) << far.text;
    EXPECT_NE(far.text.find("vertex 4 of cloth 'left' and vertex 0 of cloth 'right'"), std::string::npos)
        << far.text;
    EXPECT_NE(far.remedy.find("\"close\": [0, 0.5]"), std::string::npos);
    EXPECT_EQ(found(panels(0.003, ""), "is closed from the start").severity, Severity::warning);
}

TEST(SeamScenes, CheckTellsWhatElseIsWrong) {
    const Finding fast = found(panels(1, R"("close": [0, 0.01])"), "in one step");
    EXPECT_EQ(fast.severity, Severity::warning);
    EXPECT_NE(fast.remedy.find("let it close over"), std::string::npos);
    const Finding thick =
        found(panels(0.05, R"("close": [0, 1])", R"("filters": {"collision": {"thickness": 0.004}})"),
              "collisions keep");
    EXPECT_EQ(thick.severity, Severity::warning);
    EXPECT_EQ(
        found(panels(0.05, R"("close": [0, 1])", R"("filters": [])"), "no filter promises to hold the seams")
            .pointer,
        "/seams");
    const std::string pinned = R"({"taut": 1, "cloths": [{"type": "grid", "nu": 5, "nv": 4}],
        "pins": [{"group": {"corner": ["u0v0", "u1v0"]}}],
        "seams": [{"from": {"column": 0}, "to": {"column": 4}, "close": [0, 1]}]})";
    EXPECT_EQ(found(pinned, "cannot close between pins").severity, Severity::error);
}

// A sheet pinned by one edge to an obstacle with these keys.
std::string attached(const std::string& obstacle, const std::string& pin = "") {
    return R"({"taut": 1, "cloths": [{"name": "sheet", "type": "grid", "nu": 5, "nv": 4,
               "place": {"translate": [2, 0, 1]}}],
               "pins": [{"group": {"edge": "u0"}, "attach": "body")" +
           pin + R"(}], "filters": ["stable_projection"], "obstacles": [{"name": "body", )" + obstacle +
           "}]}";
}

const char* const turning = R"("motion": {"interpolation": "linear", "keyframes": [
    {"time": 0, "translate": [0, 0, 1]}, {"time": 1, "translate": [0, 0, 2], "rotate": [0, 0, 90]}]})";

TEST(AttachedPins, FollowTheMotionOfTheObstacle) {
    const Assembly a =
        assemble(parse(attached(std::string(R"("type": "box", "size": [1, 1, 1], )") + turning)));
    const PinGroup& pin = a.model.pins[0];
    EXPECT_FALSE(pin.carrier);
    EXPECT_EQ(pin.targets(0)[0], a.start.x[0]);
    EXPECT_NEAR((pin.targets(0)[0] - Vec3(2, 0, 1)).norm(), 0, 1e-14);
    EXPECT_NEAR((pin.targets(1)[0] - Vec3(0, 2, 2)).norm(), 0, 1e-14);
    // At the start they move with it: a quarter turn a second at 2 m from the axis, and 1 m/s up.
    EXPECT_NEAR((a.start.v[0] - Vec3(0, std::numbers::pi, 1)).norm(), 0, 1e-4);
    EXPECT_EQ(a.start.v[1], Vec3::Zero());
}

TEST(AttachedPins, FollowTheSkinOfABody) {
    for (const std::string& rigid : {std::string(), std::string(R"(, "rigid": true)")}) {
        const Scene scene = parse(attached(R"("type": "mannequin", "action": "walk")", rigid));
        const Assembly a = assemble(scene);
        const PinGroup& pin = a.model.pins[0];
        ASSERT_TRUE(pin.carrier);
        const Points start = pin.targets(0), later = pin.targets(2);
        EXPECT_NEAR((start[0] - Vec3(2, 0, 1)).norm(), 0, 1e-12);
        EXPECT_LT(later[0].y(), -0.3);
        const double before = (start[1] - start[0]).norm(), after = (later[1] - later[0]).norm();
        if (!rigid.empty()) {
            EXPECT_NEAR(after, before, 1e-12);
        }
        const Json effective = effective_json(scene);
        EXPECT_EQ(effective["pins"][0]["attach"], "body");
        EXPECT_FALSE(effective_json(parse(small_scene()))["pins"][0].contains("attach"));
        EXPECT_EQ(effective_json(parse(effective.dump())), effective);
    }
}

TEST(AttachedPins, StepWithTheObstacle) {
    const auto simulation =
        build(parse(attached(std::string(R"("type": "sphere", "radius": 0.2, )") + turning)));
    const StepResult result = simulation->try_step(0.01);
    EXPECT_TRUE(result.report.held) << result.report.note;
    for (const int v : {0, 5, 10, 15})
        EXPECT_EQ(result.state.x[std::size_t(v)],
                  simulation->model().pins[0].targets(0.01)[std::size_t(v) / 5]);
}

// A ring of cloth around the waist: each vertex on its own would be pulled apart by the skin.
TEST(AttachedPins, CheckTellsOfSkinThatStretches) {
    const std::string text =
        R"({"taut": 1, "cloths": [{"type": "cone", "around": 64, "along": 3, "radius_top": 0.17,
        "radius_bottom": 0.2, "height": 0.1, "place": {"translate": [0, 0, 0.95]}}],
        "pins": [{"group": {"edge": "v0"}, "attach": "dancer"}],
        "filters": {"stable_projection": {"tolerance": 0.00001}},
        "obstacles": [{"name": "dancer", "type": "mannequin", "action": "pirouette"}]})";
    const Finding finding = found(text, "infeasible pins at");
    EXPECT_EQ(finding.severity, Severity::error);
    EXPECT_NE(finding.remedy.find("\"rigid\": true"), std::string::npos) << finding.remedy;
    const auto findings = run_check(parse(text, {"pins/0/rigid=true"}));
    EXPECT_TRUE(find(findings, "infeasible pins").text.empty());
}

TEST(AttachedPins, CheckTellsWhatIsFarFromItsObstacle) {
    const Finding far = found(attached(R"("type": "box", "size": [1, 1, 1])"), "from its surface");
    EXPECT_EQ(far.severity, Severity::warning);
    EXPECT_EQ(far.pointer, "/pins/0");
    EXPECT_NE(
        far.text.find("pin 'pin0' is attached to obstacle 'body', but vertex 15 of cloth 'sheet' starts "
                      "1.66 m from its surface, 3 more of its 4 too far as well"),
        std::string::npos)
        << far.text;
    EXPECT_NE(far.remedy.find("'place'"), std::string::npos);

    // On it, a little off, and inside are fine.
    for (const char* center : {"[1.5, 0.5, 1]", "[1.46, 0.5, 1]", "[2, 0.5, 1]"}) {
        const std::string box = std::string(R"("type": "box", "size": [1, 2, 1], "center": )") + center;
        EXPECT_EQ(found(attached(box), "from its surface").text, "") << center;
    }
}

TEST(AttachedPins, CheckTellsOfADancerWhoWasMoved) {
    const auto skirt = [](const char* keys) {
        return std::string(
                   R"({"taut": 1, "cloths": [{"name": "skirt", "type": "skirt", "around": 32, "along": 9}],
            "pins": [{"name": "band", "group": {"cloth": "skirt", "part": "top"}, "attach": "dancer"}],
            "filters": ["stable_projection"], "obstacles": [{"name": "dancer", "type": "mannequin")") +
               keys + "}]}";
    };
    const Finding moved = found(skirt(R"(, "position": [1, 0, 0])"), "from its surface");
    EXPECT_EQ(moved.severity, Severity::warning);
    EXPECT_NE(moved.text.find("of cloth 'skirt'"), std::string::npos) << moved.text;
    EXPECT_NE(moved.text.find("31 more of its 32"), std::string::npos) << moved.text;
    EXPECT_EQ(found(skirt(""), "from its surface").text, "");
}

TEST(AttachedPins, AreCheckedAlongTheMotionOfTheObstacle) {
    const std::string text = R"({"taut": 1, "cloths": [{"name": "sheet", "type": "grid", "nu": 5, "nv": 5}],
        "pins": [{"group": {"corner": "u0v0"}}, {"name": "hand", "group": {"corner": "u1v1"}, "attach": "ball"}],
        "filters": ["stable_projection"], "obstacles": [{"name": "ball", "type": "sphere", "radius": 0.1,
        "center": [1, 1, 0], "motion": {"keyframes": [{"time": 0}, {"time": 1, "translate": [3, 0, 0]}]}}]})";
    const auto findings = run_check(parse(text));
    const Finding far = find(findings, "infeasible pins at");
    EXPECT_EQ(far.severity, Severity::error);
    EXPECT_EQ(far.pointer, "/pins/1");
    // What is attached may lie inside: it moves along.
    EXPECT_TRUE(find(findings, "is held inside").text.empty());
}

}  // namespace
}  // namespace taut::scene::seam_scenes_tests
