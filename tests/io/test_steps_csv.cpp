// steps.csv: one row per step, quoted notes, and continued tables without gap or repetition.
#include "taut/io/steps_csv.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "io/temporary_folder.hpp"
#include "io/tiny_simulation.hpp"

namespace taut::io {
namespace {

namespace fs = std::filesystem;
using namespace taut::tests;

std::vector<std::string> lines_of(const fs::path& file) {
    std::vector<std::string> lines;
    std::istringstream in(bytes_of(file));
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

// Rows without the column of wall time, which no two runs share.
std::vector<std::string> timeless(const fs::path& file) {
    std::vector<std::string> rows = lines_of(file);
    for (std::string& row : rows) {
        const std::size_t note = row.rfind(',');
        row.erase(row.rfind(',', note - 1), std::string::npos);
    }
    return rows;
}

TEST(StepsCsv, HasARowPerStep) {
    const TemporaryFolder folder;
    Simulation simulation = tiny_simulation();
    StepsCsv table(folder / "steps.csv");
    simulation.run({&table});
    const std::vector<std::string> lines = lines_of(folder / "steps.csv");
    ASSERT_EQ(lines.size(), 13u);
    EXPECT_EQ(lines[0], csv_head());
    const auto commas = [](const std::string& line) { return std::count(line.begin(), line.end(), ','); };
    for (const std::string& line : lines) EXPECT_EQ(commas(line), 26) << line;
    EXPECT_EQ(lines[2].substr(0, 21), "2,0.1,0.05,0,1,2,10,3");
}

TEST(StepsCsv, RowsHoldTheirNumbers) {
    StepReport report;
    report.step = 7, report.t = 0.1 + 0.2, report.dt = 1.0 / 120, report.retries = 3, report.held = false;
    report.filters.resize(2);
    report.filters[0].iterations = 2, report.filters[1].iterations = 3;
    report.filters[0].corrections = 8, report.filters[1].corrections = 5;
    report.filters[0].linear_iterations = 11, report.filters[1].inner_iterations = 5;
    report.warp = {0.5, 0, 0.25, 0.125, 0.5};
    report.weft = {0.75, 0, 0.5, 0.75, 0.0625};
    report.strain_before = 0.0625, report.shear_max = 0.375, report.kinetic = 1, report.potential = -3,
    report.penetration = 1e-9, report.distance = 0.25, report.intersections = 4, report.contacts = 6;
    report.center_of_mass = {1, 2, 3};
    report.seconds = NAN;
    report.note = "missed \"it\",\nbadly";
    EXPECT_EQ(
        csv_row(report, 0.25),
        "7,0.30000000000000004,0.008333333333333333,3,0,5,11,5,0.75,0.75,0.5,0.4375,0.0625,0.375,1,-3,-2,"
        "1e-09,0.25,4,6,13,1,2,3,nan,"
        "\"missed \"\"it\"\", badly\"");
}

TEST(StepsCsv, ContinuedTablesHaveNoGapAndNoRepetition) {
    const TemporaryFolder folder;
    Simulation whole = tiny_simulation();
    StepsCsv table(folder / "whole.csv");
    whole.run({&table});
    for (long keep : {0L, 1L, 5L, 12L}) {
        fs::copy_file(folder / "whole.csv", folder / "part.csv", fs::copy_options::overwrite_existing);
        { StepsCsv cut(folder / "part.csv", keep); }
        ASSERT_EQ(lines_of(folder / "part.csv").size(), static_cast<std::size_t>(keep) + 1);
    }

    // Stop a run, let rows of later steps and half a row lie behind, and go on.
    Simulation first = tiny_simulation();
    StopAfter stop(7);
    {
        StepsCsv rows(folder / "part.csv");
        first.run({&rows, &stop}, [&stop] { return stop.stop; });
    }
    std::ofstream(folder / "part.csv", std::ios::app) << "8,rows of a run that was killed\n9,0.4";
    StepsCsv rest(folder / "part.csv", 7);
    first.run({&rest});
    EXPECT_EQ(timeless(folder / "part.csv"), timeless(folder / "whole.csv"));
}

TEST(StepsCsv, BeginsAnewWhereTheTableIsGoneAndRefusesWhereItIsDamaged) {
    const TemporaryFolder folder;
    { StepsCsv table(folder / "steps.csv", 5); }
    EXPECT_EQ(lines_of(folder / "steps.csv").size(), 1u);
    EXPECT_NE(input_error([&] { StepsCsv(folder / "steps.csv", 5); }).find("the row of step 1 is missing"),
              std::string::npos);
    put_bytes(folder / "steps.csv", csv_head() + "\n1,a\n3,b\n");
    EXPECT_NE(input_error([&] { StepsCsv(folder / "steps.csv", 2); }).find("line 3"), std::string::npos);
    put_bytes(folder / "steps.csv", csv_head() + "\n1,a\n2,cut off");
    input_error([&] { StepsCsv(folder / "steps.csv", 2); });
    put_bytes(folder / "steps.csv", "a,b,c\n1,2,3\n");
    EXPECT_NE(input_error([&] { StepsCsv(folder / "steps.csv", 1); }).find("line 1"), std::string::npos);
    input_error([&] { StepsCsv(folder / "none/steps.csv"); });
}

}  // namespace
}  // namespace taut::io
