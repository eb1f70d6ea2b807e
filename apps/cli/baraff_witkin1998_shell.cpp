// How well the conditions match a shell: a heavy strip of triangles of three kinds against the elastica.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "baraff_witkin1998.hpp"
#include "study.hpp"
#include "taut/base/parallel.hpp"
#include "taut/scene/build.hpp"

namespace taut::cli {

namespace {

// A heavy strip clamped level at one end, by shooting: B theta'' = -w (L - s) cos theta; theta is 0 at the
// clamp and theta' 0 at the tip. Returns how far the tip hangs below the clamp and stands out from it.
Vec2 elastica_tip(double length, double weight, double bending) {
    constexpr int steps = 4000;
    const double ds = length / steps;
    Vec2 tip;
    const auto end_curvature = [&](double first) {
        double theta = 0, curvature = first;
        tip.setZero();
        for (int k = 0; k < steps; ++k) {
            // Midpoint rule.
            const double s = k * ds;
            const auto bend = [&](double at, double t) {
                return -weight / bending * (length - at) * std::cos(t);
            };
            const double mid = theta + 0.5 * ds * curvature;
            const double mid_curvature = curvature + 0.5 * ds * bend(s, theta);
            tip += ds * Vec2(std::sin(mid), std::cos(mid));
            theta += ds * mid_curvature;
            curvature += ds * bend(s + 0.5 * ds, mid);
        }
        return curvature;
    };
    double low = 0, high = weight * length * length / bending;
    for (int k = 0; k < 80; ++k) {
        const double middle = 0.5 * (low + high);
        (end_curvature(middle) > 0 ? high : low) = middle;
    }
    end_curvature(0.5 * (low + high));
    return tip;
}

// Tip of a strip of 10 cm by 2 cm that has come to rest under its weight: drop and reach; and the speed left.
Vec2 simulated_tip(bool irregular, double spacing, double bending, double& speed) {
    const std::string shape =
        irregular ? fmt::format(R"("type": "irregular_sheet", "spacing": {})", spacing)
                  : fmt::format(R"("type": "grid", "cells": "triangles", "nu": {}, "nv": {})",
                                std::lround(0.1 / spacing) + 1, std::lround(0.02 / spacing) + 1);
    const std::string text = fmt::format(
        R"({{"taut": 1, "preset": "baraff_witkin1998",
            "cloths": [{{{}, "width": 0.1, "height": 0.02, "material": {{"density": 0.2}}}}],
            "pins": [{{"group": {{"box": {{"min": [-1, -1, -1], "max": [{}, 1, 1]}}}}}}],
            "integrator": {{"type": "baraff_witkin", "cloth_contacts": false}},
            "forces": {{"velocity_damping": null,
                        "bend_condition": {{"weft": {}, "warp": {}, "damping": 0.02}}}},
            "run": {{"duration": 6, "fps": 50, "dt": 0.02}}}})",
        shape, 1.01 * spacing, bending, bending);
    const scene::Scene scene = scene::parse_scene(text, "strip");
    const LargeRun run = run_large(scene, fmt::format("strip, {}, {} m, {:.3g} N m",
                                                      irregular ? "irregular" : "grid", spacing, bending));
    Vec2 tip = Vec2::Zero();
    int count = 0;
    speed = 0;
    const scene::Assembly assembly = scene::assemble(scene);
    for (std::size_t i = 0; i < run.end.x.size(); ++i) {
        speed = std::max(speed, run.end.v[i].norm());
        if (assembly.model.rest[i].x() < 0.1 - 1e-9) continue;
        tip += Vec2(-run.end.x[i].z(), run.end.x[i].x() - 0.5 * spacing);
        ++count;
    }
    return tip / count;
}

}  // namespace

PaperSection paper_shell(const PaperStudy& study) {
    const ThreadLimit one(1);
    PaperSection section;
    section.title = "Bending against the elastica";
    section.text =
        "A strip of 10 cm by 2 cm and 0.2 kg/m^2 clamped level at one end hangs under its weight, from flat "
        "to "
        "rest (6 s in steps of 20 ms), with bending stiffness B so that w L^3 / B is 1, 5 and 20; drop and "
        "reach of its tip against the inextensible elastica, which bends as a shell does that bends one way. "
        "The clamp holds two columns of vertices, and stands in the middle between them. Contacts of cloth "
        "with cloth are off.";
    std::vector<std::vector<std::string>> table{{"w L^3 / B", "mesh", "spacing [mm]", "drop, reach [mm]",
                                                 "elastica [mm]", "off by [% of length]",
                                                 "speed left [mm/s]"}};
    const double weight = 0.2 * 9.81, finest = study.quick ? 0.01 : 0.0025;
    const std::vector<double> spacings =
        study.quick ? std::vector<double>{0.01} : std::vector<double>{0.01, 0.005, 0.0025};
    std::array<double, 2> worst{};  // of the finest: right triangles, irregular ones
    for (const double load : {1.0, 5.0, 20.0}) {
        const double bending = weight * 1e-3 / load;
        for (const bool irregular : {false, true}) {
            for (const double spacing : spacings) {
                double speed = 0;
                const double length = 0.1 - 0.5 * spacing;
                const Vec2 exact = elastica_tip(length, weight, bending),
                           tip = simulated_tip(irregular, spacing, bending, speed);
                const double error = (tip - exact).norm() / length;
                double& most = worst[irregular ? 1 : 0];
                if (spacing == finest) most = std::max(most, error);
                table.push_back({fmt::format("{:g}", load), irregular ? "irregular" : "right triangles",
                                 fmt::format("{:g}", 1e3 * spacing),
                                 fmt::format("{:.2f}, {:.2f}", 1e3 * tip[0], 1e3 * tip[1]),
                                 fmt::format("{:.2f}, {:.2f}", 1e3 * exact[0], 1e3 * exact[1]),
                                 fmt::format("{:.2f}", 100 * error), fmt::format("{:.2g}", 1e3 * speed)});
            }
        }
    }
    section.tables = {table};
    write_csv(study.folder / "shell.csv", table);
    section.files = {"shell.csv"};
    section.claims = {
        {"how well do the conditions match a shell?",
         fmt::format("at {:g} mm: irregular triangles within {:.2g} % of the length, right triangles within "
                     "{:.2g} %",
                     1e3 * finest, 100 * worst[1], 100 * worst[0]),
         "measured",
         "right triangles are a sixth too soft however small: their diagonals fold as well, which no "
         "cylinder "
         "needs; among irregular triangles that evens out"}};
    return section;
}

}  // namespace taut::cli
