// The forces of a run seen as one: their sum, their constant stiffness majorant K, their damping
// diagonal, and the linearised implicit displacement (diag + h D + h^2 K) d = h^2 f.
#pragma once

#include <memory>
#include <span>

#include "taut/linalg/line_cg.hpp"
#include "taut/model/interfaces.hpp"
#include "taut/model/rigid_shift.hpp"

namespace taut::integrators {

class ForceSum {
public:
    // with_stiffness: collect K and prepare implicit solves; explicit integrators do without.
    void prepare(const Model& model, std::span<const std::unique_ptr<Force>> forces, bool with_stiffness);

    void evaluate(const ForceInput& in, Points& f) const;

    // The metric diag(m + h D) + h^2 K at this state.
    void fill_metric(const ForceInput& in, double h, Metric& metric) const;

    // displacement = metric^-1 (h^2 f), zero where pinned; momentum of free pieces exact.
    // Lends its solver to the metric.
    void solve(StepContext& context, const Points& f, Points& displacement);

private:
    const Model* model_ = nullptr;
    std::vector<const Force*> forces_;
    linalg::SymmetricCsr stiffness_;
    std::vector<double> stiffness_diagonal_;
    void analyse(const StepContext& context);
    double residual(const StepContext& context, double h2, const Points& f, const Points& displacement);

    linalg::LineCg<float> solver_;
    std::vector<std::uint8_t> analysed_for_;  // pins the solver was prepared for
    RigidShift shift_;
    Points residual_;
    linalg::LaneVector<float> rhs_, correction_;
};

}  // namespace taut::integrators
