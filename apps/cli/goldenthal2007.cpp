// The study of Goldenthal et al. 2007: its figures, and how runs are told.
#include "goldenthal2007.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "text.hpp"

namespace taut::cli {

std::vector<std::string> step_ladder(const std::string& item, int coarsest, int finest) {
    std::vector<std::string> ladder;
    for (int rate = coarsest; rate <= finest; rate *= 2)
        ladder.push_back(fmt::format("{}+dt=1/{}", item, rate));
    return ladder;
}

void tell_run(const TimedRun& run) {
    const char* how = run.reached   ? "holds"
                      : run.capped  ? "takes too long"
                      : run.strayed ? "moves wrongly"
                                    : "does not hold";
    fmt::print(stderr, "  {}: {}, {} for {:.3g} s, strain {}, path {}\n", run.item, how,
               seconds_text(run.seconds), run.simulated, percent_text(run.strain),
               percent_text(run.path_error));
}

std::string seconds_cell(const TimedRun& run) {
    if (run.reached) return fmt::format("{:.4g}", run.seconds);
    return run.capped ? fmt::format("> {:.3g}", run.seconds) : "-";
}

Paper goldenthal2007() {
    return {{"Goldenthal et al. 2007",
             "R. Goldenthal, D. Harmon, R. Fattal, M. Bercovier, E. Grinspun, *Efficient Simulation of "
             "Inextensible "
             "Cloth*, figure by figure.",
             "goldenthal2007",
             "Times are of one machine and mean something only beside each other; every method runs at the "
             "step at "
             "which it is fastest, found by a search, and holds the strain after the whole step, collisions "
             "included, "
             "unless it says otherwise."},
            {{"1", paper_figure1},
             {"3", paper_figure3},
             {"4", paper_figure4},
             {"5", paper_figure5},
             {"6", paper_figure6}}};
}

}  // namespace taut::cli
