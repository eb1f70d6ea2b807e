// The default solver: conjugate gradients on the dual system (J H^-1 J^T + E) dmu = C - J H^-1 F,
// nothing but passes along yarns, O(n) in time and memory. The preconditioner is
//     P^-1 = Y^-1 + diag(w / |g|^2) + B,
// with Y = J diag^-1 J^T + E restricted to single yarns (tridiagonal, cyclic for closed yarns), the
// grouping of House et al. 1996, and the rest by Woodbury's identity, exact for a straight yarn: w is
// the geometric stiffness, B the bending along the yarn. H^-1 is applied by LineCg.
#pragma once

#include <memory>

#include "taut/base/parameter.hpp"
#include "taut/linalg/line_cg.hpp"
#include "taut/linalg/linear_solver.hpp"

namespace taut::linalg {

struct YarnCgParams {
    int max_iterations = 200;
    double inner_tolerance = 0.1;
    int inner_max_iterations = 50;
    std::string precision = "single";
};
void describe(ParamList& list, YarnCgParams& params);

class YarnCg final : public LinearSolver {
public:
    using Params = YarnCgParams;
    static constexpr const char* type_name = "yarn_cg";

    explicit YarnCg(Params params);
    ~YarnCg() override;
    std::string_view name() const override { return type_name; }
    bool extra_rows() const override { return true; }
    void analyse(const SaddlePattern& pattern) override;
    SolveReport solve(const SaddleSystem& system, std::span<double> dmu, PointsView dx) override;

private:
    class Engine;
    template <class Real>
    class EngineOf;
    Params params_;
    std::unique_ptr<Engine> engine_;
};

}  // namespace taut::linalg
