// Pins with `on` in scenes: what they become, where and how fast their vertices start, every mistake in them,
// and curtains that run on a rail which moves.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "scene/scene_text.hpp"
#include "taut/scene/check.hpp"

namespace taut::scene::guides_tests {
namespace {

// A 5 x 4 sheet of a square metre with this pin at its first edge, and `more` at the top level.
std::string with_pin(const std::string& pin, const std::string& more = "") {
    return one_cloth(
        R"("name": "sheet", "type": "grid", "nu": 5, "nv": 4)",
        R"("pins": [{"group": {"edge": "v0"}, )" + pin + "}]" + (more.empty() ? "" : ", " + more));
}

std::string on(const std::string& shape, const std::string& more = "") {
    return with_pin(R"("on": {"type": )" + shape + "}" + more);
}

const char* const line = R"("line", "point": [0, 0, 1], "axis": [2, 0, 0])";
const char* const bent = R"("polyline", "points": [[0, 0, 0], [1, 0, 0], [1, 1, 0.5]])";

const std::vector<std::string> shapes{
    line,
    R"("circle", "point": [0, 1, 0], "axis": [0, 0, -3], "radius": 0.25)",
    bent,
    R"("polyline", "points": [[0, 0, 0], [1, 0, 0], [1, 1, 0]], "closed": true)",
    R"("plane", "point": [0, 0.5, 0], "axis": [0, 1, 0])",
    R"("sphere", "point": [0, 0, 2], "radius": 1.5)",
    R"("cylinder", "point": [0, 0, 2], "axis": [1, 1, 0], "radius": 0.5)"};

TEST(Guides, BecomeWhatTheySay) {
    const auto made = [](const std::string& shape) { return assemble(parse(on(shape))).model.guides.at(0); };
    const Guide rail = made(line);
    EXPECT_EQ(rail.name, "pin0");
    EXPECT_EQ(rail.shape, GuideShape::line);
    EXPECT_EQ(rail.vertices, (std::vector<int>{0, 1, 2, 3, 4}));
    EXPECT_EQ(rail.point, Vec3(0, 0, 1));
    EXPECT_EQ(rail.axis, Vec3(1, 0, 0));
    EXPECT_TRUE(std::isinf(rail.release));
    EXPECT_FALSE(rail.motion.moving());
    EXPECT_EQ(made(shapes[1]).shape, GuideShape::circle);
    EXPECT_EQ(made(shapes[1]).radius, 0.25);
    EXPECT_EQ(made(shapes[1]).axis, Vec3(0, 0, -1));
    EXPECT_EQ(made(bent).shape, GuideShape::polyline);
    EXPECT_EQ(made(bent).points, (Points{{0, 0, 0}, {1, 0, 0}, {1, 1, 0.5}}));
    EXPECT_FALSE(made(bent).closed);
    EXPECT_TRUE(made(shapes[3]).closed);
    EXPECT_EQ(made(shapes[4]).shape, GuideShape::plane);
    EXPECT_EQ(made(shapes[5]).shape, GuideShape::sphere);
    EXPECT_EQ(made(shapes[6]).shape, GuideShape::cylinder);
    EXPECT_EQ(assemble(parse(on(line, R"(, "release": 0.5)"))).model.guides.at(0).release, 0.5);
}

TEST(Guides, AreTheLastFilterAndOnlyWhereTheyAre) {
    const auto last = [](const std::string& text) {
        const Scene scene = parse(text);
        return std::string(make_pipeline(scene, assemble(scene)).filters.back()->name());
    };
    EXPECT_EQ(last(on(line)), "guides");
    EXPECT_NE(last(small_scene()), "guides");
}

TEST(Guides, NamedGroupsAndNames) {
    const std::string text =
        one_cloth(R"("type": "grid", "nu": 5, "nv": 4)", R"("groups": {"rings": {"row": 0}},
        "pins": [{"group": {"corner": "u0v1"}}, {"name": "rail", "group": "rings", "on": {"type": )" +
                                                             std::string(line) + "}}]");
    const Scene scene = parse(text);
    EXPECT_EQ(scene.pins.at(0).params.name, "pin0");
    EXPECT_EQ(scene.guides.at(0).params.name, "rail");
    EXPECT_EQ(assemble(scene).model.guides.at(0).vertices.size(), 5u);
    EXPECT_EQ(assemble(parse(text, {"pins/1/on/axis=[0, 1, 0]"})).model.guides.at(0).axis, Vec3::UnitY());
}

// A run leaves its scene with all that was not said; that scene must be one.
TEST(Guides, EffectiveScenesReadBack) {
    for (const std::string& shape : shapes) {
        const std::string motion =
            R"(, "release": 2, "motion": {"keyframes": [{"time": 0}, {"time": 1, "translate": [0, 0, 1]}]})";
        for (const std::string& more : {std::string(), motion}) {
            const Json effective = effective_json(parse(on(shape, more)));
            EXPECT_EQ(effective_json(parse(effective.dump())), effective);
            EXPECT_EQ(effective["pins"][0]["name"], "pin0");
        }
    }
    EXPECT_EQ(effective_json(parse(on(line)))["pins"][0]["on"].dump(),
              R"({"type":"line","point":[0.0,0.0,1.0],"axis":[2.0,0.0,0.0]})");
}

TEST(Guides, VerticesStartOnThem) {
    const Assembly given = assemble(parse(one_cloth(R"("type": "grid", "nu": 5, "nv": 4)")));
    for (const std::string& shape : shapes) {
        const Assembly a = assemble(parse(on(shape)));
        const Guide& guide = a.model.guides.at(0);
        for (std::size_t v = 0; v < a.start.x.size(); ++v) {
            if (v >= 5) {
                EXPECT_EQ(a.start.x[v], given.start.x[v]);
                continue;
            }
            EXPECT_EQ(a.start.x[v], guide.nearest(given.start.x[v], 0));
            EXPECT_LE(guide.distance(a.start.x[v], 0), 1e-15);
        }
    }
}

// Along a guide they keep the velocity of the cloth, across it they have that of the guide.
TEST(Guides, VerticesStartWithTheirVelocity) {
    const std::string text = one_cloth(
        R"("type": "grid", "nu": 5, "nv": 4, "velocity": [3, 4, 5])",
        R"("pins": [{"group": {"edge": "v0"}, "on": {"type": "line", "point": [0, 0, 0], "axis": [1, 0, 0]},
            "motion": {"interpolation": "linear", "keyframes": [{"time": 0}, {"time": 1, "translate": [7, 8, 9]}]}}])");
    const Assembly a = assemble(parse(text));
    EXPECT_LE((a.start.v[2] - Vec3(3, 8, 9)).norm(), 1e-8);
    EXPECT_EQ(a.start.v[7], Vec3(3, 4, 5));

    // One that is released at once is none.
    const Assembly free = assemble(parse(text, {"pins/0/release=0"}));
    EXPECT_EQ(free.start.v[2], Vec3(3, 4, 5));
}

// What is attached is where the scene says at the start, and goes with its obstacle from there.
TEST(Guides, AreCarriedByObstacles) {
    const std::string body =
        R"("obstacles": [{"name": "body", "type": "sphere", "radius": 0.1, "center": [0, 0, 5],
        "motion": {"interpolation": "linear", "keyframes": [{"time": 0, "translate": [0, 0, 1], "rotate": [0, 0, 30]},
        {"time": 1, "translate": [0, 0, 2], "rotate": [0, 0, 120]}]}}])";
    const Vec3 p(0.4, 0.3, 0.2);
    for (const std::string& shape : shapes) {
        const Guide still = assemble(parse(on(shape))).model.guides.at(0);
        const Guide guide =
            assemble(parse(with_pin(R"("attach": "body", "on": {"type": )" + shape + "}", body)))
                .model.guides.at(0);
        EXPECT_LE((guide.nearest(p, 0) - still.nearest(p, 0)).norm(), 1e-14) << shape;

        // A quarter of a turn about the z axis, and a metre up.
        const auto later = [](const Vec3& x) { return Vec3(-x.y(), x.x(), x.z() + 1); };
        EXPECT_LE((guide.nearest(later(p), 1) - later(still.nearest(p, 0))).norm(), 1e-14) << shape;
    }
}

