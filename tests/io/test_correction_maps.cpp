// correction_maps.json: every map once and when it came into use, continued runs without gap, bounds, and
// damaged files that are refused with their place.
#include "taut/io/correction_maps.hpp"

#include <cmath>

#include "io/temporary_folder.hpp"
#include "io/tiny_simulation.hpp"

namespace taut::io::correction_maps_test {
namespace {

namespace fs = std::filesystem;
using namespace taut::tests;

// Has the map that a list names for each step; null where it names none. Numbers grow with every change.
class OrderingFilter final : public VelocityFilter {
public:
    explicit OrderingFilter(std::vector<CorrectionMap> maps, std::vector<int> order)
        : maps_(std::move(maps)), order_(std::move(order)) {}
    std::string_view name() const override { return "ordering"; }
    void prepare(const Model&) override {}
    void apply(const StepContext& context, Candidate&, FilterReport&) override {
        const auto step = static_cast<std::size_t>(std::lround(context.start->t / 0.05));
        const int next = order_[step % order_.size()];
        if (next == current_) return;
        current_ = next;
        if (next < 0) return;
        shown_ = maps_[static_cast<std::size_t>(next)];
        shown_.number = ++changes_;
    }
    void measure(const StepContext&, const Candidate&, FilterReport& report) const override {
        report.held = true;
    }
    Promise promise() const override { return Promise::other; }
    const CorrectionMap* correction_map() const override { return current_ < 0 ? nullptr : &shown_; }

private:
    std::vector<CorrectionMap> maps_;
    std::vector<int> order_;
    CorrectionMap shown_;
    int current_ = -1;
    long changes_ = 0;
};

CorrectionMap map_of(const std::string& name, std::vector<Correction> list, std::vector<int> fixed = {0}) {
    return {name, 0, std::move(fixed), std::move(list)};
}

const CorrectionMap left =
    map_of("left", {{0, 1, SpringKind::horizontal}, {0, 3, SpringKind::vertical}, {3, 2, SpringKind::shear}});
const CorrectionMap right = map_of("right \"knee\"", {{1, 0, SpringKind::horizontal}}, {1, 4});

Simulation simulation_with(std::vector<std::pair<std::vector<CorrectionMap>, std::vector<int>>> filters) {
    Model model = tiny_model();
    State start{model.rest, Points(6, Vec3(0.1, 0, -0.2)), 0};
    Pipeline pipeline;
    pipeline.integrator = std::make_unique<RememberingIntegrator>();
    for (auto& [maps, order] : filters)
        pipeline.filters.push_back(std::make_unique<OrderingFilter>(std::move(maps), std::move(order)));
    RunSettings settings;
    settings.duration = 0.6;
    settings.fps = 10;
    settings.dt = 0.05;
    return {std::move(model), std::move(start), std::move(pipeline), settings};
}

// Twelve steps: left three times, right twice, none twice, then left again.
Simulation changing() { return simulation_with({{{left, right}, {0, 0, 0, 1, 1, -1, -1, 0, 0, 0, 0, 0}}}); }

TEST(CorrectionMapRecorder, KeepsEveryMapOnceAndWhenItCameIntoUse) {
    const TemporaryFolder folder;
    Simulation simulation = changing();
    CorrectionMapRecorder recorder(folder / "maps.json", 6, 0);
    simulation.run({&recorder});
    const CorrectionMaps maps = read_correction_maps(folder / "maps.json", 6);
    ASSERT_EQ(maps.maps.size(), 2u);
    EXPECT_TRUE(maps.whole);
    EXPECT_EQ(maps.maps[0].name, "left");
    EXPECT_EQ(maps.maps[1].name, "right \"knee\"");
    EXPECT_EQ(maps.maps[1].fixed, (std::vector<int>{1, 4}));
    ASSERT_EQ(maps.maps[0].list.size(), 3u);
    EXPECT_EQ(maps.maps[0].list[2].from, 3);
    EXPECT_EQ(maps.maps[0].list[2].to, 2);
    EXPECT_EQ(maps.maps[0].list[2].kind, SpringKind::shear);
    ASSERT_EQ(maps.changes.size(), 4u);
    const std::vector<int> expected{0, 1, CorrectionMaps::none, 0};
    const std::vector<double> times{0.05, 0.2, 0.3, 0.4};
    for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_EQ(maps.changes[k].map, expected[k]);
        EXPECT_NEAR(maps.changes[k].t, times[k], 1e-12);
    }

