// What a run tells at its end: the strain certificate, times, iterations, energy, penetration.
#pragma once

#include <string>

#include "taut/io/report.hpp"
#include "taut/sim/simulation.hpp"

namespace taut::cli {

std::string summary_text(const Simulation& simulation, const io::ReportContext& context);

// One sentence: certified, missed, or nothing promised.
std::string certificate_text(const Simulation& simulation);

// True if every step so far held a promised tolerance.
bool certified(const Simulation& simulation);

}  // namespace taut::cli
