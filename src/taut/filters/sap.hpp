// Step and project (Goldenthal 2007, section 4.2): of all positions with C(x) = 0 the one closest to the
// unconstrained end of the step, min 1/2 |x - x0|^2 in the integrator's metric. Solved as the minimisation
// it is, by an augmented Lagrangian
//     W = 1/2 (x - x0)^T H0 (x - x0) + mu^T C + 1/2 C^T R C
// with Newton steps, sparse Cholesky and a line search: nothing in common with icd, whose equations by
// Theorem 1 of the paper have the same solution.
#pragma once

#include <memory>
#include <string>

#include "taut/filters/length_filter.hpp"
#include "taut/linalg/block_cholesky.hpp"
#include "taut/model/rigid_shift.hpp"

namespace taut::filters {

struct SapParams {
    double tolerance = 0.001;
    double force_tolerance = 0.02;
    int max_iterations = 200;
    double penalty = 1e3;
    std::string form = "goldenthal";
    std::string edges = "yarns";
};
void describe(ParamList& list, SapParams& params);

class Sap final : public LengthFilter {
public:
    using Params = SapParams;
    static constexpr const char* type_name = "sap";

    explicit Sap(Params params);
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    void apply(const StepContext& context, Candidate& c, FilterReport& report) override;

private:
    bool minimise(const StepContext& context, FilterReport& report);
    double objective(const StepContext& context, ConstPoints x);
    double gradient(const StepContext& context);  // fills g_ and pull_; returns |g| / |x - x0|
    bool descend(const StepContext& context);     // one Newton step with line search
    void assemble(const StepContext& context, bool signed_weights);
    void analyse(const StepContext& context);

    Params params_;
    RigidShift shift_;
    linalg::BlockMatrix hessian_;
    linalg::BlockCholesky cholesky_;
    std::vector<std::uint8_t> analysed_for_;
    const linalg::SymmetricCsr* analysed_stiffness_ = nullptr;
    double still_ = 0;  // squared displacement that counts as none [kg m^2]
    linalg::RowBlocks rows_;
    std::vector<double> rest_square_;                  // |grad C|^2 at rest
    std::vector<double> c_, mu_, penalty_, pull_, w_;  // pull = mu + R C
    Points x_, x0_, dx_, g_, offset_, trial_;
};

}  // namespace taut::filters
