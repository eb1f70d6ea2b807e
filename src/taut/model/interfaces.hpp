// The small abstract interfaces of the step: Force, Constraint, Integrator, VelocityFilter,
// Memory; what passes between them is in step_context.hpp. One virtual call per step and component; loops and
// allocation stay inside.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "taut/base/parameter.hpp"
#include "taut/linalg/block_matrix.hpp"
#include "taut/linalg/linear_solver.hpp"
#include "taut/model/correction_map.hpp"
#include "taut/model/model.hpp"
#include "taut/model/step_context.hpp"

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

// Where a force comes from: the cloth itself, or outside of it.
enum class ForceSource { cloth, gravity, air };

class Force : public Component {
public:
    virtual void prepare(const Model& model) = 0;
    virtual void add_force(const ForceInput& in, PointsView f) const = 0;  // [N]
    virtual bool has_energy() const { return false; }
    virtual ForceSource source() const { return ForceSource::cloth; }
    virtual double energy(ConstPoints x) const;  // [J]; 0 where there is none
    // Notes the state at the end of a step, for forces that remember what the cloth went through. What they
    // note is their memory, and put back where the step is thrown away.
    virtual void remember(const State& end);

    // A constant scalar matrix K with K (x) I3 >= -df/dx at every x [N/m], both triangles. Empty:
    // the force is treated explicitly by implicit integrators.
    virtual void add_stiffness(std::vector<linalg::Triplet>& triplets) const;
    // A scalar diagonal D >= -df/dv at this state [N s/m], added to `damping`.
    virtual void add_damping(const ForceInput& in, std::span<double> damping) const;

    // For integrators that iterate: -df/dx at this state in blocks of 3 x 3, made positive semi-definite,
    // times `scale`. A force that gives none is represented by its constant stiffness.
    virtual bool has_hessian() const { return false; }
    virtual void add_pattern(
        std::vector<std::array<int, 2>>& pairs) const;  // vertices that act on each other
    virtual void add_hessian(const ForceInput& in, double scale, linalg::BlockMatrix& hessian) const;
    // Of such a force, where it depends on velocities: -df/dv in the same blocks, times `scale`.
    virtual void add_damping_hessian(const ForceInput& in, double scale, linalg::BlockMatrix& hessian) const;
};

class Integrator : public Component {
public:
    virtual void prepare(const Model& model, std::span<const std::unique_ptr<Force>> forces) = 0;
    // Fills h, metric and inertial of the context (pins are set already), force_at where it is not the end of
    // the step, inertia where it is not whole; and the candidate velocity.
    virtual void candidate(StepContext& context, Candidate& c) = 0;
    // The velocity at the end of the step that would go with these ends; (x - x_start) / dt where nothing
    // else is said.
    virtual void end_velocity(const StepContext& context, ConstPoints x, PointsView v) const;
    // The state at the end of the step; updates the integrator's memory.
    virtual State accept(const StepContext& context, const Candidate& c) = 0;
    // The cloth was stopped from outside: what tells how it moved before is of no use any more.
    virtual void forget_motion() {}
    // The longest step [s] that stays stable where the stiffest force swings at omega [1/s].
    virtual double longest_step(double omega) const;
};

// What a filter bounds: strain of warp and weft (its tolerance becomes the run's certificate), depth inside
// obstacles, or something else.
enum class Promise { strain, penetration, other };

// Parts of the filter contract that a method breaks by its nature; contract tests check the others.
struct ContractBreaks {
    bool promise = false;   // fixed work: whether the tolerance is met depends on the step
    bool passing = false;   // admissible velocities are changed
    bool twice = false;     // applied again it goes on moving
    bool momentum = false;  // linear momentum changes without pins and obstacles
};

class VelocityFilter : public Component {
public:
    virtual void prepare(const Model& model) = 0;
    virtual void apply(const StepContext& context, Candidate& c, FilterReport& report) = 0;
    // Residual of the final velocity, whoever changed it last.
    virtual void measure(const StepContext& context, const Candidate& c, FilterReport& report) const = 0;
    // Mends a state that a run is about to start from, where the filter can; dt of the context is 0. Says
    // what it did, in words.
    virtual std::string mend_start(const StepContext& context, State& start);
    // True for filters that move positions by more than velocities can tell: what came after the first filter
    // then counts as no motion, and all filters settle the velocities at the end of the step among them.
    virtual bool settles_velocity() const { return false; }
    // Makes an end velocity admissible by the least change; `before` is that which the first filter left.
    // False: it was.
    virtual bool settle_velocity(const StepContext& context, ConstPoints before, const Candidate& c,
                                 PointsView v, FilterReport& report);
    // Changes the velocity at the end of the step, where a method has a say in it; positions stay.
    virtual void apply_end_velocity(const StepContext& context, const Candidate& c, State& end);
    // Judges strain by what the filter itself left, whatever came behind it; for comparisons with papers that
    // measure before collisions. Filters of another promise change nothing.
    virtual void judge_before(FilterReport& report) const;
    virtual Promise promise() const = 0;
    virtual double strain_tolerance() const { return 0; }  // [1], where strain is promised
    virtual ContractBreaks breaks() const { return {}; }
    // The order of corrections in the last step, for filters that have one; valid until the next step.
    virtual const CorrectionMap* correction_map() const { return nullptr; }

    bool certifies_strain() const { return promise() == Promise::strain; }
};

// Equality constraints C(x) = 0 with a sparse Jacobian.
class Constraint : public Component {
public:
    virtual void prepare(const Model& model) = 0;
    virtual int rows() const = 0;
    // Puts what depends on time to that of the end of a step [s]; filters do so before anything else.
    virtual void advance(double time);
    // Adds dC/dt at fixed positions to `rate`, at that time.
    virtual void add_rate(ConstPoints x, std::span<double> rate) const;
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
