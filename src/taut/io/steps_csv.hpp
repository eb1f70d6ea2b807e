// steps.csv: one row per committed step, in the order of the head line. Numbers read back to the
// same bits. Rows are on disk at the end of every frame.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "taut/sim/simulation.hpp"

namespace taut::io {

class StepsCsv final : public Observer {
public:
    // Starts a new file, or, with keep_steps >= 0, goes on in an existing one after the row of that
    // step; a file that is gone is begun anew. Throws InputError.
    explicit StepsCsv(const std::filesystem::path& file, long keep_steps = -1);

    void begin(const Simulation& simulation) override;
    void step(const Simulation& simulation, const StepReport& report) override;
    void frame(const Simulation& simulation, int frame) override;
    void end(const Simulation& simulation) override;

private:
    void write(const std::string& text);
    void flush();

    std::filesystem::path file_;
    std::ofstream stream_;
    double warp_share_ = 0.5;  // of all constrained edges, for the mean over both directions
};

// The row of a step, without line end. warp_share: warp edges over warp and weft edges.
std::string csv_row(const StepReport& report, double warp_share);
std::string csv_head();

}  // namespace taut::io
