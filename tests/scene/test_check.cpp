// Findings before the first step: what is wrong is named, what is fine is not.
#include "taut/scene/check.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "scene/scene_text.hpp"
#include "taut/scene/check_pins.hpp"

namespace taut::scene {
namespace {

std::vector<Finding> check(const std::string& text) { return run_check(parse(text)); }

// The first finding whose text holds the words; an empty one where there is none.
Finding find(const std::vector<Finding>& findings, const std::string& words) {
    for (const Finding& finding : findings) {
        if (finding.text.find(words) != std::string::npos) return finding;
    }
    return {};
}

// A 1 m sheet with its corners u0v0 and u1v0 pinned so far apart, and `more` at the top level.
std::string pinned_apart(double distance, const std::string& more = "") {
    return R"({"taut": 1, "cloths": [{"name": "sheet", "type": "grid", "nu": 11, "nv": 11}], "pins": [
               {"name": "corners", "group": {"corner": ["u0v0", "u1v0"]}, "at": [[0, 0, 0], [)" +
           std::to_string(distance) + ", 0, 0]]}]" + more + "}";
}

TEST(Check, AGoodSceneHasNoFindings) {
    EXPECT_TRUE(
        check(one_cloth(R"("type": "grid", "nu": 11, "nv": 11, "initial": {"type": "sag", "chord": 0.98})",
                        R"("pins": [{"group": {"corner": ["u0v0", "u1v0"]}}])"))
            .empty());
}

TEST(Check, InfeasiblePinsAreNamedWithTheirDistance) {
    const auto findings = check(pinned_apart(1.02));
    const Finding finding = find(findings, "infeasible");
    EXPECT_EQ(finding.severity, Severity::error);
    EXPECT_EQ(finding.pointer, "/pins/0");
    EXPECT_NE(finding.text.find("vertex 0 of cloth 'sheet' (pin 'corners')"), std::string::npos);
    EXPECT_NE(finding.text.find("vertex 10 of cloth 'sheet'"), std::string::npos);
    EXPECT_NE(finding.text.find("1.02 m apart"), std::string::npos);
    EXPECT_NE(finding.remedy.find("0.02 m closer"), std::string::npos);
    EXPECT_TRUE(has_errors(findings));
}

TEST(Check, RigidRowsAreNamed) {
    const auto findings = check(pinned_apart(1));
    const Finding finding = find(findings, "held rigid");
    EXPECT_EQ(finding.severity, Severity::warning);
    EXPECT_NE(finding.text.find("10 edges"), std::string::npos);
    EXPECT_NE(finding.text.find("weft"), std::string::npos);
    EXPECT_FALSE(has_errors(findings));
}

TEST(Check, PinsMayStretchARowAsMuchAsIsPromised) {
    const std::string filters = R"(, "filters": [{"type": "fast_projection", "tolerance": 0.001}])";
    const auto findings = check(pinned_apart(1.0002, filters));
    EXPECT_EQ(find(findings, "infeasible").text, "");
    const Finding row = find(findings, "held rigid");
    EXPECT_EQ(row.severity, Severity::warning);
    EXPECT_NE(row.text.find("1.0002 m apart, stretched by 0.02 %"), std::string::npos) << row.text;
    const Finding far = find(check(pinned_apart(1.0012, filters)), "infeasible");
    EXPECT_EQ(far.severity, Severity::error);
    EXPECT_NE(far.text.find("a strain of 0.12 %, and 0.1 % is promised"), std::string::npos) << far.text;
}

// Its force balance has no solution there; the run would end at the first step.
TEST(Check, StableProjectionStretchesNoRow) {
    const Finding finding = find(check(pinned_apart(1.0002)), "infeasible");
    EXPECT_EQ(finding.severity, Severity::error);
    EXPECT_NE(finding.text.find("stable_projection finds no balance of forces"), std::string::npos)
        << finding.text;
    const auto simulation = build(parse(pinned_apart(1.0002, R"(, "run": {"duration": 0.05})")));
    EXPECT_EQ(simulation->run({}), RunOutcome::failed);
}

TEST(Check, PinnedNeighboursMayStretchAsMuchAsIsPromised) {
    const auto band = [](double spacing) {
        std::string at;
        for (int i = 0; i < 11; ++i) {
            at += std::string(i > 0 ? ", [" : "[") + std::to_string(spacing * i) + ", 0, 0]";
        }
        return one_cloth(
            R"("type": "grid", "nu": 11, "nv": 11)",
            R"("pins": [{"group": {"edge": "v0"}, "at": [)" + at + R"(]}], "run": {"duration": 0.05})");
    };
    EXPECT_FALSE(has_errors(check(band(0.10002))));
    EXPECT_EQ(build(parse(band(0.10002)))->run({}), RunOutcome::finished);
    EXPECT_EQ(find(check(band(0.1002)), "infeasible").severity, Severity::error);
}

TEST(Check, WhereNoStrainIsPromisedPinsMayStretch) {
    const Finding finding =
        find(check(pinned_apart(1.02, R"(, "preset": "implicit_springs")")), "infeasible");
    EXPECT_EQ(finding.severity, Severity::warning);
    EXPECT_EQ(finding.text.find("promised"), std::string::npos) << finding.text;
}

TEST(Check, PinsThatBecomeInfeasibleLater) {
    const auto findings = check(R"({"taut": 1, "cloths": [{"type": "grid", "nu": 11, "nv": 11,
            "initial": {"type": "sag", "chord": 0.9}}], "pins": [{"group": {"corner": "u0v0"}},
            {"name": "puller", "group": {"corner": "u1v0"}, "motion": {"interpolation": "linear",
             "keyframes": [{"time": 0}, {"time": 1, "translate": [0.5, 0, 0]}]}}]})");
    const Finding finding = find(findings, "infeasible");
    EXPECT_EQ(finding.severity, Severity::error);
    EXPECT_NE(finding.text.find("at 0.25 s"), std::string::npos);
    EXPECT_NE(finding.text.find("puller"), std::string::npos);
}

TEST(Check, StretchedStart) {
    const Finding finding =
        find(check(one_cloth(R"("type": "grid", "nu": 5, "nv": 5)",
                             R"("pins": [{"group": {"indices": 12}, "offset": [0, 0, 0.1]}])")),
             "starts with a strain");
    EXPECT_EQ(finding.severity, Severity::warning);
    EXPECT_EQ(finding.pointer, "/cloths/0");
}

TEST(Check, EdgesBetweenTwoPinsThatArePressed) {
    const Finding finding = find(check(one_cloth(R"("type": "grid", "nu": 5, "nv": 5)",
                                                 R"("pins": [{"group": {"indices": [0, 1]},
                                                     "at": [[0, 0, 0], [0.2, 0, 0]]}])")),
                                 "pins hold an edge");
    EXPECT_EQ(finding.severity, Severity::error);
    EXPECT_NE(finding.text.find("20 %"), std::string::npos);
}

