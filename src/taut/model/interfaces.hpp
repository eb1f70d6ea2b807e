// The small abstract interfaces of the step: Force, Constraint, Integrator, VelocityFilter,
// Memory, and what passes between them. One virtual call per step and component; loops and
// allocation stay inside.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "taut/base/parameter.hpp"
#include "taut/linalg/linear_solver.hpp"
#include "taut/model/model.hpp"

namespace taut {

// A named array a component carries from step to step. `run` copies it before a step, puts it
// back when the step is rejected, and checkpoints save it by name.
struct MemoryBlock {
    std::string name;  // "stable_projection.lambda"
    std::vector<double>* data;
};

// Every named part of the pipeline: has a name (the JSON type), a parameter list, perhaps memory.
class Component {
public:
    virtual ~Component() = default;
    virtual std::string_view name() const = 0;
    virtual std::vector<MemoryBlock> memory() { return {}; }
};

struct ForceInput {
    ConstPoints x;  // [m]
    ConstPoints v;  // [m/s]
    double t = 0;   // [s]
};

class Force : public Component {
public:
    virtual void prepare(const Model& model) = 0;
    virtual void add_force(const ForceInput& in, PointsView f) const = 0;  // [N]
    virtual bool has_energy() const { return false; }
    virtual double energy(ConstPoints x) const;  // [J]; 0 where there is none

    // A constant scalar matrix K with K (x) I3 >= -df/dx at every x [N/m], both triangles. Empty:
    // the force is treated explicitly by implicit integrators.
    virtual void add_stiffness(std::vector<linalg::Triplet>& triplets) const;
    // A scalar diagonal D >= -df/dv at this state [N s/m], added to `damping`.
    virtual void add_damping(const ForceInput& in, std::span<double> damping) const;
};

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
    double dt = 0;        // [s]
    double h = 0;         // effective step of constraint forces: H0 (x - x0) = -h^2 J^T lambda
    double force_at = 1;  // where in the step constraint forces act: 1 at its end, 1/2 in its middle
    int round = 0;        // how often the filter chain has run in this step already
    Metric metric;
    Points inertial;                   // end positions by inertia alone, pins on target [m]
    std::vector<std::uint8_t> pinned;  // n flags for this step
    Points pin_target;                 // n x 3, meaningful where pinned [m]

    double time_end() const { return start->t + dt; }
};

// The step velocity as it travels through the filters.
struct Candidate {
    Points v;                            // (x_end - x_start) / dt [m/s]
    std::vector<std::uint8_t> impacted;  // n flags: velocity jumped here, do not difference across it
    Points jump;                         // n, or empty: part of v that came in later rounds, by impacts [m/s]
};

struct FilterReport {
    std::string name;
    int iterations = 0;         // Newton or projection iterations
    int linear_iterations = 0;  // outer Krylov iterations (dual CG)
    int inner_iterations = 0;   // nested solves, where there are any
    double residual = 0;        // measured on the final v: max strain [1] or penetration [m]
    double tolerance = 0;       // what was asked of residual
    bool held = true;           // residual <= tolerance, after the whole chain
    std::string note;           // why it was not, in words; empty otherwise
};

class Integrator : public Component {
public:
    virtual void prepare(const Model& model, std::span<const std::unique_ptr<Force>> forces) = 0;
    // Fills h, metric and inertial of the context (pins are set already), and force_at where it is not the
    // end of the step; and the candidate velocity.
    virtual void candidate(StepContext& context, Candidate& c) = 0;
    // The state at the end of the step; updates the integrator's memory.
    virtual State accept(const StepContext& context, const Candidate& c) = 0;
};

class VelocityFilter : public Component {
public:
    virtual void prepare(const Model& model) = 0;
    virtual void apply(const StepContext& context, Candidate& c, FilterReport& report) = 0;
    // Residual of the final velocity, whoever changed it last.
    virtual void measure(const StepContext& context, const Candidate& c, FilterReport& report) const = 0;
    // True if the filter promises a bound on strain: its tolerance becomes the run's certificate.
    virtual bool certifies_strain() const { return false; }
    virtual double strain_tolerance() const { return 0; }
};

// Equality constraints C(x) = 0 with a sparse Jacobian.
class Constraint : public Component {
public:
    virtual void prepare(const Model& model) = 0;
    virtual int rows() const = 0;
    virtual void residual(ConstPoints x, std::span<double> c) const = 0;
    // Fills gradients; the pattern (start, vertex) is set by the first call and kept.
    virtual void jacobian(ConstPoints x, linalg::RowBlocks& rows) const = 0;
    // For two-point constraints: w_i with  lambda_i grad^2 C_i <= w_i [[1,-1],[-1,1]] (x) I3.
    virtual void geometric_stiffness(ConstPoints x, std::span<const double> lambda,
                                     std::span<double> w) const = 0;
    // Largest dimensionless violation: |l/l0 - 1| for edges.
    virtual double violation(ConstPoints x) const = 0;
    // Paths of rows that share a vertex with their neighbours; every row lies on exactly one.
    virtual const std::vector<linalg::RowChain>& chains() const = 0;
};

}  // namespace taut