    // A change holds until the next; before the first it is the first.
    EXPECT_EQ(maps.at(0), &maps.maps[0]);
    EXPECT_EQ(maps.at(maps.changes[1].t), &maps.maps[1]);
    EXPECT_EQ(maps.at(0.26), &maps.maps[1]);
    EXPECT_EQ(maps.at(0.35), nullptr);
    EXPECT_EQ(maps.at(99), &maps.maps[0]);
    EXPECT_EQ(maps.named("left", 0.25), &maps.maps[0]);
    EXPECT_EQ(maps.named("right \"knee\"", 0), &maps.maps[1]);
    EXPECT_EQ(maps.named("middle", 0), nullptr);
    EXPECT_EQ(maps.names(), (std::vector<std::string>{"left", "right \"knee\""}));
    EXPECT_EQ(CorrectionMaps().at(0), nullptr);
}

TEST(CorrectionMapRecorder, LeavesNoFileWithoutMaps) {
    const TemporaryFolder folder;
    Simulation simulation = tiny_simulation();
    CorrectionMapRecorder recorder(folder / "maps.json", 6, 1);
    simulation.run({&recorder});
    EXPECT_FALSE(fs::exists(folder / "maps.json"));
}

TEST(CorrectionMapRecorder, JoinsTheMapsOfSeveralFilters) {
    const TemporaryFolder folder;
    Simulation simulation =
        simulation_with({{{left}, {0}}, {{right}, {-1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0}}});
    CorrectionMapRecorder recorder(folder / "maps.json", 6, 0);
    simulation.run({&recorder});
    const CorrectionMaps maps = read_correction_maps(folder / "maps.json", 6);
    ASSERT_EQ(maps.maps.size(), 2u);
    EXPECT_EQ(maps.maps[0].name, "left");
    EXPECT_EQ(maps.maps[1].name, "left, right \"knee\"");
    EXPECT_EQ(maps.maps[1].fixed, (std::vector<int>{0, 1, 4}));
    ASSERT_EQ(maps.maps[1].list.size(), 4u);
    EXPECT_EQ(maps.maps[1].list[3].to, 0);
}

TEST(CorrectionMapRecorder, ContinuedRunsLeaveTheSameBytes) {
    const TemporaryFolder folder;
    Simulation whole = changing();
    CorrectionMapRecorder all(folder / "whole.json", 6, 0);
    whole.run({&all});
    for (const long stop_after : {1L, 3L, 4L, 6L, 7L, 11L}) {
        Simulation run = changing();
        StopAfter stop(stop_after);
        CorrectionMapRecorder part(folder / "part.json", 6, 0);
        run.run({&part, &stop}, [&stop] { return stop.stop; });
        CorrectionMaps cut = read_correction_maps(folder / "whole.json", 6);
        cut.cut(run.state().t);
        EXPECT_EQ(correction_maps_text(cut), bytes_of(folder / "part.json")) << stop_after;

        // Go on where maps of a later, lost part lie behind; the filter counts its numbers anew.
        fs::copy_file(folder / "whole.json", folder / "part.json", fs::copy_options::overwrite_existing);
        Simulation rest = changing();
        rest.restore(run.state(), run.progress(), run.totals());
        CorrectionMapRecorder recorder(folder / "part.json", 6, 0, rest.state().t);
        rest.run({&recorder});
        EXPECT_EQ(bytes_of(folder / "part.json"), bytes_of(folder / "whole.json")) << stop_after;
    }

    // A file that is gone is begun anew.
    Simulation run = changing();
    CorrectionMapRecorder recorder(folder / "gone.json", 6, 0, 0.1);
    run.run({&recorder});
    EXPECT_EQ(bytes_of(folder / "gone.json"), bytes_of(folder / "whole.json"));
}

TEST(CorrectionMapRecorder, WritesOnTheWay) {
    const TemporaryFolder folder;
    Simulation simulation = changing();
    CorrectionMapRecorder recorder(folder / "maps.json", 6, 2);
    class Look final : public Observer {
    public:
        explicit Look(fs::path file) : file_(std::move(file)) {}
        void frame(const Simulation&, int frame) override {
            if (frame == 1) {
                EXPECT_FALSE(fs::exists(file_));
            }
            if (frame == 2) {
                EXPECT_EQ(read_correction_maps(file_, 6).changes.size(), 2u);
            }
        }

    private:
        fs::path file_;
    } look(folder / "maps.json");
    simulation.run({&recorder, &look});
    EXPECT_EQ(read_correction_maps(folder / "maps.json", 6).changes.size(), 4u);
}

TEST(CorrectionMapRecorder, NotesNamesBeyondItsLimits) {
    const TemporaryFolder folder;
    const CorrectionMap small = map_of("small", {{2, 3, SpringKind::shear}});
    const auto record = [&](const CorrectionMapLimits& limits, const std::string& name) {
        Simulation simulation =
            simulation_with({{{left, right, small}, {0, 1, 2, 0, 1, 1, 2, 2, 2, 2, 2, 2}}});
        CorrectionMapRecorder recorder(folder / name, 6, 0, {}, limits);
        simulation.run({&recorder});
        return read_correction_maps(folder / name, 6);
    };

    // Of two maps at most, the third has a name alone; the others come again.
    const CorrectionMaps two = record({2, 1000, 1000}, "two.json");
    EXPECT_FALSE(two.whole);
    EXPECT_EQ(two.maps.size(), 2u);
    ASSERT_EQ(two.changes.size(), 6u);
    EXPECT_EQ(two.changes[2].map, CorrectionMaps::left_out);
    EXPECT_EQ(two.changes[2].name, "small");
    EXPECT_EQ(two.changes[4].map, 1);
    EXPECT_EQ(two.at(two.changes[2].t), nullptr);

    // Of six corrections and fixed vertices at most, the second map does not fit and the third does.
    const CorrectionMaps six = record({64, 6, 1000}, "six.json");
    ASSERT_EQ(six.maps.size(), 2u);
    EXPECT_EQ(six.maps[1].name, "small");
    EXPECT_EQ(six.changes[1].name, "right \"knee\"");
    EXPECT_FALSE(six.whole);

    // Of three changes at most, the last says that nothing is known from there on.
    const CorrectionMaps three = record({64, 1000, 3}, "three.json");
    ASSERT_EQ(three.changes.size(), 3u);
    EXPECT_EQ(three.changes[2].map, CorrectionMaps::none);
    EXPECT_FALSE(three.whole);
    EXPECT_EQ(record({64, 1000, 1000}, "all.json").changes.size(), 6u);
}

TEST(CorrectionMaps, CutForgetsMapsThatCameLater) {
    CorrectionMaps maps;
    maps.vertices = 6;
    maps.maps = {left, right};
    maps.changes = {{0.1, 0, {}}, {0.2, 1, {}}, {0.3, CorrectionMaps::left_out, "long"}};
    maps.whole = false;
    CorrectionMaps same = maps;
    same.cut(0.3);
    EXPECT_EQ(same.changes.size(), 3u);
    EXPECT_FALSE(same.whole);
    maps.cut(0.25);
    EXPECT_EQ(maps.maps.size(), 2u);
    EXPECT_TRUE(maps.whole);
    maps.cut(0.1);
    EXPECT_EQ(maps.maps.size(), 1u);
    maps.cut(0);
    EXPECT_TRUE(maps.maps.empty());
    EXPECT_TRUE(maps.changes.empty());
}

TEST(CorrectionMaps, DamagedFilesAreRefusedWithTheirPlace) {
    const TemporaryFolder folder;
    const std::string good =
        R"({"taut_correction_maps":1,"vertices":6,"whole":true,"active":[[0,0],[0.5,"long"],[1,null]],)"
        R"("maps":[{"name":"a","fixed":[0],"kinds":"hv","corrections":[0,1,1,2]}]})";
    EXPECT_EQ(parse_correction_maps(good, "maps.json", 6).maps.size(), 1u);
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        text.replace(text.find(from), from.size(), to);
        return text;
    };
    struct Case {
        std::string text;
        std::vector<std::string> words;
    };
    const std::vector<Case> cases{
        {good.substr(0, 60), {"byte ", "not valid JSON"}},
        {"", {"not valid JSON"}},
        {"[]", {"not a JSON object"}},
        {changed(R"("taut_correction_maps":1,)", ""), {"taut_correction_maps", "missing"}},
        {changed("maps\":1", "maps\":2"), {"/taut_correction_maps", "version", "2", "allowed: 1"}},
        {changed("\"vertices\":6", "\"vertices\":7"), {"/vertices", "7", "allowed: 6"}},
        {changed("true", "1"), {"/whole", "1"}},
        {changed("[[0,0]", "[[0,1]"), {"/active/0/1", "1"}},
        {changed("[[0,0]", "[[0,-1]"), {"/active/0/1", "-1"}},
        {changed("[[0,0]", "[[\"now\",0]"), {"/active/0/0", "not a time", "now"}},
        {changed("[[0,0]", "[[2,0]"), {"/active/1", "earlier"}},
        {changed("[[0,0]", "[[0,0,0]"), {"/active/0", "pair"}},
        {changed("\"active\":[", "\"active\":3,\"b\":["), {"/active", "list", "3"}},
        {changed("\"name\":\"a\"", "\"name\":4"), {"/maps/0/name", "4"}},
        {changed("[0,1,1,2]", "[0,1,1]"), {"/maps/0/corrections", "3 vertices, 2 letters"}},
        {changed("[0,1,1,2]", "[0,1,1,6]"), {"/maps/0/corrections/3", "6", "allowed: 0 to 5"}},
        {changed("[0,1,1,2]", "[0,1,1,2.5]"), {"/maps/0/corrections/3", "2.5"}},
        {changed("[0,1,1,2]", "[0,1,1,99999999999999999999]"), {"/maps/0/corrections/3"}},
        {changed("[0,1,1,2]", "[0,1,1,18446744073709551615]"), {"/maps/0/corrections/3"}},
        {changed("[0,1,1,2]", "[0,1,2,2]"), {"/maps/0/corrections/3", "corrected from"}},
        {changed("\"fixed\":[0]", "\"fixed\":[-1]"), {"/maps/0/fixed/0", "-1"}},
        {changed("\"hv\"", "\"hx\""), {"/maps/0/kinds, letter 1", "x", "h, v, s"}},
        {changed("\"kinds\":\"hv\",", ""), {"/maps/0", "\"kinds\" is missing"}},
    };
    for (const Case& item : cases) {
        put_bytes(folder / "maps.json", item.text);
        const std::string told = input_error([&] { read_correction_maps(folder / "maps.json", 6); });
        EXPECT_NE(told.find("maps.json"), std::string::npos) << told;
        for (const std::string& word : item.words)
            EXPECT_NE(told.find(word), std::string::npos) << item.text << "\n" << told;
    }
    input_error([&] { read_correction_maps(folder / "none.json", 6); });
    input_error([&] { CorrectionMapRecorder(folder / "maps.json", 6, 0, 1.0); });
}

TEST(CorrectionMaps, NamesKeepEveryLetter) {
    CorrectionMaps maps;
    maps.vertices = 6;
    maps.maps = {map_of("knee \"l\\r\"\n\u00e4", {})};
    maps.changes = {{0.1, 0, {}}, {1.0 / 3, CorrectionMaps::left_out, "\t\""}};
    const CorrectionMaps back = parse_correction_maps(correction_maps_text(maps), "maps.json", 6);
    EXPECT_EQ(back.maps[0].name, maps.maps[0].name);
    EXPECT_EQ(back.changes[1].name, "\t\"");
    EXPECT_EQ(back.changes[1].t, 1.0 / 3);
}

}  // namespace
}  // namespace taut::io::correction_maps_test