TEST(Check, ClothThatFallsForEver) {
    const auto findings = check(one_cloth(R"("type": "grid", "nu": 5, "nv": 5)"));
    EXPECT_EQ(find(findings, "falls for ever").severity, Severity::note);
    EXPECT_TRUE(check(one_cloth(R"("type": "grid", "nu": 5, "nv": 5, "place": {"translate": [0, 0, 1]})",
                                R"("obstacles": [{"type": "plane"}])"))
                    .empty());
}

TEST(Check, StartInsideAnObstacle) {
    const Finding finding =
        find(check(one_cloth(R"("type": "grid", "nu": 5, "nv": 5)",
                             R"("obstacles": [{"name": "ball", "type": "sphere", "radius": 0.3}])")),
             "start inside");
    EXPECT_EQ(finding.severity, Severity::warning);
    EXPECT_NE(finding.text.find("'ball'"), std::string::npos);
    EXPECT_NE(finding.text.find("0.3 m deep"), std::string::npos);
}

TEST(Check, PinsInsideAnObstacle) {
    const auto findings =
        check(one_cloth(R"("type": "grid", "nu": 5, "nv": 5, "place": {"translate": [0, 0, 1]})",
                        R"("pins": [{"name": "p", "group": {"indices": 0}, "motion":
                                              {"keyframes": [{"time": 0}, {"time": 1, "translate": [0, 0, -1.5]}]}}],
                                             "obstacles": [{"name": "floor", "type": "plane"}])"));
    const Finding finding = find(findings, "held inside obstacle 'floor'");
    EXPECT_EQ(finding.severity, Severity::warning);
    EXPECT_EQ(finding.pointer, "/pins/0");
}

