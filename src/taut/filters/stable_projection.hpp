// Stable projection, the default: Newton on the implicit constraint direction of Goldenthal 2007,
//     F = H0 (x - x0) + J(x)^T mu = 0,   C(x) = 0,   mu = h^2 lambda
// (J of F in the middle of the step where the integrator's forces act there),
// with the positive part of the geometric stiffness of the constraint forces in the matrix (after
// Tournier et al. 2015), started from inertia and last step's multipliers. One to three iterations
// hold 0.1 % at frame-length steps. Stops only when strain and force residual are both small:
// certified strain alone can hide energy pumped into the cloth.
#pragma once

#include <memory>
#include <string>

#include "taut/filters/contact_set.hpp"
#include "taut/filters/force_balance.hpp"
#include "taut/filters/guide_rows.hpp"
#include "taut/filters/length_filter.hpp"
#include "taut/model/rigid_shift.hpp"

namespace taut::filters {

struct StableProjectionParams {
    double tolerance = 0.001;
    double force_tolerance = 0.02;
    int max_iterations = 30;
    std::string form = "goldenthal";
    double regularization = 1e-9;
    double linear_tolerance = 0.1;
    double step_limit = 2.0;
    std::string edges = "yarns";
    bool combined = false;  // contacts are rows of later rounds
};
void describe(ParamList& list, StableProjectionParams& params);

class StableProjection final : public LengthFilter {
public:
    using Params = StableProjectionParams;
    static constexpr const char* type_name = "stable_projection";

    StableProjection(Params params, std::unique_ptr<linalg::LinearSolver> solver);
    std::string_view name() const override { return type_name; }
    std::vector<MemoryBlock> memory() override;
    void prepare(const Model& model) override;
    void apply(const StepContext& context, Candidate& c, FilterReport& report) override;
    bool settle_velocity(const StepContext& context, ConstPoints before, const Candidate& c, PointsView v,
                         FilterReport& report) override;

private:
    bool newton(const StepContext& context, FilterReport& report);
    // Later rounds: the smallest steps back to the permissible strain from where another filter left the
    // cloth.
    void correct(const StepContext& context, const Candidate& c, FilterReport& report);
    void leave_band(double strain);
    double answer_way(const StepContext& context);
    void solve(const StepContext& context, std::span<const double> diagonal, FilterReport& report);
    void go(const StepContext& context, std::span<const double> diagonal, FilterReport& report);
    void limit_step();

    Params params_;
    RowSolver solver_;
    RigidShift shift_;
    ForceBalance balance_;
    GuideRows guides_;            // of the step at hand
    ContactSet contacts_;         // of the round at hand
    double shortest_ = 0;         // rest length [m]
    std::vector<double> lambda_;  // multipliers of the last step [N]
    std::vector<double> mu_, dmu_, w_, heavy_;
    Points x_, x0_, dx_, best_;
    Points settled_;  // velocities as they were left in this step; empty before [m/s]
};

}  // namespace taut::filters
