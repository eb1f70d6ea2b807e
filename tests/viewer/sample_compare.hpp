// The texts of a comparison made up for the compare page to show: five runs of the sample scene, two
// of which could not hold the tolerance, one of these ending early, with a table, plots and notes.
#pragma once

#include <span>
#include <string>

#include "sample_run.hpp"
#include "taut/io/compare_page.hpp"

namespace taut::viewer_test {

struct SampleMethod {
    std::string name, verdict;
    bool reached = true;
    double stretch = 1, pace = 1;  // see SampleOptions
    double length = 1;             // share of the frames before it ended
    double run_time = 1;           // [s]
};

std::span<const SampleMethod> sample_methods();

// All but the runs.
io::ComparePage sample_comparison();

}  // namespace taut::viewer_test
