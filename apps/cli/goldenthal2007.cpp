// The study of Goldenthal et al. 2007: the figures in turn, then the page.
#include "goldenthal2007.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "command.hpp"
#include "taut/base/error.hpp"
#include "taut/base/parallel.hpp"
#include "taut/io/atomic_file.hpp"
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

namespace {

const PaperHead goldenthal_head{
    "Goldenthal et al. 2007",
    "R. Goldenthal, D. Harmon, R. Fattal, M. Bercovier, E. Grinspun, *Efficient Simulation of Inextensible "
    "Cloth*, figure by figure.",
    "goldenthal2007",
    "Times are of one machine and mean something only beside each other; every method runs at the step at "
    "which it is fastest, found by a search, and holds the strain after the whole step, collisions included, "
    "unless it says otherwise."};

struct NumberedFigure {
    std::string number;
    PaperSection (*make)(const PaperStudy& study);
};

// The figures with these numbers, in the paper's order; all for an empty text.
std::vector<NumberedFigure> figures_named(const std::string& numbers) {
    const std::vector<NumberedFigure> all{{"1", paper_figure1},
                                          {"3", paper_figure3},
                                          {"4", paper_figure4},
                                          {"5", paper_figure5},
                                          {"6", paper_figure6}};
    if (numbers.empty()) return all;
    const std::vector<std::string> asked = split(numbers, ',');
    for (const std::string& number : asked) {
        if (std::none_of(all.begin(), all.end(),
                         [&](const NumberedFigure& figure) { return figure.number == number; })) {
            throw InputError({"", "--figures"}, "no such figure", number,
                             "figures 1, 3, 4, 5 and 6 are measured; give numbers apart by commas");
        }
    }
    std::vector<NumberedFigure> chosen;
    for (const NumberedFigure& figure : all) {
        if (std::find(asked.begin(), asked.end(), figure.number) != asked.end()) chosen.push_back(figure);
    }
    return chosen;
}

}  // namespace

int run_goldenthal2007(const std::filesystem::path& folder, const std::string& figures, bool quick,
                       int threads) {
    const std::vector<NumberedFigure> chosen = figures_named(figures);
    const ThreadLimit limit(threads);
    const auto start = std::chrono::steady_clock::now();
    PaperStudy study;
    study.folder = folder / "goldenthal2007";
    study.figures = figures;
    study.quick = quick;
    study.repeats = quick ? 1 : 3;
    io::make_folder(study.folder);
    std::vector<PaperSection> sections;
    for (const NumberedFigure& figure : chosen) {
        sections.push_back(figure.make(study));
        fmt::print(stderr, "{} is done\n", sections.back().title);
        // Write after every figure: what there is stays if the next one is interrupted.
        write_paper_page(folder / "goldenthal2007.md", goldenthal_head, study, sections);
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    fmt::print("page     {}\nfigures  {} (SVG, PNG, CSV)\ntook     {}\n",
               (folder / "goldenthal2007.md").string(), study.folder.string(), seconds_text(seconds));
    return exit_good;
}

}  // namespace taut::cli
