// The experiments of Goldenthal et al. 2007 as a study: `taut bench goldenthal2007` runs them and writes
// a page with the published statements beside what was measured.
#pragma once

#include <string>
#include <vector>

#include "paper_page.hpp"
#include "study.hpp"

namespace taut::cli {

PaperSection paper_figure1(const PaperStudy& study);  // sag at 10, 1 and 0.1 %
PaperSection paper_figure3(const PaperStudy& study);  // residual F of every step
PaperSection paper_figure4(const PaperStudy& study);  // chain against springs
PaperSection paper_figure5(const PaperStudy& study);  // drape, all methods
PaperSection paper_figure6(const PaperStudy& study);  // fast projection beside ICD

Paper goldenthal2007();

// Steps from long to short, as items "NAME+dt=1/60" and so on.
std::vector<std::string> step_ladder(const std::string& item, int coarsest, int finest);

// Tells on stderr how one run went.
void tell_run(const TimedRun& run);

std::string seconds_cell(const TimedRun& run);  // "1.23", "> 20" or "-"

}  // namespace taut::cli
