// taut check: everything `taut run` would refuse or that is likely not meant, without running.
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "command.hpp"
#include "errors.hpp"
#include "scene_source.hpp"
#include "state_picture.hpp"
#include "taut/scene/build.hpp"
#include "taut/scene/check.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

using scene::Finding;
using scene::Json;
using scene::Severity;

struct CheckOptions {
    std::string scene, picture;
    std::vector<std::string> overrides;
    bool json = false;
};

int count(const std::vector<Finding>& findings, Severity severity) {
    int total = 0;
    for (const Finding& finding : findings) total += finding.severity == severity ? 1 : 0;
    return total;
}

Json freedom_json(const scene::Scene& scene, const scene::Assembly& assembly) {
    Json list = Json::array();
    for (const Cloth& cloth : assembly.model.cloths) {
        const scene::Freedom freedom = scene::count_freedom(scene, assembly, cloth);
        list.push_back({{"cloth", cloth.name},
                        {"coordinates", freedom.coordinates},
                        {"pinned", freedom.pinned},
                        {"lengths", freedom.lengths},
                        {"left", freedom.left()}});
    }
    return list;
}

// Cloths of a fabric, with its straight-line stiffnesses.
Json fabrics_json(const Model& model) {
    Json list = Json::array();
    for (const Cloth& cloth : model.cloths) {
        if (!cloth.fabric) continue;
        list.push_back({{"cloth", cloth.name},
                        {"fabric", cloth.fabric->name},
                        {"bending_warp", cloth.fabric->bending_warp()},
                        {"bending_weft", cloth.fabric->bending_weft()},
                        {"shear", cloth.fabric->shear_stiffness()}});
    }
    return list;
}

void print_json(const std::string& name, const std::vector<Finding>& findings, const std::string& file,
                Json freedom, Json fabrics) {
    Json report;
    report["scene"] = name;
    report["file"] = file;
    report["errors"] = count(findings, Severity::error);
    report["warnings"] = count(findings, Severity::warning);
    report["findings"] = Json::array();
    for (const Finding& finding : findings) {
        Json entry;
        entry["severity"] = scene::severity_name(finding.severity);
        entry["pointer"] = finding.pointer;
        entry["text"] = finding.text;
        entry["remedy"] = finding.remedy;
        report["findings"].push_back(std::move(entry));
    }
    report["freedom"] = std::move(freedom);
    report["fabrics"] = std::move(fabrics);
    fmt::print("{}\n", report.dump(2, ' ', false, Json::error_handler_t::replace));
}

void print_findings(const scene::Scene& scene, const scene::Assembly& assembly,
                    const std::vector<Finding>& findings) {
    for (const Finding& finding : findings) {
        fmt::print("{}: {}\n", scene::severity_name(finding.severity), finding.text);
        if (!finding.pointer.empty()) fmt::print("  at:    {}\n", finding.pointer);
        if (!finding.remedy.empty()) fmt::print("  help:  {}\n", finding.remedy);
    }
    const Model& model = assembly.model;
    for (const Cloth& cloth : model.cloths) {
        const scene::Freedom freedom = scene::count_freedom(scene, assembly, cloth);
        const bool over = freedom.pinned + freedom.lengths > freedom.coordinates;
        fmt::print("degrees of freedom of '{}': {} coordinates - {} pinned - {} lengths {} {}\n", cloth.name,
                   count_text(freedom.coordinates), count_text(freedom.pinned), count_text(freedom.lengths),
                   over ? "leave" : "=", count_text(freedom.left()));
    }
    for (const Cloth& cloth : model.cloths) {
        if (!cloth.fabric) continue;
        fmt::print(
            "fabric of '{}': {}, bending {:.3g} N m along warp and {:.3g} along weft, shear {:.3g} N/m\n",
            cloth.name, cloth.fabric->name, cloth.fabric->bending_warp(), cloth.fabric->bending_weft(),
            cloth.fabric->shear_stiffness());
    }
    const int errors = count(findings, Severity::error);
    const int warnings = count(findings, Severity::warning);
    fmt::print("{}: {}, {}, {}; {}, {}: {}\n", scene.name,
               counted(static_cast<long>(model.cloths.size()), "cloth"),
               counted(model.vertex_count(), "vertex", "vertices"),
               counted(static_cast<long>(model.pins.size() + model.guides.size()), "pin group"),
               counted(errors, "error"), counted(warnings, "warning"),
               errors > 0 ? "would not hold its promises" : "ready to run");
}

// What the set-up refuses, as a finding for --json.
Finding refusal(const InputError& error) {
    std::string text = error.problem();
    if (!error.value().empty()) text += " (got " + error.value() + ")";
    return {Severity::error, error.where().place, text, error.remedy()};
}

int check_scene(const CheckOptions& options) {
    const scene::Scene scene = open_scene(options.scene, options.overrides);
    scene::Assembly assembly = scene::assemble(scene);
    const std::vector<Finding> findings = scene::run_check(scene, assembly);
    const bool bad = scene::has_errors(findings);

    if (options.json) {
        print_json(scene.name, findings, scene.file, freedom_json(scene, assembly),
                   fabrics_json(assembly.model));
    } else {
        print_findings(scene, assembly, findings);
    }
    // Build the pipeline as well: what it refuses, `run` would refuse.
    if (bad && options.picture.empty()) return exit_bad_input;
    const std::vector<collision::Obstacle> obstacles = assembly.obstacles;
    const auto simulation = scene::build(scene, std::move(assembly));
    if (!options.picture.empty()) {
        std::vector<int> faces;
        for (const Finding& finding : findings)
            faces.insert(faces.end(), finding.faces.begin(), finding.faces.end());
        write_state_picture(options.picture, *simulation, obstacles, scene, faces);
        if (!options.json) fmt::print("picture  {}\n", options.picture);
    }
    return bad ? exit_bad_input : exit_good;
}

int check(const CheckOptions& options) {
    if (!options.json) return check_scene(options);
    try {
        return check_scene(options);
    } catch (const InputError& error) {
        print_json(options.scene, {refusal(error)}, error.where().file, Json::array(), Json::array());
        return exit_bad_input;
    }
}

}  // namespace

void add_check(CLI::App& app, Task& task) {
    auto options = std::make_shared<CheckOptions>();
    CLI::App* command = app.add_subcommand("check", "See whether a scene would run, without running it");
    command->add_option("SCENE", options->scene, "Scene file, or the name of a built-in scene")
        ->type_name("")
        ->required();
    add_overrides(*command, options->overrides);
    command->add_flag("--json", options->json, "Print the findings as JSON");
    command->add_option("--picture", options->picture, "Draw the start, with faces that intersect marked")
        ->type_name("FILE")
        ->check(picture_name());
    command->footer(
        "Looks at names, types, ranges and files, meshes, pins no unstretched cloth can reach, rows that\n"
        "pins hold rigid, pins far from what carries them, triangles that would lock, cloths that start\n"
        "stretched, inside obstacles or through each other, cloths that no filter keeps apart.\n"
        "Exit code 2 if there is an error, 0 otherwise; warnings and notes are only shown.\n"
        "\n"
        "Examples:\n"
        "  taut check my.json\n"
        "  taut check hang_taut\n"
        "  taut check my.json --set run/dt=1/60 --json\n"
        "  taut check my.json --picture start.png");
    command->callback([&task, options] { task = [options] { return check(*options); }; });
}

}  // namespace taut::cli
