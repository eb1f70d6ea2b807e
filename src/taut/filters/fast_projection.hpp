// Fast projection, Algorithm 1 of Goldenthal et al. 2007 as printed: from the unconstrained end of
// the step, a sequence of smallest steps (in the mass metric) towards C = 0, until the strain is
// within tolerance. Works on any constraint with residual and Jacobian. Where we differ: the linear
// system may be regularised for rank-deficient rows, and the loop has a cap that is reported.
#pragma once

#include <memory>
#include <string>

#include "taut/linalg/linear_solver.hpp"
#include "taut/model/interfaces.hpp"
#include "taut/model/rigid_shift.hpp"

namespace taut::filters {

struct FastProjectionParams {
    double tolerance = 0.001;
    int max_iterations = 50;
    std::string form = "goldenthal";
    double regularization = 1e-9;
    double linear_tolerance = 1e-3;
};
void describe(ParamList& list, FastProjectionParams& params);

class FastProjection final : public VelocityFilter {
public:
    using Params = FastProjectionParams;
    static constexpr const char* type_name = "fast_projection";

    FastProjection(Params params, std::unique_ptr<linalg::LinearSolver> solver);
    // With a constraint of the caller's own instead of edge lengths.
    FastProjection(Params params, std::unique_ptr<linalg::LinearSolver> solver,
                   std::unique_ptr<Constraint> constraint);
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    void apply(const StepContext& context, Candidate& c, FilterReport& report) override;
    void measure(const StepContext& context, const Candidate& c, FilterReport& report) const override;
    bool certifies_strain() const override { return true; }
    double strain_tolerance() const override { return params_.tolerance; }

private:
    Params params_;
    std::unique_ptr<linalg::LinearSolver> solver_;
    std::unique_ptr<Constraint> constraint_;
    RigidShift shift_;
    std::vector<std::uint8_t> analysed_for_;  // pins the solver was prepared for
    linalg::RowBlocks rows_;
    std::vector<double> c_, dmu_;
    Points x_, x0_, dx_, zero_;
};

}  // namespace taut::filters
