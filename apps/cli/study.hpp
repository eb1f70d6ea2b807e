// The tools of a study, that is of the experiments of a paper: one timed run of a scene by a method, the
// search for the step at which a method is fastest, tables as CSV, and pictures of how a run ended.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "choices.hpp"
#include "motion.hpp"
#include "taut/io/chart.hpp"
#include "taut/io/picture.hpp"
#include "taut/scene/scene.hpp"
#include "taut/sim/simulation.hpp"

namespace taut::cli {

// One run of a scene with choices, ended early where it fails or takes too long.
struct TimedRun {
    Choices choices;       // springs: with the stiffness found
    std::string item;      // as --compare would have it
    bool reached = false;  // ran to its end and held the strain after every step
    bool capped = false;   // ended by the cap on time: it takes at least `seconds`
    double seconds = 0;    // stepping, as far as it went
    double simulated = 0;  // how far it went [s]
    double strain = 0;     // largest, collisions included [1]
    double before = 0;     // largest before the collision pass [1]
    double stiffness = 0;  // of springs [N]
    long steps = 0, retries = 0;
    double iterations = 0;  // per step
    int vertices = 0;
    std::map<std::string, double> stages{};  // seconds per stage
    State end;
    MotionTrace motion{};
    double path_error = 0;  // part of the drop, where there was a reference to hold it against
    bool strayed = false;   // further from the reference than allowed
};

struct RunLimits {
    double cap_s = 0;  // most seconds of stepping; 0: none
    std::vector<Observer*> observers{};
};

TimedRun run_timed(const scene::Scene& scene, const std::string& item, double strain,
                   const RunLimits& limits);

// The same once more; springs keep the stiffness that was found.
TimedRun run_again(const scene::Scene& scene, const TimedRun& run);

// A method with the settings it may be run with, from the coarsest to the finest.
struct Method {
    std::string name;                // in legends
    std::vector<std::string> items;  // a ladder of settings
};

// How a search judges runs.
struct SearchRules {
    double strain = 0;  // to be held [1]
    double cap_s = 0;   // of one run; 0: none
    // A converged run whose centre of mass must be followed, to path_limit and the strain on top; or none.
    const TimedRun* reference = nullptr;
};

// The fastest rung of the ladder that holds the strain and moves right, found from the coarsest on; ends
// where two in a row are no better. Slower ones are cut off at a little more than the best time. `told` hears
// of every run. Where none will do the result is the run that came closest.
TimedRun find_fastest(const Method& method, const scene::Scene& scene, const SearchRules& rules,
                      const std::function<void(const TimedRun&)>& told);

// Repeats what reached its goal, all in turn, and puts the medians in place of the times.
void take_medians(const scene::Scene& scene, int repeats, std::vector<TimedRun>& runs);

// Time over strain or over vertices, a line for every method, dashed to runs that were cut off; rows[k] holds
// all methods at x[k].
io::Chart time_chart(const std::vector<Method>& methods, const std::vector<std::vector<TimedRun>>& rows,
                     const std::vector<double>& x, bool over_strain);

// Rows of texts; commas and quotes in cells are taken care of.
void write_csv(const std::filesystem::path& file, const std::vector<std::vector<std::string>>& rows);

// The cloth as runs left it, all seen by one camera.
std::vector<io::Image> pictures_of(const scene::Scene& scene, const std::vector<State>& states,
                                   const io::PictureSettings& settings);

// The exponent p of the best fit y = c x^p, over points with positive numbers; not a number for less than
// two.
double fitted_exponent(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace taut::cli
