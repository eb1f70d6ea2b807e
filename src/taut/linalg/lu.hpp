// Sparse LU with pivoting: for saddle systems that are indefinite in H (weights of either sign) or
// unsymmetric (constraint forces along the gradients of another time, as in SHAKE). Where H is diagonal
// it factors the Schur complement J diag^-1 Jf^T + E in m unknowns, else the whole saddle matrix.
#pragma once

#include <memory>

#include "taut/base/parameter.hpp"
#include "taut/linalg/linear_solver.hpp"

namespace taut::linalg {

struct LuParams {};
void describe(ParamList& list, LuParams& params);

class Lu final : public LinearSolver {
public:
    using Params = LuParams;
    static constexpr const char* type_name = "lu";

    explicit Lu(Params params = {});
    ~Lu() override;
    std::string_view name() const override { return type_name; }
    bool signed_weights() const override { return true; }
    bool unsymmetric() const override { return true; }
    void analyse(const SaddlePattern& pattern) override;
    SolveReport solve(const SaddleSystem& system, std::span<double> dmu, PointsView dx) override;

private:
    struct Data;
    std::unique_ptr<Data> data_;
};

}  // namespace taut::linalg
