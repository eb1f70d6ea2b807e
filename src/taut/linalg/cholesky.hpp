// Reference solver for H = diag: sparse Cholesky of the Schur complement J diag^-1 J^T + E, the
// system (7) of Goldenthal 2007. Refuses a stiff metric; stable_projection needs yarn_cg or ldlt.
#pragma once

#include <memory>

#include "taut/base/parameter.hpp"
#include "taut/linalg/linear_solver.hpp"

namespace taut::linalg {

struct CholeskyParams {};
void describe(ParamList& list, CholeskyParams& params);

class Cholesky : public LinearSolver {
public:
    using Params = CholeskyParams;
    static constexpr const char* type_name = "cholesky";

    explicit Cholesky(Params params = {});
    ~Cholesky() override;
    std::string_view name() const override { return type_name; }
    bool general_metric() const override { return false; }
    void analyse(const SaddlePattern& pattern) override;
    SolveReport solve(const SaddleSystem& system, std::span<double> dmu, PointsView dx) override;

private:
    struct Data;
    std::unique_ptr<Data> data_;
};

}  // namespace taut::linalg
