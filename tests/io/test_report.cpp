// report.json: every promised key, the right numbers, and never a number JSON cannot hold.
#include "taut/io/report.hpp"

#include <cmath>

#include "io/temporary_folder.hpp"
#include "io/tiny_simulation.hpp"

namespace taut::io {
namespace {

using namespace taut::tests;
using nlohmann::json;

TEST(Report, HasEveryKeyOthersRead) {
    Simulation simulation = tiny_simulation();
    const RunOutcome outcome = simulation.run({});
    const auto report = make_report(simulation, {"0.1.0", "tiny", 0.25, 2, outcome});
    const json j = json::parse(report.dump());
    for (const char* key : {"/taut_version",
                            "/scene",
                            "/vertices",
                            "/constraints",
                            "/steps",
                            "/frames",
                            "/retries",
                            "/failed_steps",
                            "/wall_s",
                            "/setup_s",
                            "/threads",
                            "/max_strain",
                            "/strain/warp/max",
                            "/strain/warp/p999",
                            "/strain/warp/mean",
                            "/strain/warp/max_stretch",
                            "/strain/warp/max_compression",
                            "/strain/weft/max",
                            "/strain/weft/p999",
                            "/strain/weft/mean",
                            "/strain/weft/max_stretch",
                            "/strain/weft/max_compression",
                            "/strain/shear/max",
                            "/strain/shear/mean",
                            "/tolerance",
                            "/certified",
                            "/projection_iterations/total",
                            "/projection_iterations/max",
                            "/projection_iterations/mean",
                            "/linear_iterations/total",
                            "/linear_iterations/mean",
                            "/energy/start",
                            "/energy/end",
                            "/energy/max_growth",
                            "/penetration_m",
                            "/stages",
                            "/state_hash",
                            "/outcome",
                            "/failure",
                            "/dt",
                            "/peak_memory_bytes",
                            "/inner_iterations",
                            "/corrections/total",
                            "/corrections/mean",
                            "/correction_maps_built",
                            "/dt_least",
                            "/refused"}) {
        EXPECT_TRUE(j.contains(json::json_pointer(key))) << key;
        EXPECT_FALSE(j.at(json::json_pointer(key)).is_null()) << key;
    }
    EXPECT_EQ(j["vertices"], 6);
    EXPECT_EQ(j["constraints"], 4);
    EXPECT_EQ(j["steps"], 12);
    EXPECT_EQ(j["frames"], 6);
    EXPECT_EQ(j["threads"], 2);
    EXPECT_EQ(j["dt"], 0.05);
    EXPECT_EQ(j["outcome"], "finished");
    EXPECT_EQ(j["failure"], "");
    EXPECT_EQ(j["projection_iterations"]["total"], 24);
    EXPECT_EQ(j["projection_iterations"]["max"], 2);
    EXPECT_EQ(j["projection_iterations"]["mean"], 2.0);
    EXPECT_EQ(j["linear_iterations"]["total"], 120);
    EXPECT_EQ(j["linear_iterations"]["mean"], 5.0);
    EXPECT_EQ(j["inner_iterations"], 36);
    EXPECT_EQ(j["corrections"]["total"], 60);
    EXPECT_EQ(j["corrections"]["mean"], 5.0);
    EXPECT_EQ(j["correction_maps_built"], 12);
    EXPECT_EQ(j["certified"], true);
    EXPECT_EQ(j["tolerance"], 1e6);
    EXPECT_EQ(j["state_hash"], simulation.state_hash());
    EXPECT_EQ(j["energy"]["max_growth"], simulation.totals().energy_max - simulation.totals().energy_start);
    EXPECT_EQ(j["max_strain"], std::max(simulation.totals().warp.max, simulation.totals().weft.max));
    EXPECT_GT(j["peak_memory_bytes"], 1000000);
    EXPECT_TRUE(j["stages"].contains("counting"));
    EXPECT_EQ(j["dt_least"], 0.05);
    EXPECT_EQ(j["refused"], 0);
    EXPECT_FALSE(j.contains("integrator"));
}

TEST(Report, TellsOfIntegratorsThatSolveSystems) {
    Simulation simulation = tiny_simulation();
    RunTotals totals;
    totals.least_dt = 0.125;
    totals.integrator = {5, 8, 100, 31, 40, 9, 1.0625, 0.25};
    simulation.restore(simulation.state(), {}, totals);
    const auto j = make_report(simulation, {});
    EXPECT_EQ(j["dt_least"], 0.125);
    EXPECT_EQ(j["refused"], 5);
    EXPECT_EQ(j["integrator"]["solves"], 8);
    EXPECT_EQ(j["integrator"]["iterations"]["total"], 100);
    EXPECT_EQ(j["integrator"]["iterations"]["mean"], 12.5);
    EXPECT_EQ(j["integrator"]["stretch_max"], 1.0625);
    EXPECT_EQ(j["integrator"]["stretch_change_max"], 0.25);
    EXPECT_EQ(j["integrator"]["contacts"]["held_max"], 31);
    EXPECT_EQ(j["integrator"]["contacts"]["made"], 40);
    EXPECT_EQ(j["integrator"]["contacts"]["released"], 9);
}

TEST(Report, SaysWhyARunFailed) {
    Simulation simulation = tiny_simulation(0.32);
    const RunOutcome outcome = simulation.run({});
    const auto j = make_report(simulation, {"0.1.0", "tiny", 0, 1, outcome});
    EXPECT_EQ(j["outcome"], "failed");
    EXPECT_NE(j["failure"].get<std::string>().find("no \"promise\""), std::string::npos);
    EXPECT_EQ(j["certified"], false);
    EXPECT_EQ(j["failed_steps"], 1);
    EXPECT_GT(j["retries"], 0);
    EXPECT_EQ(j["refused"], 0);  // the filter was not content
}

TEST(Report, NeverHoldsANumberThatIsNotFinite) {
    Simulation simulation = tiny_simulation();
    RunTotals totals;
    totals.warp = {NAN, INFINITY, -INFINITY, NAN, 0.5};
    totals.energy_max = INFINITY;
    totals.penetration = NAN;
    totals.stages["odd"] = NAN;
    simulation.restore(simulation.state(), {}, totals);
    const auto report =
        make_report(simulation, {"\xff broken text", "tiny", INFINITY, 1, RunOutcome::interrupted});
    const TemporaryFolder folder;
    write_json(folder / "report.json", report);
    const json j = json::parse(bytes_of(folder / "report.json"));
    EXPECT_TRUE(j["strain"]["warp"]["max"].is_null());
    EXPECT_TRUE(j["strain"]["warp"]["p999"].is_null());
    EXPECT_EQ(j["strain"]["warp"]["max_compression"], 0.5);
    EXPECT_TRUE(j["max_strain"].is_null());
    EXPECT_TRUE(j["energy"]["max_growth"].is_null());
    EXPECT_TRUE(j["penetration_m"].is_null());
    EXPECT_TRUE(j["dt_least"].is_null());  // no step was made
    EXPECT_TRUE(j["setup_s"].is_null());
    EXPECT_TRUE(j["stages"]["odd"].is_null());
    EXPECT_EQ(j["projection_iterations"]["mean"], 0.0);
    EXPECT_EQ(j["outcome"], "interrupted");
}

TEST(Report, PromisesNothingWithoutAFilterThatDoes) {
    Model model = tiny_model();
    State start{model.rest, Points(6, Vec3::Zero()), 0};
    Pipeline pipeline;
    pipeline.integrator = std::make_unique<RememberingIntegrator>();
    Simulation simulation(std::move(model), std::move(start), std::move(pipeline), {});
    const auto j = make_report(simulation, {});
    EXPECT_TRUE(j["tolerance"].is_null());
    EXPECT_EQ(j["certified"], false);
}

}  // namespace
}  // namespace taut::io
