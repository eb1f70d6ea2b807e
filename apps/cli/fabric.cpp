// taut fabric: the numbers of a fabric and how well its curves fit what was measured, with charts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "command.hpp"
#include "fabric_bench.hpp"
#include "fabric_charts.hpp"
#include "taut/base/error.hpp"
#include "taut/base/parallel.hpp"
#include "taut/io/atomic_file.hpp"
#include "taut/scene/fabric_kes.hpp"
#include "taut/scene/fabric_units.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

namespace fs = std::filesystem;
using scene::CurveForm;
using scene::FabricFile;
using scene::FabricTest;
using scene::Json;

struct FabricOptions {
    std::string name, stem;
    bool json = false, list = false, bench = false;
    BenchPlan plan;
    int threads = 0;
};

int list_fabrics() {
    fmt::print("fabrics\n");
    for (const std::string& name : scene::built_in_fabrics()) {
        const FabricFile file = scene::open_fabric(name);
        fmt::print("  {:<18} {}\n", name, file.description);
    }
    fmt::print(
        "\nNumbers and charts of one: taut fabric NAME -o STEM. In a scene: \"material\": {{\"fabric\": "
        "\"NAME\"}}.\n");
    return exit_good;
}

std::string form_text(const FabricTest& test) {
    if (test.form == CurveForm::parameters) return "KES parameters";
    if (test.form == CurveForm::curve) return "a curve";
    std::size_t points = 0;
    for (const scene::LoadPath& path : test.paths) points += path.s.size();
    return fmt::format("{} points", points);
}

// One number in SI and as the Kawabata system has it; measured: not a number where there are no points.
std::vector<std::string> number_row(const std::string& name, double value, const char* unit, double measured,
                                    double kes, const char* kes_unit) {
    return {name, fmt::format("{:.4g} {}", value, unit), fmt::format("{:.4g} {}", value / kes, kes_unit),
            std::isfinite(measured) ? fmt::format("{:.4g}", measured / kes) : "-"};
}

void print_numbers(const FabricFile& file) {
    Table table;
    table.row({"", "SI", "Kawabata", "of the points"});
    table.rule();
    for (const auto& [name, test] :
         {std::pair{"warp", &file.bend_warp}, std::pair{"weft", &file.bend_weft}}) {
        const scene::KesBending kes = scene::kes_bending_of(test->curve);
        const scene::KesBending points = scene::kes_bending_of(test->paths);
        table.row(number_row(fmt::format("bending B, {}", name), kes.stiffness, "N m", points.stiffness,
                             scene::kes_bending, "gf.cm^2/cm"));
        table.row(number_row(fmt::format("loop 2HB, {}", name), kes.hysteresis, "N", points.hysteresis,
                             scene::kes_moment, "gf.cm/cm"));
    }
    const scene::KesShear kes = scene::kes_shear_of(file.shear.curve);
    const scene::KesShear points = scene::kes_shear_of(file.shear.paths);
    table.row(number_row("shear G", kes.stiffness, "N/m", points.stiffness, scene::kes_shear, "gf/(cm.deg)"));
    table.row(number_row("loop 2HG, at 0.5 deg", kes.hysteresis, "N/m", points.hysteresis, scene::kes_force,
                         "gf/cm"));
    table.row(number_row("loop 2HG5, at 5 deg", kes.hysteresis_5, "N/m", points.hysteresis_5,
                         scene::kes_force, "gf/cm"));
    fmt::print("{}\n", table.text());
}

void print_fits(const FabricFile& file) {
    Table table;
    table.row({"", "given by", "parts", "way out, rms", "largest", "cycle, rms", "largest"});
    table.rule();
    for (const NamedTest& named : tests_of(file)) {
        const FabricTest& test = *named.test;
        const auto yielding = std::count_if(test.curve.yielding.begin(), test.curve.yielding.end(),
                                            [](const elements::Yielding& y) { return y.load > 0; });
        std::string parts = fmt::format("{} yielding", yielding);
        if (test.curve.slope > 0) parts = "spring, " + parts;
        if (test.curve.stiffening > 0) parts += ", stiffening";
        std::vector<std::string> row{named.title, form_text(test), parts};
        for (const scene::FitError& error : {test.errors.out, test.errors.cycle}) {
            const bool measured = test.form == CurveForm::points;
            row.push_back(measured ? percent_text(error.rms) : "-");
            row.push_back(measured ? percent_text(error.largest) : "-");
        }
        table.row(std::move(row));
    }
    fmt::print(
        "{}\nNumbers are those of the curves, beside those of the points in units of Kawabata. Errors are "
        "parts of\nthe largest load: of the curve on the way out from rest, and of all points with friction "
        "remembered.\n",
        table.text());
}

Json error_json(const scene::FitError& error) {
    return {{"rms", error.rms}, {"largest", error.largest}, {"points", error.points}};
}

Json test_json(const FabricTest& test) {
    static const char* const forms[] = {"points", "parameters", "curve"};
    Json curve{{"slope", test.curve.slope}, {"yielding", Json::array()}};
    for (const elements::Yielding& y : test.curve.yielding) {
        if (y.load > 0) curve["yielding"].push_back({{"load", y.load}, {"scale", y.scale}});
    }
    if (test.curve.stiffening > 0) {
        curve["stiffening"] = test.curve.stiffening;
        curve["start"] = test.curve.start;
        if (std::isfinite(test.curve.end)) curve["end"] = test.curve.end;
    }
    Json result{{"given", forms[static_cast<int>(test.form)]}, {"curve", std::move(curve)}};
    if (test.form != CurveForm::points) return result;
    result["fit"] = {{"way_out", error_json(test.errors.out)}, {"cycle", error_json(test.errors.cycle)}};
    return result;
}

