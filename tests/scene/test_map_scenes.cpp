// Correction maps in scenes: how they are written, what they become, what is refused, and what `taut check`
// says about them and about explicit steps.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tuple>

#include "scene/malformed_scenes.hpp"
#include "taut/scene/check.hpp"
#include "taut/scene/check_pins.hpp"
#include "taut/scene/library.hpp"

namespace taut::scene::map_scenes_tests {
namespace {

// A hanging sheet of 5 x 4 vertices, a ball and a table far below, and correction maps.
std::string with_maps(const std::string& maps, const std::string& more = "") {
    return R"({"taut": 1, "preset": "ozgen_kallmann2011",
        "cloths": [{"name": "sheet", "type": "grid", "nu": 5, "nv": 4, "place": {"rotate": [-90, 0, 0]}}],
        "groups": {"hem": {"edge": "v1"}, "middle": {"indices": [6, 7, 8]}},
        "pins": [{"group": {"corner": ["u0v0", "u1v0"]}}],
        "obstacles": [{"name": "ball", "type": "sphere", "radius": 0.1, "center": [9, 9, 9]},
                      {"name": "table", "type": "plane", "point": [0, 0, -5]}],
        "run": {"dt": 0.001})" +
           (maps.empty() ? "" : R"(, "correction_maps": [)" + maps + "]") +
           (more.empty() ? "" : ", " + more) + "}";
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

const char* const two_maps = R"({"name": "knee", "fixed": "middle", "touch": "ball"},
    {"fixed": {"indices": [12]}, "touch": "any", "watch": "hem", "from": 0.25, "until": 0.5, "every": 1})";

TEST(MapScenes, AreReadWithTheirDefaults) {
    const Scene scene = parse(with_maps(two_maps));
    ASSERT_EQ(scene.maps.size(), 2u);
    EXPECT_EQ(scene.maps[0].params.name, "knee");
    EXPECT_EQ(scene.maps[0].fixed.name, "middle");
    EXPECT_EQ(scene.maps[0].touch, "ball");
    EXPECT_FALSE(scene.maps[0].watch);
    EXPECT_EQ(scene.maps[0].params.from, 0);
    EXPECT_EQ(scene.maps[0].params.until, std::numeric_limits<double>::infinity());
    EXPECT_EQ(scene.maps[0].params.every, 0);
    EXPECT_EQ(scene.maps[1].params.name, "map1");
    EXPECT_EQ(scene.maps[1].touch, "any");
    EXPECT_EQ(scene.maps[1].watch->name, "hem");
    EXPECT_EQ(scene.maps[1].params.until, 0.5);
    EXPECT_EQ(scene.maps[1].pointer, "/correction_maps/1");
    EXPECT_TRUE(parse(with_maps("")).maps.empty());
    EXPECT_TRUE(parse(with_maps("", R"("correction_maps": [])")).maps.empty());
}

TEST(MapScenes, ComeBackFromTheEffectiveScene) {
    const Json effective = effective_json(parse(with_maps(two_maps)));
    EXPECT_EQ(effective["correction_maps"][0].dump(),
              R"({"name":"knee","from":0.0,"until":null,"every":0.0,"fixed":"middle","touch":"ball"})");
    EXPECT_EQ(effective["correction_maps"][1]["fixed"].dump(), R"({"indices":[12]})");
    EXPECT_EQ(effective["correction_maps"][1]["watch"], "hem");
    EXPECT_EQ(effective_json(parse(effective.dump())), effective);
    for (const NamedScene& named : built_in_scenes()) {
        if (!std::string(named.name).starts_with("directional")) continue;
        const Json once = effective_json(parse_scene(named.text, named.name, "/", {}));
        EXPECT_EQ(effective_json(parse_scene(once.dump(), named.name, "/", {})), once) << named.name;
    }
}

TEST(MapScenes, MayBeSetByPath) {
    const Scene scene = parse(
        with_maps(two_maps),
        {"correction_maps/knee/from=0.5", "correction_maps/1/until=0.75", "filters/directional/visits=2"});
    EXPECT_EQ(scene.maps[0].params.from, 0.5);
    EXPECT_EQ(scene.maps[1].params.until, 0.75);
}

// The map that is in use after a step that begins at a time.
std::string used_at(Simulation& simulation, double time) {
    State state = simulation.state();
    state.t = time;
    simulation.restore(state, simulation.progress(), simulation.totals());
    simulation.try_step(0.001);
    return simulation.pipeline().filters[0]->correction_map()->name;
}

TEST(MapScenes, BecomeRulesOfTheFilter) {
    const auto simulation = build(parse(with_maps(
        R"({"name": "first", "fixed": "middle", "from": 1, "until": 2}, {"name": "second", "fixed": "hem",
            "from": 0.5, "until": 1.5, "every": 10}, {"name": "never", "fixed": "hem", "touch": "table"})")));
    EXPECT_EQ(used_at(*simulation, 0), "pins");
    EXPECT_EQ(used_at(*simulation, 0.6), "second");
    EXPECT_EQ(used_at(*simulation, 1.2), "first");
    const CorrectionMap& map = *simulation->pipeline().filters[0]->correction_map();
    EXPECT_EQ(map.fixed, (std::vector<int>{0, 4, 6, 7, 8}));
    EXPECT_EQ(used_at(*simulation, 3), "pins");
    EXPECT_EQ(used_at(*simulation, 11), "second");
}

// Hanging as it starts, whatever its rest shape is.
TEST(MapScenes, SlopesAreThoseOfTheStart) {
    const auto simulation = build(parse(with_maps("")));
    simulation->try_step(0.001);
    int vertical = 0;
    for (const Correction& c : simulation->pipeline().filters[0]->correction_map()->list) {
        EXPECT_EQ(c.kind == SpringKind::vertical, c.to == c.from + 5);
        vertical += c.kind == SpringKind::vertical;
    }
    EXPECT_GT(vertical, 5);
}

TEST(MapScenes, TouchesOfTheNamedObstacleCallForThem) {
    const std::string text = R"({"taut": 1, "preset": "ozgen_kallmann2011",
        "cloths": [{"type": "grid", "nu": 5, "nv": 5, "place": {"translate": [0, 0, 0.0015]}}],
        "obstacles": [{"name": "far", "type": "plane", "point": [0, 0, -9]}, {"name": "floor", "type": "plane"}],
        "filters": {"contact": {"thickness": 0.001}},
        "correction_maps": [{"name": "wrong", "fixed": {"indices": 0}, "touch": "far"},
                            {"name": "right", "fixed": {"indices": 0}, "touch": "floor"}],
        "run": {"duration": 0.2, "fps": 20, "dt": 0.001}})";
    const auto simulation = build(parse(text));
    EXPECT_EQ(simulation->run({}), RunOutcome::finished) << simulation->failure();
    EXPECT_EQ(simulation->pipeline().filters[0]->correction_map()->name, "right");
    EXPECT_EQ(simulation->totals().maps, 2);  // of pins alone before
}