TEST(Guides, HoldACloth) {
    const auto findings = run_check(parse(on(line, R"(, "name": "rail")")));
    for (const Finding& finding : findings)
        EXPECT_EQ(finding.text.find("no pins"), std::string::npos) << finding.text;
}

struct Fault {
    std::string text;
    const char* pointer;
    const char* words;   // in the problem
    const char* value;   // in the value; empty: not looked at
    const char* remedy;  // in the remedy; empty: not looked at
};

void expect_faults(const std::vector<Fault>& faults) {
    for (const Fault& fault : faults) {
        const InputError error = error_of([&] { assemble(parse(fault.text)); });
        EXPECT_EQ(error.where().file, "test.json") << fault.text;
        EXPECT_EQ(error.where().place, fault.pointer) << fault.text;
        EXPECT_NE(error.problem().find(fault.words), std::string::npos) << error.what();
        EXPECT_NE(error.value().find(fault.value), std::string::npos) << error.what();
        EXPECT_NE(error.remedy().find(fault.remedy), std::string::npos) << error.what();
    }
}

TEST(Guides, KeysAreThoseOfTheType) {
    const char* const away = "take it away, or change 'type'";
    expect_faults({
        {with_pin(R"("on": 3)"), "/pins/0/on", "what a pin stays on", "3", ""},
        {with_pin(R"("on": {})"), "/pins/0/on", "'type'", "", ""},
        {on(R"("lime")"), "/pins/0/on/type", "unknown value of 'type'", "lime", "'line'"},
        {on(R"("line", "points": [[0, 0, 0], [1, 0, 0]])"), "/pins/0/on", "a line needs 'point'", "",
         "add 'point'"},
        {on(R"("line", "point": [0, 0, 0])"), "/pins/0/on", "a line needs 'axis'", "", "add 'axis'"},
        {on(std::string(line) + R"(, "radius": 1)"), "/pins/0/on/radius", "a line has no 'radius'", "1",
         away},
        {on(std::string(line) + R"(, "closed": true)"), "/pins/0/on/closed", "a line has no 'closed'", "true",
         away},
        {on(std::string(line) + R"(, "points": [])"), "/pins/0/on/points", "a line has no 'points'", "[]",
         away},
        {on(std::string(line) + R"(, "raduis": 1)"), "/pins/0/on/raduis", "raduis", "", "'radius'"},
        {on(R"("circle", "point": [0, 0, 0], "axis": [0, 0, 1])"), "/pins/0/on", "a circle needs 'radius'",
         "", ""},
        {on(R"("circle", "point": [0, 0, 0], "radius": 1)"), "/pins/0/on", "a circle needs 'axis'", "", ""},
        {on(R"("plane", "point": [0, 0, 0])"), "/pins/0/on", "a plane needs 'axis'", "", ""},
        {on(R"("plane", "axis": [0, 0, 1])"), "/pins/0/on", "a plane needs 'point'", "", ""},
        {on(shapes[4] + R"(, "radius": 1)"), "/pins/0/on/radius", "a plane has no 'radius'", "", away},
        {on(R"("sphere", "point": [0, 0, 0])"), "/pins/0/on", "a sphere needs 'radius'", "", ""},
        {on(shapes[5] + R"(, "axis": [0, 0, 1])"), "/pins/0/on/axis", "a sphere has no 'axis'", "", away},
        {on(R"("cylinder", "point": [0, 0, 0], "axis": [0, 0, 1])"), "/pins/0/on",
         "a cylinder needs 'radius'", "", ""},
        {on(R"("polyline")"), "/pins/0/on", "a polyline needs 'points'", "", ""},
        {on(std::string(bent) + R"(, "point": [0, 0, 0])"), "/pins/0/on/point", "a polyline has no 'point'",
         "", away},
    });
}

