// Whole runs under directional enforcement: what it is worth against springs alone, scenes that come with
// taut, and a sheet that falls on a ball, resumed anywhere and on any number of threads.
#include <gtest/gtest.h>

#include <set>

#include "physics/named_scene.hpp"
#include "taut/base/parallel.hpp"
#include "taut/io/checkpoint.hpp"

namespace taut::directional_scenes_tests {
namespace {

// A sheet of 15 x 15 falls on a ball, and its map follows what the ball supports.
std::unique_ptr<Simulation> falling(const Settings& settings = {}) {
    const char* text = R"({"taut": 1, "preset": "ozgen_kallmann2011",
        "cloths": [{"type": "grid", "nu": 15, "nv": 15, "width": 0.5, "height": 0.5,
                    "place": {"translate": [-0.24, -0.26, 0.115]}}],
        "obstacles": [{"name": "ball", "type": "sphere", "radius": 0.1, "friction": 0.4}],
        "filters": {"directional": {"maps": "automatic", "direction": "force", "threshold": 0.02}, "contact": {"thickness": 0.002}},
        "forces": {"air_drag": {"wind": [0.5, 0, 0]}},
        "run": {"duration": 0.3, "fps": 100, "dt": 0.001}})";
    return scene::build(scene::parse_scene(text, "falling.json", ".", settings));
}

// Notes the map of every step, and stops after so many.
class Watch final : public Observer {
public:
    explicit Watch(long stop_after = 1000000) : stop_after_(stop_after) {}
    void step(const Simulation& simulation, const StepReport& report) override {
        const CorrectionMap* map = simulation.pipeline().filters[0]->correction_map();
        std::vector<int> list;
        for (const Correction& c : map->list) list.insert(list.end(), {c.from, c.to});
        lists.push_back(std::move(list));
        most = std::max(most, map->fixed.size());
        corrections += report.filters[0].corrections;
        finite = finite && std::isfinite(report.filters[0].residual);
        if (simulation.totals().steps >= stop_after_) stop = true;
    }
    std::vector<std::vector<int>> lists;
    std::size_t most = 0;
    long corrections = 0;
    bool stop = false, finite = true;

private:
    long stop_after_;
};

TEST(DirectionalScenes, MapsFollowAFall) {
    const auto simulation = falling();
    Watch watch;
    EXPECT_EQ(simulation->run({&watch}), RunOutcome::finished) << simulation->failure();
    EXPECT_TRUE(watch.finite);
    EXPECT_TRUE(watch.lists.front().empty());
    EXPECT_FALSE(watch.lists.back().empty());
    EXPECT_GT(watch.most, 5u);
    EXPECT_GT(watch.corrections, 0);
    const RunTotals& totals = simulation->totals();
    EXPECT_EQ(totals.corrections, watch.corrections);
    EXPECT_GE(totals.maps, 2);
    EXPECT_LT(totals.maps, totals.steps / 3);
    EXPECT_EQ(totals.retries, 0);
    EXPECT_LE(totals.penetration, 1e-6);
    EXPECT_FALSE(simulation->certified());
    EXPECT_LT(std::max(totals.warp.max, totals.weft.max), 0.3);
}

// Interrupted anywhere, also between two maps, it goes on as if it never was.
TEST(DirectionalScenes, ResumedRunsHaveTheSameBitsAndTheSameMaps) {
    const auto whole = falling();
    Watch all;
    whole->run({&all});
    std::size_t change = 1;
    while (change < all.lists.size() && (all.lists[change] == all.lists[change - 1] || change < 40)) ++change;
    ASSERT_LT(change, all.lists.size());
    const long changed = long(change);
    for (long stop_after : {1L, 35L, changed - 1, changed, changed + 1, 222L}) {
        const auto first = falling();
        Watch before(stop_after);
        EXPECT_EQ(first->run({&before}, [&] { return before.stop; }), RunOutcome::interrupted);
        const std::string bytes = io::encode_checkpoint(*first, 1, 1);
        const auto second = falling();
        io::restore_checkpoint(*second, io::decode_checkpoint(bytes, "file"));
        Watch after;
        EXPECT_EQ(second->run({&after}), RunOutcome::finished);
        EXPECT_EQ(second->state_hash(), whole->state_hash()) << stop_after;
        EXPECT_EQ(second->totals().corrections, whole->totals().corrections) << stop_after;
        const std::vector<std::vector<int>> rest(all.lists.begin() + stop_after, all.lists.end());
        EXPECT_EQ(after.lists, rest) << stop_after;
    }
}

