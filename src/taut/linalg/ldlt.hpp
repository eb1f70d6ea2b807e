// Reference solver: sparse LDL^T of the whole saddle matrix [[H, J^T], [J, -E]] in 3n + m unknowns.
// H is positive definite and E positive, so the matrix is quasidefinite: it has an LDL^T factor for
// any ordering; with weights of either sign a factor without pivoting may lose digits, which the next
// Newton iteration mends. Fill grows faster than n; for tests and comparison, not for speed.
#pragma once

#include <memory>

#include "taut/base/parameter.hpp"
#include "taut/linalg/linear_solver.hpp"

namespace taut::linalg {

struct LdltParams {};
void describe(ParamList& list, LdltParams& params);

class Ldlt final : public LinearSolver {
public:
    using Params = LdltParams;
    static constexpr const char* type_name = "ldlt";

    explicit Ldlt(Params params = {});
    ~Ldlt() override;
    std::string_view name() const override { return type_name; }
    bool signed_weights() const override { return true; }
    void analyse(const SaddlePattern& pattern) override;
    SolveReport solve(const SaddleSystem& system, std::span<double> dmu, PointsView dx) override;

private:
    struct Data;
    std::unique_ptr<Data> data_;
};

}  // namespace taut::linalg
