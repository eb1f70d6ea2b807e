// taut fabric --bench: a fabric on the virtual test bench, each test beside what the fabric's data say.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "taut/scene/drape_test.hpp"
#include "taut/scene/fabric_file.hpp"
#include "taut/scene/sample_test.hpp"

namespace taut::cli {

struct BenchPlan {
    std::string tests;          // apart by commas; empty: all
    int seeds = 5;              // drapes
    std::vector<int> across{};  // cells along the diameter of draped discs; empty: those of the scene cusick
    double at = 1;              // free motion before a drape is settled [s]
};

// What a simulated sample felt beside the data of its fabric.
struct SampleReport {
    std::string name, title;  // "bending_warp", "bending, warp"
    bool shear = false;
    scene::SampleLoads loads;
    scene::LoadPath data;         // points of the fabric, or its curve followed with memory
    bool measured = false;        // they are points
    double rms = 0, largest = 0;  // deviation, part of the largest load
};

struct CantileverReport {
    std::string name;  // "warp", or "warp, B alone": with straight lines for the curves
    scene::CantileverResult result;
};

struct DrapeReport {
    int across = 0;
    int seed = 0;
    scene::DrapeResult result;
    double seconds = 0;
};

struct BenchReport {
    std::string fabric, source;
    std::vector<SampleReport> samples;
    std::vector<CantileverReport> cantilevers;
    std::vector<DrapeReport> drapes;
};

// Runs the tests; tells on standard error how far it is. Throws InputError on unknown tests.
BenchReport run_bench(const scene::FabricFile& file, const std::string& name, const BenchPlan& plan);

// Mean drape coefficient of the seeds of one resolution, and half the width of their range.
struct DrapeMean {
    int across = 0, count = 0;
    double mean = 0, spread = 0, nodes = 0;
    bool at_rest = true;
};
std::vector<DrapeMean> drape_means(const BenchReport& report);

std::string bench_text(const BenchReport& report);
scene::Json bench_json(const BenchReport& report);

// Charts of samples and cantilevers, pictures of drapes; returns what was written.
std::vector<std::filesystem::path> write_bench(const BenchReport& report,
                                               const std::filesystem::path& folder);

}  // namespace taut::cli
