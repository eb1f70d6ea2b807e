// The curve of a fabric from measured points: nonnegative parts of a LoadCurve such that following the
// measured paths with it, friction remembered, gives the measured loads with the least sum of squares. Parts
// are added one by one, the one that helps most first, and their scales refined after each, until the next
// would bring little. Same points, same bits. See docs/theory/fabrics.md.
#pragma once

#include <span>
#include <vector>

#include "taut/elements/load_curve.hpp"

namespace taut::scene {

// One measurement: places and loads in order of time, from a fabric at rest. Where it begins elsewhere, the
// fabric is taken to have come there straight from rest.
struct LoadPath {
    std::vector<double> s, load;
};

// Deviation of a curve from points, as parts of the largest measured load.
struct FitError {
    double rms = 0, largest = 0;
    int points = 0;
};

struct FitErrors {
    FitError out;    // the curve itself, without memory, at points farther out than all before
    FitError cycle;  // the curve followed with memory, at all points
};

FitErrors fit_errors(const elements::LoadCurve& curve, std::span<const LoadPath> paths);

// Paths must hold points away from 0 with loads; beyond the farthest the stiffening goes on straight.
elements::LoadCurve fit_load_curve(std::span<const LoadPath> paths);

// Least squares |A x - b| with x >= 0, by the active set of Lawson and Hanson. A by columns, of one length.
std::vector<double> nonnegative_least_squares(const std::vector<std::vector<double>>& columns,
                                              const std::vector<double>& b);

}  // namespace taut::scene
