// Verification of runs among solids: cloth inside them, and solids that pass through cloth on the way.
#include <set>

#include "io/verify_told.hpp"

namespace taut::io {
namespace {

using namespace taut::tests;

// No two parts are told twice.
void expect_each_once(const PlantedRun& run, const VerifyReport& report) {
    std::set<std::pair<BodyPart, BodyPart>> parts;
    for (const Offence& offence : report.list) parts.insert({offence.first, offence.second});
    EXPECT_EQ(parts.size(), report.list.size()) << told(run, report);
}

TEST(Verify, ClothInsideSolidsIsFound) {
    struct Case {
        Solid solid;
        Vec3 move;
        double depth;
    };
    // The lower sheet lies at 0; each solid is moved up or down into it, or a sheet into the ground.
    for (const auto& [solid, move, depth] :
         {Case{ball, {0, 0, 0.45}, 0.05}, Case{rod, {0, 0, 0.27}, 0.02}, Case{block, {0, 0, -0.99}, 0},
          Case{ground, {0, 0, 1.01}, 0.01}}) {
        PlantedRun run;
        run.frames[3].obstacles[solid].translation = move;
        const VerifyReport report = run.verify();
        expect_only(run, report, Check::intersections, 3);
        expect_each_once(run, report);
        EXPECT_EQ(offences_of(report, Check::intersections), static_cast<long>(report.list.size()));
        EXPECT_NEAR(report.frames.depth, depth, 1e-12);
        const bool face_known = solid == block;
        EXPECT_TRUE(any_concerns(report, face_known ? Kind::face : Kind::solid, first_solid + solid,
                                 face_known ? report.list[0].second.index : -1));
        EXPECT_TRUE(run.verify(false, {.obstacles = false}).good());
    }
    PlantedRun run;
    for (Vec3& p : run.frames[3].deformed[tent]) p.z() -= 0.71;
    const VerifyReport report = run.verify();
    expect_only(run, report, Check::intersections, 3);
    EXPECT_NE(told(run, report).find("of obstacle 'tent'"), std::string::npos);
}

TEST(Verify, SolidsThatPassThroughClothAreFoundOnTheWay) {
    // Each stays below or above both sheets in every step, but on different sides.
    for (const auto& [solid, move] :
         {std::pair{ball, Vec3(0, 0, 0.75)}, std::pair{rod, Vec3(0, 0, 0.48)},
          std::pair{block, Vec3(0, 0, -1.05)}, std::pair{tent, Vec3(0, 0, -0.76)}}) {
        PlantedRun run;
        run.shift(0, PlantedRun::chain, 3, Vec3(0, 0, 3));
        for (std::size_t k = 6; k < run.frames.size(); ++k) {
            run.frames[k].obstacles[solid].translation = move;
            if (solid == tent) {
                for (Vec3& p : run.frames[k].deformed[tent]) p += move;
            }
        }
        EXPECT_TRUE(run.verify().good()) << told(run, run.verify());
        const VerifyReport report = run.verify(true);
        expect_only(run, report, Check::crossings, 6);
        expect_each_once(run, report);
        EXPECT_EQ(report.steps.unsure, 0);
        for (const Offence& offence : report.list) {
            EXPECT_TRUE(offence.first.body == first_solid + solid ||
                        offence.second.body == first_solid + solid);
        }
        if (solid == ball || solid == rod) {
            EXPECT_TRUE(any_concerns(report, Kind::solid, first_solid + solid));
        } else {
            EXPECT_TRUE(any_concerns(report, Kind::vertex, first_solid + solid, 0));
        }
    }
}

TEST(Verify, ABallThatOnlyGrazesIsClear) {
    PlantedRun run;
    for (std::size_t k = 4; k < run.frames.size(); ++k)
        run.frames[k].obstacles[ball].translation = Vec3(0, 0, 0.4 - 1e-9);
    VerifyReport report = run.verify(true);
    EXPECT_TRUE(report.good()) << told(run, report);
    EXPECT_NEAR(report.steps.clearance, 1e-9, 1e-12);
    EXPECT_GE(report.steps.clearance_index, 4);
}

}  // namespace
}  // namespace taut::io
