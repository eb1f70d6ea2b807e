// SHAKE (Ryckaert, Ciccotti, Berendsen 1977) as Goldenthal 2007 compares it: constraint forces along the
// gradients at the start of the step,
//     x = x0 - M^-1 J(x_n)^T mu,   C(x) = 0,
// solved by Newton with a matrix that is made once a step and again only where the iteration fails to
// converge (Barth et al. 1994). The matrix is Newton's own, J(x) M^-1 J(x_n)^T, unsymmetric, or the symmetric
// J(x_n) M^-1 J(x_n)^T. Has no solution where an edge turns or stretches too far in one step (Q1 to Q4 of
// the paper): docs/theory/shake.md.
#pragma once

#include <memory>
#include <string>

#include "taut/filters/length_filter.hpp"
#include "taut/model/rigid_shift.hpp"

namespace taut::filters {

struct ShakeParams {
    double tolerance = 0.001;
    int max_iterations = 50;
    std::string matrix = "newton";
    std::string form = "goldenthal";
    double regularization = 1e-9;
    double linear_tolerance = 1e-3;
    std::string edges = "yarns";
};
void describe(ParamList& list, ShakeParams& params);

class Shake : public LengthFilter {
public:
    using Params = ShakeParams;
    static constexpr const char* type_name = "shake";

    Shake(Params params, std::unique_ptr<linalg::LinearSolver> solver);
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    void apply(const StepContext& context, Candidate& c, FilterReport& report) override;
    ContractBreaks breaks() const override { return {true, false, false, false}; }

protected:
    const Params& params() const { return params_; }
    RowSolver& solver() { return solver_; }

private:
    bool moderate(ConstPoints move) const;  // finite, and no longer than some edges

    Params params_;
    RowSolver solver_;
    RigidShift shift_;
    double longest_ = 0;  // rest length [m]
    linalg::RowBlocks start_rows_, rows_;
    std::vector<double> c_, dmu_;
    Points x_, x0_, dx_, zero_, best_;
};

}  // namespace taut::filters
