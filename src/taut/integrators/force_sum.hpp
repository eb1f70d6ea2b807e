// The forces of a run seen as one: their sum, their constant stiffness majorant K, their damping
// diagonal, and the linearised implicit displacement (diag + h D + h^2 K) d = h^2 f.
#pragma once

#include <memory>
#include <span>

#include "taut/linalg/line_cg.hpp"
#include "taut/model/interfaces.hpp"
#include "taut/model/rigid_shift.hpp"

namespace taut::integrators {

// The state a step velocity leads to, taken as the velocity at the end as well; pins on target.
State step_end(const StepContext& context, const Candidate& c);

class ForceSum {
public:
    // Which forces are represented by their constant stiffness: none (explicit integrators), all, or those
    // that give no Hessian.
    enum class Stiffness { none, all, without_hessian };
    void prepare(const Model& model, std::span<const std::unique_ptr<Force>> forces, Stiffness which);

    void evaluate(const ForceInput& in, Points& f) const;

    // The metric diag(m + h D) + h^2 K at this state.
    void fill_metric(const ForceInput& in, double h, Metric& metric) const;

    // The metric M of explicit integrators.
    void fill_mass_metric(Metric& metric) const;
    // v = inertia v_n + duration M^-1 f, with the context's inertia, and that alone.
    void explicit_candidate(const Points& f, double duration, StepContext& context, Candidate& c) const;

    // displacement = metric^-1 (h^2 f), zero where pinned; momentum of free pieces exact.
    // Lends its solver to the metric.
    void solve(StepContext& context, const Points& f, Points& displacement);

    std::span<const Force* const> forces() const { return forces_; }
    const linalg::SymmetricCsr& stiffness() const { return stiffness_; }  // K

private:
    void analyse(const StepContext& context);
    double residual(const StepContext& context, double h2, const Points& f, const Points& displacement);

    const Model* model_ = nullptr;
    std::vector<const Force*> forces_;
    linalg::SymmetricCsr stiffness_;
    std::vector<double> stiffness_diagonal_;
    linalg::LineCg<float> solver_;
    std::vector<std::uint8_t> analysed_for_;  // pins the solver was prepared for
    RigidShift shift_;
    Points residual_;
    linalg::LaneVector<float> rhs_, correction_;
};

}  // namespace taut::integrators