TEST(Guides, NumbersMakeSense) {
    expect_faults({
        {on(R"("line", "point": [0, 0, 0], "axis": [0, 0, 0])"), "/pins/0/on/axis",
         "the axis has no direction", "[0,0,0]", "longer than 1e-9"},
        {on(R"("line", "point": [0, 0, 0], "axis": [0, 1e-10, 0])"), "/pins/0/on/axis", "no direction", "",
         ""},
        {on(R"("line", "point": [0, 0, 0], "axis": [0, 1])"), "/pins/0/on/axis", "", "[0,1]", ""},
        {on(R"("line", "point": [0, 0, NaN], "axis": [0, 1, 0])"), "line 1, column 152", "not valid JSON", "",
         ""},
        {on(R"("line", "point": [0, 0, "nan"], "axis": [0, 1, 0])"), "/pins/0/on/point/2", "number", "nan",
         ""},
        {on(R"("line", "point": [0, 0, 1e9], "axis": [0, 1, 0])"), "/pins/0/on/point/2", "", "1000000000.0",
         "allowed"},
        {on(R"("sphere", "point": [0, 0, 0], "radius": 0)"), "/pins/0/on/radius", "", "0", "allowed"},
        {on(R"("sphere", "point": [0, 0, 0], "radius": -1)"), "/pins/0/on/radius", "", "-1", "allowed"},
        {on(R"("polyline", "points": [[0, 0, 0]])"), "/pins/0/on/points", "'points'", "", "2"},
        {on(R"("polyline", "points": [[0, 0, 0], [0, 0]])"), "/pins/0/on/points/1", "", "[0,0]", ""},
        {on(R"("polyline", "points": [[0, 0, 0], [1, 0, 0], [1, 0, 0]])"), "/pins/0/on/points/2",
         "two points in a row are the same", "[1,0,0]", "take one away"},
        {on(R"("polyline", "points": [[0, 0, 0], [1, 0, 0], [0, 0, 0]], "closed": true)"),
         "/pins/0/on/points", "a closed polyline ends where it starts", "", "take the last point away"},
    });
    EXPECT_NO_THROW(parse(on(R"("polyline", "points": [[0, 0, 0], [1, 0, 0], [0, 0, 0]])")));
}

