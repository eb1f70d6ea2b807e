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
    for (const std::string& line : lines) EXPECT_EQ(commas(line), 36) << line;
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
    report.refused = 2;
    report.integrator = {4, 120, 1e-5, 1.0625, 0.03125, 31, 17, 9, 8};
    report.center_of_mass = {1, 2, 3};
    report.seconds = NAN;
    report.note = "missed \"it\",\nbadly";
    EXPECT_EQ(
        csv_row(report, 0.25),
        "7,0.30000000000000004,0.008333333333333333,3,0,5,11,5,0.75,0.75,0.5,0.4375,0.0625,0.375,1,-3,-2,"
        "1e-09,0.25,4,6,13,2,4,120,1e-05,1.0625,0.03125,31,17,9,8,1,2,3,nan,"
        "\"missed \"\"it\"\", badly\"");
}

// Integrators that solve no systems leave their columns at zero.
TEST(StepsCsv, ColumnsMeanWhatTheirNamesSay) {
    const auto fields = [](const std::string& row) {
        std::vector<std::string> cells;
        std::istringstream in(row);
        for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
        return cells;
    };
    const std::vector<std::string> names = fields(csv_head());
    const auto cell = [&](const StepReport& report, const char* name) {
        const auto at = std::find(names.begin(), names.end(), name);
        return at == names.end() ? "no such column"
                                 : fields(csv_row(report, 0.5))[static_cast<std::size_t>(at - names.begin())];
    };
    StepReport told;
    told.refused = 3;
    told.integrator = {4, 120, 1e-5, 1.0625, 0.03125, 31, 17, 9, 8};
    told.center_of_mass = {5, 6, 7};
    const std::pair<const char*, const char*> wanted[] = {{"refused", "3"},
                                                          {"solves", "4"},
                                                          {"solve_iterations", "120"},
                                                          {"solve_residual", "1e-05"},
                                                          {"triangle_stretch", "1.0625"},
                                                          {"stretch_change", "0.03125"},
                                                          {"contacts_held", "31"},
                                                          {"contacts_sticking", "17"},
                                                          {"contacts_made", "9"},
                                                          {"contacts_released", "8"}};
    for (const auto& [name, value] : wanted) {
        EXPECT_EQ(cell(told, name), value) << name;
        EXPECT_EQ(cell({}, name), "0") << name;
    }
    EXPECT_EQ(cell(told, "com_x"), "5");
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