const std::vector<Malformed> map_faults{
    {"object", with_maps("", R"("correction_maps": {})"), "/correction_maps", "must be an array", "", ""},
    {"number", with_maps("7"), "/correction_maps/0", "must be an object", "7", ""},
    {"nothing_fixed", with_maps(R"({"name": "a"})"), "/correction_maps/0", "'fixed' is missing", "",
     "selectors"},
    {"unknown_key", with_maps(R"({"fixed": "hem", "tuch": "ball"})"), "/correction_maps/0/tuch",
     "unknown key", "", "did you mean 'touch'?"},
    {"unknown_group", with_maps(R"({"fixed": "hemm"})"), "/correction_maps/0/fixed", "unknown group", "hemm",
     "did you mean 'hem'?"},
    {"group_of_wrong_type", with_maps(R"({"fixed": [1, 2]})"), "/correction_maps/0/fixed",
     "must be an object", "", ""},
    {"unknown_watch", with_maps(R"({"fixed": "hem", "touch": "any", "watch": "midle"})"),
     "/correction_maps/0/watch", "unknown group", "midle", "did you mean 'middle'?"},
    {"empty_group", with_maps(R"({"fixed": {"box": {"min": [5, 5, 5], "max": [6, 6, 6]}}})"),
     "/correction_maps/0/fixed", "holds no vertex", "", "selectors"},
    {"empty_watch",
     with_maps(
         R"({"fixed": "hem", "touch": "any", "watch": {"sphere": {"center": [9, 9, 9], "radius": 1}}})"),
     "/correction_maps/0/watch", "holds no vertex", "", "selectors"},
    {"no_selector", with_maps(R"({"fixed": {}})"), "/correction_maps/0/fixed", "", "", ""},
    {"unknown_obstacle", with_maps(R"({"fixed": "hem", "touch": "bal"})"), "/correction_maps/0/touch",
     "unknown obstacle", "bal", "did you mean 'ball'?"},
    {"touch_of_wrong_type", with_maps(R"({"fixed": "hem", "touch": true})"), "/correction_maps/0/touch",
     "must be", "true", ""},
    {"watch_without_touch", with_maps(R"({"fixed": "hem", "watch": "middle"})"), "/correction_maps/0/watch",
     "watched for no contact", "", "add 'touch'"},
    {"until_before_from", with_maps(R"({"fixed": "hem", "from": 2, "until": 1})"), "/correction_maps/0/until",
     "called at no time", "1", "> 2 s"},
    {"until_at_from", with_maps(R"({"fixed": "hem", "from": 2, "until": 2})"), "/correction_maps/0/until",
     "called at no time", "2", "> 2 s"},
    {"until_zero", with_maps(R"({"fixed": "hem", "until": 0})"), "/correction_maps/0/until", "out of range",
     "0", "> 0"},
    {"from_negative", with_maps(R"({"fixed": "hem", "from": -1})"), "/correction_maps/0/from", "out of range",
     "-1", ">= 0"},
    {"from_text", with_maps(R"({"fixed": "hem", "from": "soon"})"), "/correction_maps/0/from",
     "must be a number", "soon", ""},
    {"from_null", with_maps(R"({"fixed": "hem", "from": null})"), "/correction_maps/0/from", "", "", ""},
    {"from_at_every", with_maps(R"({"fixed": "hem", "from": 1, "every": 1})"), "/correction_maps/0/from",
     "before this one comes", "1", "< 1 s"},
    {"from_after_every", with_maps(R"({"fixed": "hem", "from": 3, "every": 2})"), "/correction_maps/0/from",
     "before this one comes", "3", "< 2 s"},
    {"every_negative", with_maps(R"({"fixed": "hem", "every": -2})"), "/correction_maps/0/every",
     "out of range", "-2", ">= 0"},
    {"every_text", with_maps(R"({"fixed": "hem", "every": "2 s"})"), "/correction_maps/0/every",
     "must be a number", "2 s", ""},
    {"name_twice", with_maps(R"({"name": "a", "fixed": "hem"}, {"name": "a", "fixed": "middle"})"),
     "/correction_maps/1/name", "two maps have the same name", "a", "rename"},
    {"name_given_and_made", with_maps(R"({"name": "map1", "fixed": "hem"}, {"fixed": "middle"})"),
     "/correction_maps/1/name", "two maps have the same name", "map1", "rename"},
    {"name_of_wrong_type", with_maps(R"({"name": 3, "fixed": "hem"})"), "/correction_maps/0/name", "must be",
     "3", ""},
    {"order", with_maps("", R"("filters": {"directional": {"order": "horizontal"}})"),
     "/filters/directional/order", "unknown value of 'order'", "horizontal", ""},
    {"maps", with_maps("", R"("filters": {"directional": {"maps": "automatik"}})"),
     "/filters/directional/maps", "unknown value of 'maps'", "automatik", "did you mean 'automatic'?"},
    {"visits", with_maps("", R"("filters": {"directional": {"visits": 0}})"), "/filters/directional/visits",
     "out of range", "0", "1 to 100"},
    {"level", with_maps("", R"("filters": {"directional": {"level": 91}})"), "/filters/directional/level",
     "out of range", "91", "1 to 90"},
    {"passes", with_maps("", R"("filters": [{"type": "strain_limit_gauss_seidel", "passes": -1}])"),
     "/filters/0/passes", "out of range", "-1", "0 to 1000000"},
};