TEST(Guides, DoNotMixWithOtherPins) {
    const std::string held = std::string(R"("on": {"type": )") + line + "}";
    const std::string two =
        R"("pins": [{"name": "a", "group": {"corner": "u0v0"}}, {"name": "b", "group": {"edge": "v0"}, )" +
        held + "}]";
    const std::string both = R"("pins": [{"name": "a", "group": {"corner": "u0v0"}, )" + held +
                             R"(}, {"name": "b", "group": {"edge": "v0"}, )" + held + "}]";
    const std::string grid = R"("name": "sheet", "type": "grid", "nu": 5, "nv": 4)";
    const std::string dancer = R"("obstacles": [{"name": "dancer", "type": "mannequin", "action": "walk"}])";
    const char* const shared = "two pins hold the same vertex, 'a' and 'b'";
    const char* const vertex = "vertex 0 of cloth 'sheet'";
    expect_faults({
        {with_pin(held + R"(, "at": "initial")"), "/pins/0/at", "a pin with 'on' has no 'at'", "initial",
         "keep one of the two"},
        {with_pin(held + R"(, "offset": [0, 0, 1])"), "/pins/0/offset", "has no 'offset'", "[0,0,1]", ""},
        {with_pin(held + R"(, "rigid": true)"), "/pins/0/rigid", "has no 'rigid'", "true", ""},
        {one_cloth(grid, two), "/pins/1", shared, vertex, "belong to one pin"},
        {one_cloth(grid, both), "/pins/1", shared, vertex, "belong to one pin"},
        {with_pin(held + R"(, "attach": "dancer")", dancer), "/pins/0/attach",
         "a mesh that deforms cannot carry a curve or surface", "'dancer'", "moves rigidly"},
        {with_pin(held + R"(, "attach": "floor")"), "/pins/0/attach", "unknown obstacle", "floor", "allowed"},
        {with_pin(held + R"(, "attach": "dancer", "motion": {"keyframes": [{"time": 0}]})", dancer),
         "/pins/0/motion", "moves with its obstacle", "", "keep 'attach' or 'motion'"},
        {with_pin(held + R"(, "motion": {})"), "/pins/0/motion", "'keyframes'", "", ""},
        {with_pin(held + R"(, "release": -1)"), "/pins/0/release", "", "-1", "allowed"},
        {one_cloth(grid, R"("pins": [{)" + held + "}]"), "/pins/0", "'group'", "", "name a group"},
    });
}