void print_json(const FabricFile& file, const std::vector<fs::path>& written) {
    const Fabric& fabric = file.fabric;
    Json report{{"name", fabric.name}, {"description", file.description}, {"source", file.source},
                {"units", "SI"},       {"density", fabric.density},       {"thickness", fabric.thickness}};
    for (const auto& [name, test] :
         {std::pair{"warp", &file.bend_warp}, std::pair{"weft", &file.bend_weft}}) {
        const scene::KesBending kes = scene::kes_bending_of(test->curve);
        Json entry{{"B", kes.stiffness}, {"2HB", kes.hysteresis}};
        entry.update(test_json(*test));
        report["bending"][name] = std::move(entry);
    }
    const scene::KesShear kes = scene::kes_shear_of(file.shear.curve);
    report["shear"] = {{"G", kes.stiffness}, {"2HG", kes.hysteresis}, {"2HG5", kes.hysteresis_5}};
    report["shear"].update(test_json(file.shear));
    report["pictures"] = Json::array();
    for (const fs::path& path : written) report["pictures"].push_back(path.string());
    fmt::print("{}\n", report.dump(2, ' ', false, Json::error_handler_t::replace));
}

void print_text(const FabricFile& file, const std::vector<fs::path>& written) {
    const Fabric& fabric = file.fabric;
    fmt::print("{}{}{}\n", fabric.name, file.description.empty() ? "" : ": ", file.description);
    fmt::print("  source     {}\n  density    {:.4g} kg/m^2\n", file.source, fabric.density);
    fmt::print("  thickness  {}\n\n",
               fabric.thickness > 0 ? fmt::format("{:.4g} mm", 1000 * fabric.thickness) : "not given");
    print_numbers(file);
    print_fits(file);
    if (!written.empty()) fmt::print("\n");
    for (const fs::path& path : written) fmt::print("wrote {}\n", path.string());
}

// Runs the fabric on the bench, and leaves its charts in a folder where one is named.
int bench_fabric(const FabricOptions& options, const FabricFile& file, const std::string& name) {
    const ThreadLimit limit(options.threads);
    const std::string place = scene::is_fabric_name(name) ? name : fs::absolute(name).string();
    const BenchReport report = run_bench(file, place, options.plan);
    const std::vector<fs::path> written =
        options.stem.empty() ? std::vector<fs::path>{} : write_bench(report, options.stem);
    if (options.json) {
        fmt::print("{}\n", bench_json(report).dump(2, ' ', false, Json::error_handler_t::replace));
    } else {
        fmt::print("{}", bench_text(report));
        for (const fs::path& path : written) fmt::print("wrote {}\n", path.string());
    }
    return exit_good;
}

int fabric(const FabricOptions& options) {
    if (options.list) return list_fabrics();
    if (options.name.empty())
        throw InputError({"", "NAME"}, "no fabric is named", "",
                         "give a name of `taut fabric --list`, or a file");
    std::error_code failure;
    const bool is_file = fs::is_regular_file(options.name, failure);
    const std::string name =
        is_file && scene::is_fabric_name(options.name) ? "./" + options.name : options.name;
    const FabricFile file = scene::open_fabric(name);
    if (options.bench) return bench_fabric(options, file, name);
    std::vector<fs::path> written;
    if (!options.stem.empty()) written = write_fabric_charts(file, options.stem);
    if (options.json) {
        print_json(file, written);
    } else {
        print_text(file, written);
    }
    return exit_good;
}

}  // namespace

void add_fabric(CLI::App& app, Task& task) {
    auto options = std::make_shared<FabricOptions>();
    CLI::App* command = app.add_subcommand("fabric", "Show a fabric: its numbers, fits and charts");
    CLI::Option* name =
        command->add_option("FABRIC", options->name, "Fabric file, or the name of a built-in fabric")
            ->type_name("");
    command->add_option("-o,--output", options->stem, "Write charts: STEM.png and three as SVG and PNG")
        ->type_name("STEM");
    command->add_flag("--json", options->json, "Print the numbers as JSON, in SI units");
    CLI::Option* bench = command->add_flag("--bench", options->bench,
                                           "Bend, shear, hang and drape simulated samples of it; -o then "
                                           "names a folder for charts and pictures");
    command->add_option("--tests", options->plan.tests, "Only these: bending, shear, cantilever, drape [all]")
        ->type_name("A,B,...")
        ->needs(bench);
    command->add_option("--seeds", options->plan.seeds, "Drapes, each shaken otherwise at its start [5]")
        ->type_name("N")
        ->check(count_between(1, 1000))
        ->needs(bench);
    command
        ->add_option("--across", options->plan.across,
                     "Cells along the diameter of draped discs; several [60]")
        ->type_name("N,...")
        ->delimiter(',')
        ->check(count_between(10, 400))
        ->needs(bench);
    add_threads(*command, options->threads);
    command->add_flag("--list", options->list, "List the built-in fabrics")->excludes(name);
    command->footer(
        "Examples:\n"
        "  taut fabric --list              the fabrics inside the program\n"
        "  taut fabric wool                numbers of one, in SI and in units of the Kawabata system\n"
        "  taut fabric my.json -o my       and charts: my.png, my_bending_warp.svg, ...\n"
        "  taut fabric wool --bench --tests bending,shear,cantilever\n"
        "  taut fabric silk --bench --seeds 3 -o out/silk_bench");
    command->callback([&task, options] { task = [options] { return fabric(*options); }; });
}

}  // namespace taut::cli