TEST(DirectionalScenes, SameBitsForAnyThreadCount) {
    std::set<std::string> hashes;
    for (int threads : {1, 2}) {
        ThreadLimit limit(threads);
        const auto simulation = falling({"run/duration=0.15"});
        simulation->run({});
        hashes.insert(simulation->state_hash());
    }
    EXPECT_EQ(hashes.size(), 1u);
}

// A filter that rejects long steps, behind one that builds maps.
class Fussy final : public VelocityFilter {
public:
    explicit Fussy(double longest) : longest_(longest) {}
    std::string_view name() const override { return "fussy"; }
    void prepare(const Model&) override {}
    void apply(const StepContext&, Candidate&, FilterReport&) override {}
    void measure(const StepContext& context, const Candidate&, FilterReport& report) const override {
        report.held = context.dt < longest_;
    }
    Promise promise() const override { return Promise::other; }

private:
    double longest_;
};

// Steps that are taken back leave no trace: halved from the start or on the way, the run is the same.
TEST(DirectionalScenes, RejectedStepsLeaveNoTrace) {
    std::vector<std::string> hashes;
    for (double longest : {1.0, 0.0006}) {
        const scene::Scene scene = scene::parse_scene(
            R"({"taut": 1, "preset": "ozgen_kallmann2011", "cloths": [{"type": "grid", "nu": 9, "nv": 9,
                "width": 0.3, "height": 0.3, "place": {"translate": [-0.15, -0.15, 0.105]}}],
                "obstacles": [{"type": "sphere", "radius": 0.1}],
                "filters": {"directional": {"maps": "automatic"}, "contact": {"thickness": 0.002}}})",
            "rejected.json", ".", {});
        scene::Assembly assembly = scene::assemble(scene);
        Pipeline pipeline = scene::make_pipeline(scene, assembly);
        pipeline.filters.push_back(std::make_unique<Fussy>(longest));
        RunSettings settings;
        settings.duration = 0.104, settings.fps = 125;
        settings.dt = longest < 1 ? 0.001 : 0.0005;
        Simulation simulation(assembly.model, assembly.start, std::move(pipeline), settings);
        EXPECT_EQ(simulation.run({}), RunOutcome::finished) << simulation.failure();
        EXPECT_EQ(simulation.totals().retries > 0, longest < 1);
        EXPECT_EQ(simulation.totals().steps, 208);
        hashes.push_back(simulation.state_hash());
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

// A map that a rejected attempt built was built.
TEST(DirectionalScenes, WorkOfRejectedStepsIsCounted) {
    const scene::Scene scene = scene::parse_scene(
        R"({"taut": 1, "preset": "ozgen_kallmann2011", "cloths": [{"type": "grid", "nu": 5, "nv": 5}],
            "pins": [{"group": {"corner": ["u0v0", "u1v0"]}}],
            "filters": {"directional": {"threshold": 0.001}}})",
        "counted.json", ".", {});
    scene::Assembly assembly = scene::assemble(scene);
    Pipeline pipeline = scene::make_pipeline(scene, assembly);
    pipeline.filters.push_back(std::make_unique<Fussy>(0.0006));
    RunSettings settings;
    settings.duration = 0.064, settings.fps = 125, settings.dt = 0.001;
    Simulation simulation(assembly.model, assembly.start, std::move(pipeline), settings);
    EXPECT_EQ(simulation.run({}), RunOutcome::finished) << simulation.failure();
    EXPECT_GT(simulation.totals().retries, 5);
    EXPECT_GT(simulation.totals().corrections, 0);
    EXPECT_EQ(simulation.totals().maps, 1);
}

