// A sample of a fabric in a testing machine, as a simulation: clamped vertices go along a path, the others
// are in balance at every point of it, and the load is what the clamps feel, by the work they do:
//     load(s) = -1/A sum_i f_i . dx_i/ds
// over the clamped vertices, with the force f_i of the cloth on each. Two machines: a strip bent to an even
// curvature, as in the Kawabata bending tester, and a sheet in a frame that shears. See
// docs/theory/fabric_bench.md.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "taut/model/model.hpp"
#include "taut/scene/fabric_fit.hpp"

namespace taut::scene {

// Places of the clamped vertices at a deformation.
using ClampPlaces = std::function<void(double s, PointsView x)>;

struct TestSample {
    Model model;  // with its fabric, without pins
    std::vector<int> clamped;
    ClampPlaces places;
    double area = 0;            // whose work is measured [m^2]
    double slip = 0;            // difference of s for derivatives of places
    double yarn_stiffness = 0;  // tension of an edge per strain: so stiff that yarns keep their length [N]
};

// A strip of `gauge` length between clamps and of `cells` cells, its warp or weft along it.
TestSample bending_sample(std::shared_ptr<const Fabric> fabric, bool weft, double gauge, int cells);
// A square of `cells` x `cells` in a frame of hinged bars.
TestSample shear_sample(std::shared_ptr<const Fabric> fabric, double size, int cells);

struct SampleLoads {
    LoadPath path;     // the places asked for, and the loads there
    bool held = true;  // every step was in balance
    long steps = 0;
    double strain = 0;  // largest of warp and weft
};

// Goes along a path that begins at rest. Throws std::runtime_error where the sample cannot follow.
SampleLoads follow_path(const TestSample& sample, std::span<const double> path, bool hysteresis);

}  // namespace taut::scene
