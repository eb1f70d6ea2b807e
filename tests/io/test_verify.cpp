// Verification of runs: a good one passes, and every planted fault is found where it was planted.
#include "taut/io/verify.hpp"

#include <set>

#include "io/verify_told.hpp"
#include "taut/base/parallel.hpp"
#include "taut/io/picture_color.hpp"

namespace taut::io {
namespace {

using namespace taut::tests;

TEST(Verify, AGoodRunPasses) {
    const PlantedRun run;
    for (const bool steps : {false, true}) {
        const VerifyReport report = run.verify(steps);
        EXPECT_TRUE(report.good()) << told(run, report);
        EXPECT_TRUE(report.list.empty());
        EXPECT_EQ(report.steps_recorded, steps);
        EXPECT_TRUE(report.pins_recorded);
        EXPECT_EQ(report.frames.count, 8);
        EXPECT_EQ(report.steps.count, steps ? 8 : 0);
        EXPECT_EQ(report.frames.t_last, 0.7);
        EXPECT_EQ(report.frames.pinned, 16);
        EXPECT_LE(report.frames.pin_error, 1e-15);
        EXPECT_LT(report.frames.max_strain, 1e-12);
        EXPECT_NEAR(report.frames.clearance, 0.25, 1e-12);  // from the rod
        EXPECT_EQ(report.steps.crossings, 0);
    }
}

TEST(Verify, AMovedVertexIsStrain) {
    PlantedRun run;
    run.x(3, PlantedRun::lower + 24) += Vec3(0, 0.01, 0);
    run.x(5, PlantedRun::lower + 12) += Vec3(0, 0.01, 0);
    VerifyReport report = run.verify();
    expect_only(run, report, Check::strain, 3);
    EXPECT_EQ(report.list.size(), 2u);
    EXPECT_EQ(describe(run.header, report.list[0].first), "edge 19-24 of cloth 'lower'");
    EXPECT_NEAR(report.list[0].value, 0.1, 1e-9);
    EXPECT_EQ(offences_of(report, Check::strain), 6);
    EXPECT_NEAR(report.frames.max_strain, 0.1, 1e-9);

    VerifyOptions all;
    all.all = true;
    report = run.verify(false, all);
    EXPECT_EQ(report.list.size(), 6u);
    EXPECT_EQ(report.list.back().index, 5);
}

TEST(Verify, StrainIsJudgedToTheLastDigits) {
    for (const double above : {1e-9, 1e-11, -1e-11}) {
        for (const double sign : {1.0, -1.0}) {
            PlantedRun run;
            run.x(2, PlantedRun::lower + 24) =
                run.x(2, PlantedRun::lower + 23) +
                Vec3(PlantedRun::cell * (1 + sign * (PlantedRun::tolerance + above)), 0, 0);
            const VerifyReport report = run.verify();
            EXPECT_EQ(report.good(), above < 0);
            EXPECT_NEAR(report.frames.max_strain, PlantedRun::tolerance, 1e-8);
            if (above < 0) continue;
            expect_only(run, report, Check::strain, 2);
            ASSERT_EQ(report.list.size(), 1u);
            EXPECT_EQ(describe(run.header, report.list[0].first), "edge 23-24 of cloth 'lower'");
        }
    }
}

TEST(Verify, StrainOfTheStartIsToldAndNotJudged) {
    PlantedRun run;
    run.x(0, PlantedRun::lower + 24) += Vec3(0, 0.01, 0);
    for (const bool steps : {false, true}) {
        const VerifyReport report = run.verify(steps);
        EXPECT_TRUE(report.good()) << told(run, report);
        ASSERT_TRUE(report.start_strain);
        EXPECT_NEAR(*report.start_strain, 0.1, 1e-9);
        EXPECT_EQ(describe(run.header, report.start_edge), "edge 19-24 of cloth 'lower'");
        EXPECT_LT(report.frames.max_strain, 1e-12);
        EXPECT_LT(report.steps.max_strain, 1e-12);
    }
    EXPECT_FALSE(run.verify(false, {.first = 1}).start_strain);

    // The first step must hold what was promised, and nothing may intersect from the start on.
    run.x(1, PlantedRun::lower + 24) += Vec3(0, 0.01, 0);
    expect_only(run, run.verify(true), Check::strain, 1);
    PlantedRun other;
    other.x(0, PlantedRun::lower + 12) += Vec3(0, 0, 0.12);
    expect_only(other, other.verify(), Check::intersections, 0);
}

TEST(Verify, StrainIsNotJudgedWhereNothingWasPromised) {
    PlantedRun run;
    run.x(3, PlantedRun::lower + 24) += Vec3(0, 0.01, 0);
    run.header.judged_before = true;
    EXPECT_TRUE(run.verify().good());
    EXPECT_TRUE(run.verify().judged_before);
    run.header.judged_before = false;
    EXPECT_TRUE(run.verify(false, without_strain()).good());
    run.header.tolerance = 0;
    EXPECT_TRUE(run.verify().good());
    EXPECT_NEAR(run.verify().frames.max_strain, 0.1, 1e-9);
}

TEST(Verify, AVertexPushedThroughAnotherLayerIntersects) {
    PlantedRun run;
    run.x(4, PlantedRun::lower + 12) += Vec3(0, 0, 0.12);
    const VerifyReport report = run.verify(false, without_strain());
    expect_only(run, report, Check::intersections, 4);
    // The vertex lies below face 10 of the upper sheet, and its own faces are these.
    for (const Offence& offence : report.list) {
        EXPECT_EQ(offence.first.body, lower_body);
        EXPECT_EQ(offence.second, (BodyPart{Kind::face, upper_body, 10, {12, 13, 18, 17}}));
        EXPECT_TRUE((std::set{5, 6, 9, 10}.contains(offence.first.index))) << offence.first.index;
    }
    EXPECT_NE(
        told(run, report).find("frame 4, 0.4 s: face 5 of cloth 'lower' intersects face 10 of cloth 'upper'"),
        std::string::npos)
        << told(run, report);
    EXPECT_EQ(report.frames.intersecting, 1);
}

TEST(Verify, ALayerThatJumpsThroughAnotherIsFoundOnTheWayOnly) {
    PlantedRun run;
    run.shift(5, PlantedRun::lower, 25, Vec3(0, 0, 0.15));
    const VerifyReport frames = run.verify(false);
    EXPECT_TRUE(frames.good()) << told(run, frames);
    const VerifyReport report = run.verify(true);
    expect_only(run, report, Check::crossings, 5);
    EXPECT_TRUE(report.list.front().step);
    EXPECT_EQ(report.steps.intersections, 0);
    EXPECT_EQ(report.steps.unsure, 0);
    // Two layers of 16 cells, of which 9 and parts of others lie above each other.
    EXPECT_GT(report.steps.crossings, 30);
    for (const Offence& offence : report.list) {
        EXPECT_TRUE(offence.sure);
        EXPECT_TRUE(offence.through);
        EXPECT_NEAR(offence.value, 2.0 / 3, 1e-6);
        EXPECT_NE(offence.first.body, offence.second.body);
    }
    EXPECT_TRUE(any_concerns(report, Kind::vertex, lower_body, 12));
    EXPECT_TRUE(any_concerns(report, Kind::face, upper_body, 10));
    EXPECT_NE(told(run, report).find("between steps 4 and 5"), std::string::npos);
}

TEST(Verify, AChainThatPassesThroughASheetIsACrossing) {
    PlantedRun run;
    run.shift(3, PlantedRun::chain, 3, Vec3(0, 0, -0.25));
    const VerifyReport report = run.verify(true);
    expect_only(run, report, Check::crossings, 3);
    EXPECT_TRUE(any_concerns(report, Kind::vertex, chain_body, 1));
    EXPECT_TRUE(std::all_of(report.list.begin(), report.list.end(), [](const Offence& offence) {
        return offence.first.body == chain_body || offence.second.body == chain_body;
    }));
}

TEST(Verify, APassAtATinyDistanceIsNoCrossing) {
    // The end of the chain passes the rim of the sheet 1e-7 m away, a millionth of where it starts.
    PlantedRun run;
    for (std::size_t k = 0; k < run.frames.size(); ++k) {
        const Vec3 corner = run.x(k, PlantedRun::upper + 4);
        for (int v = 0; v < 3; ++v)
            run.x(k, PlantedRun::chain + v) =
                corner + Vec3(1e-7 + PlantedRun::cell * v, 0.13, k < 4 ? 0.1 : -0.06);
    }
    const VerifyReport report = run.verify(true);
    EXPECT_TRUE(report.good()) << told(run, report);
    for (auto& frame : run.frames) frame.x[PlantedRun::chain].x() -= 2e-7;
    expect_only(run, run.verify(true, without_strain()), Check::crossings, 4);
}

TEST(Verify, AMovedPinIsFound) {
    PlantedRun run;
    run.x(5, PlantedRun::upper + 4) += Vec3(0, 0, 2e-12);
    VerifyReport report = run.verify();
    expect_only(run, report, Check::pins, 5);
    EXPECT_EQ(describe(run.header, report.list[0].first), "vertex 4 of cloth 'upper'");
    EXPECT_NE(told(run, report).find("pin 'corners'"), std::string::npos);
    EXPECT_NEAR(report.frames.pin_error, 2e-12, 1e-15);

    // It may go where it likes once it is released, which happens in the step that starts at 0.4 s or later.
    (*run.header.pins)[0].release = 0.45;
    EXPECT_TRUE(run.verify(false).good());
    EXPECT_FALSE(run.verify(true).good());
    (*run.header.pins)[0].release = 0.4;
    EXPECT_TRUE(run.verify(true).good());

    // Older files say nothing of pins.
    run.header.pins.reset();
    report = run.verify();
    EXPECT_TRUE(report.good());
    EXPECT_FALSE(report.pins_recorded);
}

TEST(Verify, NumbersThatAreNotFiniteAreNamed) {
    PlantedRun run;
    run.x(6, PlantedRun::upper + 3).y() = NAN;
    VerifyReport report = run.verify(true);
    ASSERT_FALSE(report.list.empty());
    EXPECT_EQ(report.list[0].check, Check::finite);
    EXPECT_EQ(report.list[0].index, 6);
    EXPECT_NE(told(run, report).find("vertex 3 of cloth 'upper' is not finite"), std::string::npos);

    PlantedRun tent_run;
    tent_run.frames[2].deformed[tent][1].z() = INFINITY;
    report = tent_run.verify();
    expect_only(tent_run, report, Check::finite, 2);
    EXPECT_NE(told(tent_run, report).find("obstacle 'tent' is not finite"), std::string::npos);

    PlantedRun timeless;
    timeless.frames[2].t = NAN;
    EXPECT_GT(offences_of(timeless.verify(true), Check::finite), 0);
}

TEST(Verify, TimesMustGrow) {
    PlantedRun run;
    run.frames[4].t = run.frames[3].t;
    const VerifyReport report = run.verify(false, {.pins = false});
    expect_only(run, report, Check::times, 4);
}

TEST(Verify, DamagedFilesAreRefusedAndNamed) {
    const TemporaryFolder folder;
    const PlantedRun run;
    run.write(folder / "cache.taut");
    std::string bytes = bytes_of(folder / "cache.taut");
    const std::size_t frame = bytes.size() / 1000;
    bytes[bytes.size() - frame] ^= 4;
    put_bytes(folder / "cache.taut", bytes);
    EXPECT_NE(input_error([&] { verify_run(folder / "cache.taut", {}, {}); }).find("frame 7"),
              std::string::npos);
    EXPECT_NO_THROW(verify_run(folder / "cache.taut", {}, {.last = 6}));
    EXPECT_NE(
        input_error([&] { verify_run(folder / "cache.taut", {}, {.first = 3, .last = 8}); }).find("0 to 7"),
        std::string::npos);
}

TEST(Verify, MissingFramesAndStepsAreFound) {
    const TemporaryFolder folder;
    PlantedRun run;
    run.write(folder / "steps.taut", CacheContent::steps);
    run.header.effective_scene = R"({"run": {"duration": 0.9}})";
    VerifyReport report = run.verify();
    expect_only(run, report, Check::complete, 7);
    EXPECT_NE(told(run, report).find("frames 0 to 9"), std::string::npos);
    EXPECT_TRUE(run.verify(false, {.first = 1}).good());
    run.header.effective_scene = R"({"run": {"duration": 0.7}})";
    EXPECT_TRUE(run.verify().good());

    // Cut a file within a frame, and let the steps end before the frames do.
    run.write(folder / "cache.taut");
    std::filesystem::resize_file(folder / "steps.taut",
                                 std::filesystem::file_size(folder / "steps.taut") - 8);
    report = verify_run(folder / "cache.taut", folder / "steps.taut", {});
    EXPECT_EQ(offences_of(report, Check::complete), 2);
    EXPECT_NE(told(run, report).find("the steps end before frame 7"), std::string::npos) << told(run, report);

    // Frames must be steps.
    PlantedRun other;
    other.shift(5, PlantedRun::chain, 3, Vec3(0, 0, 1e-9));
    other.write(folder / "steps.taut", CacheContent::steps);
    report = verify_run(folder / "cache.taut", folder / "steps.taut", {});
    expect_only(other, report, Check::complete, 5);
    other.header.rest_length[0] *= 2;
    other.write(folder / "steps.taut", CacheContent::steps);
    input_error([&] { verify_run(folder / "cache.taut", folder / "steps.taut", {}); });
}

TEST(Verify, AClothMayMeetItselfOnlyWhereThatIsSkipped) {
    PlantedRun run;
    // Fold the corner of the lower sheet over and through its middle.
    run.x(2, PlantedRun::lower) = run.x(2, PlantedRun::lower + 12) + Vec3(0.05, 0.05, 0.001);
    run.x(2, PlantedRun::lower + 1) = run.x(2, PlantedRun::lower + 12) + Vec3(0.05, 0.04, -0.01);
    VerifyOptions options = without_strain();
    expect_only(run, run.verify(false, options), Check::intersections, 2);
    options.self = false;
    EXPECT_TRUE(run.verify(false, options).good());
    EXPECT_TRUE(run.verify(true, options).good());
    options.self = true;
    EXPECT_FALSE(run.verify(true, options).good());
}

TEST(Verify, APartOfTheFramesHasItsSteps) {
    PlantedRun run;
    run.shift(5, PlantedRun::lower, 25, Vec3(0, 0, 0.15));
    EXPECT_TRUE(run.verify(true, {.first = 5}).good());
    EXPECT_TRUE(run.verify(true, {.last = 4}).good());
    const VerifyReport report = run.verify(true, {.first = 4, .last = 5});
    EXPECT_EQ(offences_of(report, Check::crossings), report.steps.crossings);
    EXPECT_EQ(report.steps.count, 2);
    EXPECT_EQ(report.steps.first, 4);
    EXPECT_FALSE(report.good());
}

TEST(Verify, TheSameOnAnyNumberOfThreads) {
    PlantedRun run;
    run.shift(5, PlantedRun::lower, 25, Vec3(0, 0, 0.15));
    run.x(6, PlantedRun::lower + 12) += Vec3(0, 0, -0.2);
    VerifyOptions options;
    options.all = true;
    const std::string wanted = [&] {
        const ThreadLimit limit(1);
        return told(run, run.verify(true, options));
    }();
    for (const int threads : {2, 4}) {
        const ThreadLimit limit(threads);
        EXPECT_EQ(told(run, run.verify(true, options)), wanted);
    }
}

TEST(Verify, OffencesAreMarkedInAPicture) {
    PlantedRun run;
    run.x(4, PlantedRun::lower + 12) += Vec3(0, 0, 0.12);
    const VerifyReport report = run.verify(false, without_strain());
    const PictureMarks marks = marks_of(run.header, report.list);
    EXPECT_EQ(marks.faces, (std::vector{5, 6, 9, 10, 16 + 10}));
    EXPECT_TRUE(marks.edges.empty());
    PictureSettings settings;
    settings.width = 160;
    settings.height = 100;
    const Camera camera = fit_camera(run.header, {&run.frames[4], 1}, settings);
    const auto signal = [&](const Image& image) {
        long pixels = 0;
        for (std::size_t k = 0; k + 2 < image.rgb.size(); k += 3)
            pixels += image.rgb[k] > 150 && image.rgb[k + 1] < 60 && image.rgb[k + 2] > 80 ? 1 : 0;
        return pixels;
    };
    EXPECT_EQ(signal(render_frame(run.header, run.frames[4], camera, settings)), 0);
    EXPECT_GT(signal(render_frame(run.header, run.frames[4], camera, settings, marks)), 100);

    // A link of the chain is an edge.
    Offence offence;
    offence.first = {Kind::edge, chain_body, -1, {1, 2, -1, -1}};
    EXPECT_EQ(marks_of(run.header, {offence}).edges,
              (std::vector{static_cast<int>(run.header.edges.size()) - 1}));
}

}  // namespace
}  // namespace taut::io