INSTANTIATE_TEST_SUITE_P(Maps, MalformedScenes, testing::ValuesIn(map_faults), row_name);

TEST(MapChecks, AGoodSceneHasNoFindings) {
    for (const char* maps : {"", two_maps}) {
        for (const Finding& finding : run_check(parse(with_maps(maps)))) ADD_FAILURE() << finding.text;
    }
}

TEST(MapChecks, MapsThatNothingUsesAreNamed) {
    const Finding unused = found(
        with_maps(two_maps, R"("filters": ["strain_limit_gauss_seidel", "contact"])"), "no filter uses");
    EXPECT_EQ(unused.severity, Severity::warning);
    EXPECT_EQ(unused.pointer, "/correction_maps");
    EXPECT_NE(unused.remedy.find("directional"), std::string::npos);
    const Finding automatic = found(
        with_maps(two_maps, R"("filters": {"directional": {"maps": "automatic"}})"), "maps are automatic");
    EXPECT_EQ(automatic.severity, Severity::warning);
    EXPECT_EQ(automatic.pointer, "/correction_maps");
    EXPECT_EQ(found(with_maps("", R"("filters": {"directional": {"maps": "automatic"}})"), "automatic").text,
              "");
}

// Cloth without pins over a floor, under directional with these keys.
std::string loose(const std::string& keys, const std::string& more = "") {
    return R"({"taut": 1, "preset": "ozgen_kallmann2011",
        "cloths": [{"type": "grid", "nu": 5, "nv": 4, "place": {"translate": [0, 0, 1]}}],
        "obstacles": [{"type": "plane"}], "run": {"dt": 0.001},
        "filters": {"directional": {)" +
           keys + "}}" + more + "}";
}

TEST(MapChecks, NothingFixedIsNothingCorrected) {
    const Finding nothing = found(loose(""), "nothing is fixed");
    EXPECT_EQ(nothing.severity, Severity::warning);
    EXPECT_EQ(nothing.pointer, "/filters/directional");
    EXPECT_NE(nothing.remedy.find("automatic"), std::string::npos);
    EXPECT_EQ(found(loose(R"("maps": "automatic")"), "nothing is fixed").text, "");
    EXPECT_EQ(
        found(loose("", R"(, "correction_maps": [{"fixed": {"indices": 0}}])"), "nothing is fixed").text, "");
    EXPECT_EQ(found(loose("", R"(, "pins": [{"group": {"corner": "u0v0"}}])"), "nothing is fixed").text, "");
}

TEST(MapChecks, PassesInAFixedNumberPromiseNoStrain) {
    const auto promised = [](int passes) {
        return promised_strain(parse(
            small_scene(R"("filters": [{"type": "strain_limit_gauss_seidel", "tolerance": 0.02, "passes": )" +
                        std::to_string(passes) + "}]")));
    };
    EXPECT_EQ(promised(0), 0.02);
    EXPECT_EQ(promised(1), std::numeric_limits<double>::infinity());
}

// A sheet of springs under gravity with this integrator, in steps of so many seconds.
std::string springs(const std::string& integrator, double dt, double stiffness = 50,
                    const std::string& more = "") {
    return R"({"taut": 1, "cloths": [{"type": "grid", "nu": 7, "nv": 6}],
        "pins": [{"group": {"corner": ["u0v0", "u1v0"]}}],
        "forces": ["gravity", {"type": "stiff_springs", "stiffness": )" +
           std::to_string(stiffness) + R"(}], "integrator": )" + integrator +
           R"(, "filters": [], "run": {"fps": 100, "dt": )" + std::to_string(dt) + "}" + more + "}";
}

// The step that the check says is allowed [s], or 0.
double allowed_step(const std::string& integrator) {
    const Finding finding = found(springs(integrator, 0.01), "are too long for");
    const std::size_t at = finding.text.find("allows ");
    return at == std::string::npos ? 0 : 1e-3 * std::stod(finding.text.substr(at + 7));
}

TEST(ExplicitSteps, TooLongOnesAreNamed) {
    const Finding finding = found(springs(R"("symplectic_euler")", 0.01), "are too long for");
    EXPECT_EQ(finding.severity, Severity::warning);
    EXPECT_EQ(finding.pointer, "/run/dt");
    EXPECT_NE(finding.text.find("steps of 10 ms are too long for 'symplectic_euler'"), std::string::npos)
        << finding.text;
    EXPECT_FALSE(finding.remedy.empty());
    EXPECT_EQ(found(springs(R"("implicit_euler")", 0.01), "too long").text, "");
    EXPECT_EQ(found(springs(R"("symplectic_euler")", 0.0001), "too long").text, "");
    EXPECT_EQ(found(springs(R"("symplectic_euler")", 0.01, 0.001), "too long").text, "");
}

// The highest mode of a flat sheet by a long iteration: along x weft alone is stiff, along y warp.
TEST(ExplicitSteps, TheBoundIsThatOfTheLargestFrequency) {
    const Model model = assemble(parse(springs(R"("symplectic_euler")", 0.01))).model;
    const std::size_t n = model.rest.size();
    const std::vector<char> held = pinned_at(model, 0);
    double omega = 0;
    for (const mesh::Direction direction : {mesh::Direction::warp, mesh::Direction::weft}) {
        std::vector<double> x(n), y(n);
        for (std::size_t i = 0; i < n; ++i) x[i] = (i % 7 + i / 7) % 2 ? 1 : -1.5;
        double largest = 0;
        for (int k = 0; k < 3000; ++k) {
            std::fill(y.begin(), y.end(), 0);
            for (std::size_t e = 0; e < model.edges.size(); ++e) {
                const mesh::Edge& edge = model.edges[e];
                if (edge.direction != direction) continue;
                const auto a = std::size_t(edge.a), b = std::size_t(edge.b);
                const double pull = 50 / model.rest_length[e] * (x[b] - x[a]);
                y[a] -= pull, y[b] += pull;
            }
            largest = 0;
            for (std::size_t i = 0; i < n; ++i) {
                y[i] = held[i] ? 0 : y[i] / model.mass[i];
                largest = std::max(largest, std::abs(y[i]));
            }
            for (std::size_t i = 0; i < n; ++i) x[i] = y[i] / largest;
        }
        omega = std::max(omega, std::sqrt(largest));
    }
    for (const char* name : {R"("symplectic_euler")", R"("velocity_verlet")", R"("position_verlet")"}) {
        const double allowed = allowed_step(name);
        EXPECT_GE(allowed, 2 / omega * 0.995) << name;  // three digits are printed
        EXPECT_LE(allowed, 2 / omega * 1.03) << name;
    }
    EXPECT_NEAR(allowed_step(R"({"type": "position_verlet", "multiplier": 0})") /
                    allowed_step(R"("position_verlet")"),
                std::sqrt(0.5), 0.01);
}

// Steps are shortened to divide the frame; the shortened one is judged.
TEST(ExplicitSteps, TheStepIsTheOneThatIsTaken) {
    const double allowed = allowed_step(R"("symplectic_euler")");
    ASSERT_GT(allowed, 0.0005);
    // So many steps a frame are too few, and one more are not: by the printed digits, rounded.
    const double few = std::ceil(0.01 / (1.01 * allowed)) - 1, enough = std::ceil(0.01 / (0.99 * allowed));
    EXPECT_NE(found(springs(R"("symplectic_euler")", 0.01 / few), "too long").text, "");
    EXPECT_NE(found(springs(R"("symplectic_euler")", 1.001 * 0.01 / few), "too long").text, "");
    EXPECT_EQ(found(springs(R"("symplectic_euler")", 0.01 / enough), "too long").text, "");
    EXPECT_EQ(found(springs(R"("symplectic_euler")", 0.999 * 0.01 / (enough - 1)), "too long").text, "");
}

// Where lengths are kept there are no fast modes along warp and weft, and a little more is allowed.
TEST(ExplicitSteps, KeptLengthsAllowMore) {
    const auto text = [](double dt, const char* filter) {
        return R"({"taut": 1, "cloths": [{"type": "grid", "nu": 7, "nv": 6}],
            "pins": [{"group": {"corner": ["u0v0", "u1v0"]}}], "integrator": "symplectic_euler",
            "forces": ["gravity", {"type": "shear_springs", "stiffness": 5}],
            "filters": [)" +
               std::string(filter) + R"(], "run": {"fps": 1, "dt": )" + std::to_string(dt) + "}}";
    };
    const Finding alone = found(text(0.1, ""), "are too long for");
    const double allowed = 1e-3 * std::stod(alone.text.substr(alone.text.find("allows ") + 7));
    for (const auto& [factor, free, kept] :
         {std::tuple{0.95, "", ""}, {1.1, "long", ""}, {1.4, "long", "long"}}) {
        EXPECT_EQ(found(text(factor * allowed, ""), "are too long for").text.empty(), !*free) << factor;
        EXPECT_EQ(found(text(factor * allowed, "\"stable_projection\""), "are too long for").text.empty(),
                  !*kept)
            << factor;
    }
}

// Runs of too long steps end in the sky, of shorter ones they do not.
TEST(ExplicitSteps, TheBoundTellsWhichRunsBlowUp) {
    const double allowed = allowed_step(R"("symplectic_euler")");
    const auto farthest = [&](double dt) {
        const auto simulation = build(parse(springs(R"("symplectic_euler")", dt)));
        double most = 0;
        for (int n = 0; n < 400 && most < 1e3; ++n) {
            StepResult result = simulation->try_step(dt);
            if (!result.finite) return 1e9;
            for (const Vec3& p : result.state.x) most = std::max(most, p.norm());
            simulation->restore(std::move(result.state), simulation->progress(), simulation->totals());
        }
        return most;
    };
    EXPECT_LT(farthest(0.9 * allowed), 10);
    EXPECT_GT(farthest(1.2 * allowed), 100);
}

}  // namespace
}  // namespace taut::scene::map_scenes_tests