// A curtain of 13 x 10 vertices, one end of its upper edge pinned and the rest on a rail that rises, turns
// and comes to rest again.
std::string curtain(const std::string& chain) {
    return one_cloth(
        R"("name": "curtain", "type": "grid", "cells": "triangles", "nu": 13, "nv": 10, "width": 0.6,
            "height": 0.45, "material": {"density": 0.2}, "place": {"rotate": [90, 0, 0]})",
        R"("pins": [{"name": "rings", "group": {"row": -1},
            "on": {"type": "line", "point": [0, 0, 0.45], "axis": [1, 0, 0]},
            "motion": {"keyframes": [{"time": 0.1}, {"time": 0.4, "translate": [0, 0.1, 0.05], "rotate": [0, 20, 40]}]}}],
            "run": {"duration": 0.5, "fps": 50, "dt": 0.005}, )" +
            chain);
}

class Watch final : public Observer {
public:
    void step(const Simulation& simulation, const StepReport& report) override {
        const State& state = simulation.state();
        for (const Guide& guide : simulation.model().guides) {
            for (const int vertex : guide.vertices) {
                const auto i = static_cast<std::size_t>(vertex);
                off = std::max(off, guide.distance(state.x[i], state.t));
                const GuideFoot foot = guide.foot(state.x[i], state.t - report.dt, state.t);
                const Vec3 relative = state.v[i] - foot.velocity;
                leading_off = std::max(leading_off, (relative - foot.freedom * relative).norm());
            }
        }
        slid = std::max(slid, std::abs(state.x.back().x() - 0.6));
        retries += report.retries;
    }
    double off = 0, leading_off = 0, slid = 0;
    int retries = 0;
};

TEST(Guides, ACurtainStaysOnARailThatMoves) {
    for (const std::string chain :
         {R"("preset": "baraff_witkin1998")", R"("integrator": "bdf2", "filters": ["stable_projection"])",
          R"("integrator": "implicit_euler", "filters": ["stable_projection", "contact"])"}) {
        const auto simulation = build(parse(curtain(chain)));
        Watch watch;
        EXPECT_EQ(simulation->run({&watch}), RunOutcome::finished) << chain << simulation->failure();
        EXPECT_GE(simulation->totals().steps, 100) << chain;
        EXPECT_LE(watch.off, 1e-9) << chain;
        EXPECT_LE(watch.leading_off, 1e-9) << chain;
        EXPECT_GT(watch.slid, 0.01) << chain;
    }
}

}  // namespace
}  // namespace taut::scene::guides_tests
