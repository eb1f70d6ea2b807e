// Fast projection, Algorithm 1 of Goldenthal et al. 2007 as printed: from the unconstrained end of
// the step, a sequence of smallest steps (in the mass metric) towards C = 0, until the strain is
// within tolerance. Works on any constraint with residual and Jacobian. Where we differ: the linear
// system may be regularised for rank-deficient rows, and the loop has a cap that is reported.
#pragma once

#include <memory>
#include <string>

#include "taut/filters/length_filter.hpp"
#include "taut/model/rigid_shift.hpp"

namespace taut::filters {

struct FastProjectionParams {
    double tolerance = 0.001;
    int max_iterations = 50;
    std::string form = "goldenthal";
    double regularization = 1e-9;
    double linear_tolerance = 1e-3;
    std::string edges = "yarns";
};
void describe(ParamList& list, FastProjectionParams& params);

class FastProjection final : public LengthFilter {
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

private:
    double force_residual(const StepContext& context);  // of x_ and mu_, M norm [m]

    Params params_;
    RowSolver solver_;
    RigidShift shift_;
    linalg::RowBlocks rows_;
    std::vector<double> c_, mu_, dmu_;  // mu: sum of the increments
    Points x_, x0_, dx_, zero_, pull_, best_;
};

}  // namespace taut::filters