// Stretch of warp and weft after a second of hanging by two corners that come closer.
double hanging_stretch(const Settings& more) {
    Settings settings{"cloths/0/nu=15", "cloths/0/nv=15", "run/duration=1"};
    settings.insert(settings.end(), more.begin(), more.end());
    const auto simulation = named("directional_corners", settings);
    class Last final : public Observer {
    public:
        void step(const Simulation&, const StepReport& report) override {
            stretch = std::max(report.warp.max_stretch, report.weft.max_stretch);
        }
        double stretch = 0;
    } last;
    EXPECT_EQ(simulation->run({&last}), RunOutcome::finished) << simulation->failure();
    return last.stretch;
}

TEST(DirectionalScenes, OnePassHoldsWhatSpringsAloneDoNot) {
    const double springs = hanging_stretch({"filters=[]"}),
                 directional = hanging_stretch({"filters/directional/threshold=0.05"});
    EXPECT_GT(springs, 0.4);
    EXPECT_LT(directional, 0.15);
    // The same number of passes in the order of the data does worse.
    EXPECT_LT(directional, hanging_stretch({R"(filters=[{"type": "strain_limit_gauss_seidel", "order": "data",
        "edges": "springs", "tolerance": 0.05, "target": 1, "passes": 1}])"}));
}

TEST(DirectionalScenes, ThoseThatComeWithTautRun) {
    for (const char* name : {"directional_corners", "directional_edge", "directional_four",
                             "directional_flag", "directional_ball", "directional_pegs", "directional_dress",
                             "directional_dress_held", "directional_walk"}) {
        const bool falls = std::string(name) == "directional_pegs";  // on what it is corrected from
        const auto simulation = named(name, {falls ? "run/duration=0.2" : "run/duration=0.02"});
        EXPECT_EQ(simulation->run({}), RunOutcome::finished) << name << ": " << simulation->failure();
        EXPECT_EQ(simulation->totals().retries, 0) << name;
        EXPECT_GE(simulation->totals().maps, 1) << name;
        EXPECT_FALSE(simulation->pipeline().filters[0]->correction_map()->list.empty()) << name;
    }
}

// A flag lifted above its pole: gravity's order ends at the pins there.
TEST(DirectionalScenes, WindHasItsSayInTheDirection) {
    std::vector<double> strain;
    for (const char* direction : {"gravity", "force"}) {
        const auto simulation =
            named("directional_flag", {"forces/air_drag/wind=[3,1,14]", "run/duration=1.5",
                                       std::string("filters/directional/direction=") + direction});
        EXPECT_EQ(simulation->run({}), RunOutcome::finished) << simulation->failure();
        strain.push_back(std::max(simulation->totals().warp.mean, simulation->totals().weft.mean));
    }
    EXPECT_LT(strain[1], 0.03);
    EXPECT_GT(strain[0], 3 * strain[1]);
}

// A coarse skirt on a hasty model: either knee calls for its map, and none for that of the waistband.
TEST(DirectionalScenes, KneesCallForTheirMaps) {
    const auto simulation =
        named("directional_walk", {"cloths/skirt/around=32", "cloths/skirt/along=20", "run/dt=0.002",
                                   "obstacles/model/speed=2", "run/duration=0.65"});
    class Names final : public Observer {
    public:
        void step(const Simulation& simulation, const StepReport&) override {
            const std::string& name = simulation.pipeline().filters[0]->correction_map()->name;
            if (seen.empty() || seen.back() != name) seen.push_back(name);
        }
        std::vector<std::string> seen;
    } names;
    EXPECT_EQ(simulation->run({&names}), RunOutcome::finished) << simulation->failure();
    EXPECT_EQ(std::set<std::string>(names.seen.begin(), names.seen.end()),
              (std::set<std::string>{"pins", "left knee", "right knee"}));
    EXPECT_LE(names.seen.size(), 8u);  // no flicker
    EXPECT_EQ(simulation->totals().maps, 3);
    EXPECT_EQ(simulation->totals().intersections, 0);
}

}  // namespace
}  // namespace taut::directional_scenes_tests
