// Implicit constraint direction as Goldenthal 2007 has it (section 4.1): Newton on
//     F = H0 (x - x0) + J(x)^T mu = 0,   C(x) = 0,   mu = h^2 lambda
// from a cold start, x = x0 and mu = 0, with the full matrix: the geometric stiffness of the constraint
// forces enters with either sign, so the system is indefinite. Potential forces stand in x0 as the
// integrator has them, at the start of the step with an explicit one, or, by choice and as in the paper's
// footnote, at the end. The method behind stable_projection, without what makes that one robust.
#pragma once

#include <memory>
#include <string>

#include "taut/filters/force_balance.hpp"
#include "taut/filters/length_filter.hpp"
#include "taut/model/rigid_shift.hpp"

namespace taut::filters {

struct IcdParams {
    double tolerance = 0.001;
    double force_tolerance = 0.02;
    int max_iterations = 30;
    std::string forces = "candidate";
    std::string form = "goldenthal";
    double regularization = 1e-9;
    std::string edges = "yarns";
};
void describe(ParamList& list, IcdParams& params);

class Icd final : public LengthFilter {
public:
    using Params = IcdParams;
    static constexpr const char* type_name = "icd";

    Icd(Params params, std::unique_ptr<linalg::LinearSolver> solver);
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    void apply(const StepContext& context, Candidate& c, FilterReport& report) override;

private:
    bool newton(const StepContext& context, FilterReport& report);

    Params params_;
    RowSolver solver_;
    RigidShift shift_;
    ForceBalance balance_;
    std::vector<double> mu_, dmu_, w_;
    Points x_, x0_, dx_, best_;
};

}  // namespace taut::filters
