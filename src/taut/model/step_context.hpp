// What passes through one step: the metric of the integrator, everything about the step that filters may
// read, the candidate velocity on its way through them, and what each of them reports.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "taut/linalg/linear_solver.hpp"
#include "taut/model/contact_row.hpp"
#include "taut/model/model.hpp"

namespace taut {

class Force;

// H0 = diag(diagonal) + scale * stiffness, the same for x, y and z: what a displacement costs in
// the integrator's sense; M for explicit integrators, M + h D + h^2 K for implicit ones [kg].
struct Metric {
    std::vector<double> diagonal;                     // [kg], n
    const linalg::SymmetricCsr* stiffness = nullptr;  // [N/m], or none
    double scale = 0;                                 // h^2 [s^2]
    std::vector<double> total_diagonal;               // of all of H0 [kg], n
    linalg::LineCg<float>* solver = nullptr;          // for H0 and these pins, lent to filters; or none

    void apply(ConstPoints x, PointsView y) const;  // y = H0 x
};

// Everything about one step that filters may read. Positions at the end of the step are
// x_start + dt * v for the step velocity v.
struct StepContext {
    const Model* model = nullptr;
    const State* start = nullptr;
    double dt = 0;          // [s]
    bool stands = false;    // the clock of the scene stands: pins, seams and obstacles stay where they are
    double h = 0;           // effective step of constraint forces: H0 (x - x0) = -h^2 J^T lambda
    double force_at = 1;    // where in the step constraint forces act: 1 at its end, 1/2 in its middle
    double inertia = 1;     // part of the start velocity that goes on by inertia, less where a step damps it
    int round = 0;          // how often the filter chain has run in this step already
    int halvings = 0;       // how often the run's step has been halved to this one
    bool last_try = false;  // the step cannot be halved any more
    bool promising = true;  // what is measured may become the end of the step: worth an expensive look
    double strain_limit = std::numeric_limits<double>::infinity();  // promised by any filter [1]
    Metric metric;
    Points inertial;                                 // end positions by inertia alone, pins on target [m]
    std::vector<std::uint8_t> pinned;                // n flags for this step
    Points pin_target;                               // n x 3, meaningful where pinned [m]
    std::span<const std::unique_ptr<Force>> forces;  // of the step, for filters that balance them anew
    std::span<const std::unique_ptr<Force>> relax;   // for filters that relax the cloth
    std::function<bool()> stop_requested;  // asked on the thread of the run; empty: never; once true it stays

    double time_at(double part) const { return stands ? start->t : start->t + part * dt; }  // [s]
    double time_end() const { return time_at(1); }
    // Loops that take long ask this between iterations and end where they stand: the step is thrown away,
    // whatever they leave.
    bool stopping() const { return stop_requested && stop_requested(); }
};

// What an integrator tells of its step, where it solves systems and knows contacts.
struct IntegratorReport {
    int solves = 0, iterations = 0;  // linear systems, and iterations over all of them
    double residual = 0;             // relative, of the last
    double stretch = 0;              // largest |w_u| or |w_v| of a triangle it left
    double stretch_change = 0;       // largest change of stretch in the step, where looked at
    int held = 0, sticking = 0;      // contacts with solids at the end
    int made = 0, released = 0;      // in this step
    int pushing = 0;                 // contacts of cloth with cloth
    double seconds = 0;              // that the solves took
};

// The step velocity as it travels through the filters.
struct Candidate {
    Points v;                            // (x_end - x_start) / dt [m/s]
    std::vector<std::uint8_t> impacted;  // n flags: pushed by contact in this step, heavy in later rounds
    std::string note;                    // why the integrator is not content, in words; empty otherwise
    IntegratorReport integrator;

    // What pushed so far in this step, for filters that take contacts along; points of obstacles come after
    // those of the cloth. They may be missed by the tolerance [m].
    std::span<const ContactRow> contacts;
    ConstPoints obstacle_points;
    double contact_tolerance = 0;

    std::vector<Touch> touches;  // of the last filter that knows obstacles

    // What came after the first filter, n each or empty: the way, and the velocity that came with it. They
    // belong together as way = dt jump, unless a filter settled the velocities at the end of the step by
    // itself.
    Points way;   // [m]
    Points jump;  // [m/s]
    bool settled = false;
};

struct FilterReport {
    std::string name;
    int iterations = 0;         // Newton or projection iterations
    int linear_iterations = 0;  // outer Krylov iterations (dual CG)
    int inner_iterations = 0;   // nested solves, where there are any
    double reached = 0;         // residual as the filter itself left it, before those behind it
    double residual = 0;        // measured on the final v: max strain [1] or penetration [m]
    double tolerance = 0;       // what was asked of residual
    bool held = true;           // residual <= tolerance, after the whole chain
    double force_first = 0;     // residual F of the force balance after the first projection, M norm [m]
    double force_last = 0;      // and after the last
    double distance = std::numeric_limits<double>::infinity();  // least between surfaces [m], where measured
    double depth = 0;        // deepest inside obstacles where that is permitted [m]
    long intersections = 0;  // where counted
    int contacts = 0;        // that pushed in this step
    long corrections = 0;    // of single springs in this step, for filters that count them
    int maps = 0;            // correction maps built in this step
    std::string note;        // why it was not, in words; empty otherwise
    std::string hint;        // more about a step that failed, whoever missed; empty otherwise
    std::vector<int> faces;  // of the model, where it was not; may be empty
};

}  // namespace taut