TEST(Check, ObstaclesNothingCollidesWith) {
    const auto findings =
        check(one_cloth(R"("type": "grid", "nu": 5, "nv": 5, "place": {"translate": [0, 0, 1]})",
                        R"("obstacles": [{"type": "plane"}], "filters": ["stable_projection"])"));
    EXPECT_EQ(find(findings, "no filter sees the obstacles").pointer, "/obstacles");
}

TEST(Check, ConditionsHoldNoChains) {
    const std::string chain = R"("type": "polyline", "vertices": 5)";
    const auto told = check(one_cloth(chain, R"("preset": "baraff_witkin1998")"));
    EXPECT_EQ(find(told, "is a chain").pointer, "/cloths/0");
    EXPECT_EQ(find(check(one_cloth(chain)), "is a chain").text, "");
}

TEST(Check, ConstraintForcesKeepLengths) {
    const std::string sheet = R"("type": "grid", "nu": 5, "nv": 5)";
    const std::string text = "no filter keeps warp and weft";
    EXPECT_EQ(find(check(one_cloth(sheet, R"("preset": "house1996")")), text).text, "");
    EXPECT_NE(find(check(one_cloth(sheet, R"("filters": [])")), text).text, "");
}

TEST(Check, ThicknessOfIntegratorAndFilterAgree) {
    const auto told = [](const std::string& thickness) {
        return check(one_cloth(R"("type": "grid", "nu": 5, "nv": 5, "place": {"translate": [0, 0, 1]})",
                               R"("preset": "baraff_witkin1998", "obstacles": [{"type": "plane"}],
                                  "filters": {"contact": {"thickness": )" +
                                   thickness + "}}"));
    };
    EXPECT_EQ(find(told("0.005"), "the integrator keeps").pointer, "/integrator/thickness");
    EXPECT_EQ(find(told("0.001"), "the integrator keeps").text, "");
}

TEST(Check, IntegratorsMaySeeObstaclesAndStretch) {
    const auto told = [](const std::string& integrator, const std::string& forces) {
        return check(one_cloth(
            R"("name": "sheet", "type": "grid", "nu": 5, "nv": 5, "place": {"translate": [0, 0, 1]})",
            R"("obstacles": [{"name": "floor", "type": "plane"}], "filters": [], "forces": ["gravity")" +
                forces +
                R"(], "friction": [{"between": ["sheet", "floor"], "coefficient": 0.5}], "integrator": )" +
                integrator));
    };
    const auto findings = told(R"("baraff_witkin")", R"(, "stretch_condition")");
    EXPECT_EQ(find(findings, "no filter").text, "");
    EXPECT_EQ(find(told(R"("viscous_fall")", R"(, "stretch_well")"), "no filter keeps warp and weft").text,
              "");
    const auto blind = told(R"({"type": "baraff_witkin", "contacts": false})", "");
    EXPECT_EQ(find(blind, "no filter sees the obstacles").pointer, "/obstacles");
    EXPECT_EQ(find(blind, "no filter asks for the friction").pointer, "/friction");
    EXPECT_EQ(find(blind, "no filter keeps warp and weft").pointer, "/filters");
}

TEST(Check, TriangleMeshesAreWarnedAbout) {
    const auto folder = std::filesystem::temp_directory_path() / ("taut_check_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "t.obj") << "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n";
    const Scene scene = parse_scene(one_cloth(R"("type": "obj", "file": "t.obj")"), "test.json", folder);
    const Finding finding = find(run_check(scene), "triangle");
    std::filesystem::remove_all(folder);
    EXPECT_EQ(finding.severity, Severity::warning);
    EXPECT_EQ(finding.pointer, "/cloths/0");
    EXPECT_FALSE(finding.remedy.empty());
}

TEST(Check, NothingKeepsTheLength) {
    EXPECT_EQ(find(check(small_scene(R"("filters": [])")), "stretching").severity, Severity::warning);
}

TEST(Check, ARateLimitKeepsNoLength) {
    const Scene scene = parse(small_scene(R"("filters": ["strain_rate_limit"])"));
    const Assembly assembly = assemble(scene);
    EXPECT_EQ(find(run_check(scene, assembly), "stretching").severity, Severity::warning);
    EXPECT_EQ(count_freedom(scene, assembly, assembly.model.cloths[0]).lengths, 0);
}

TEST(Check, SpringsAreToldAsWhatKeepsTheLength) {
    const std::string springs = R"("preset": "implicit_springs")";
    EXPECT_EQ(find(check(one_cloth(R"("type": "grid", "nu": 5, "nv": 5)", springs)), "stretching").text, "");
}

TEST(Check, EveryMethodThatPromisesStrainIsHeldToIt) {
    for (const char* name : {"sap", "strain_limit_jacobi", "xpbd"}) {
        const std::string filters = std::string(R"("filters": [{"type": ")") + name + R"("}])";
        const Scene scene = parse(one_cloth(R"("type": "grid", "nu": 5, "nv": 5)", filters));
        EXPECT_LT(promised_strain(scene), 1) << name;
    }
}

// N x N vertices: 3 N^2 coordinates, 2 N (N - 1) edges along yarns and (N - 1)^2 across cells.
TEST(Check, DegreesOfFreedomAreCounted) {
    const int n = 15;
    const auto freedom = [&](const char* cells, const char* edges, const char* pins) {
        const Scene scene = parse(one_cloth(
            R"("type": "grid", "nu": 15, "nv": 15, "cells": ")" + std::string(cells) + "\"",
            R"("filters": [{"type": "stable_projection", "edges": ")" + std::string(edges) + "\"}]" + pins));
        const Assembly assembly = assemble(scene);
        return count_freedom(scene, assembly, assembly.model.cloths[0]);
    };
    const Freedom quads = freedom("quads", "all", "");
    EXPECT_EQ(quads.coordinates, 3 * n * n);
    EXPECT_EQ(quads.lengths, 2 * n * (n - 1));
    EXPECT_EQ(quads.left(), 255);
    EXPECT_EQ(freedom("triangles", "yarns", "").left(), 255);
    EXPECT_EQ(freedom("triangles", "all", "").left(), 59);

    // The side between two corners, pinned whole: its edges hold nothing that pins do not hold.
    const Freedom pinned = freedom("quads", "all", R"(, "pins": [{"group": {"edge": "v0"}}])");
    EXPECT_EQ(pinned.pinned, 3 * n);
    EXPECT_EQ(pinned.lengths, 2 * n * (n - 1) - (n - 1));
}

TEST(Check, TrianglesThatLockAreNamed) {
    const auto text = [](const char* cells, const char* edges) {
        return one_cloth(R"("type": "grid", "nu": 15, "nv": 15, "cells": ")" + std::string(cells) + "\"",
                         R"("filters": [{"type": "stable_projection", "solver": "ldlt", "edges": ")" +
                             std::string(edges) + "\"}]");
    };
    const Finding finding = find(check(text("triangles", "all")), "locks");
    EXPECT_EQ(finding.severity, Severity::warning);
    EXPECT_EQ(finding.pointer, "/cloths/0");
    EXPECT_NE(finding.text.find("of 675 coordinates 0 are pinned and 616 taken by lengths, 59 stay free"),
              std::string::npos)
        << finding.text;
    EXPECT_EQ(find(check(text("triangles", "yarns")), "locks").text, "");
    EXPECT_EQ(find(check(text("quads", "all")), "locks").text, "");
}

TEST(Check, SolversThatDoNotFitAreRefused) {
    const InputError error = error_of(
        [] { check(small_scene(R"("filters": [{"type": "stable_projection", "solver": "cholesky"}])")); });
    EXPECT_EQ(error.where().file, "test.json");
    EXPECT_EQ(error.where().place, "/filters/0");
}

}  // namespace
}  // namespace taut::scene
