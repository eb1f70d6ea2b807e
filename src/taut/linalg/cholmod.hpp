// The system of Cholesky factored by SuiteSparse's CHOLMOD, for builds that found it: supernodal, faster
// on large sheets. Its supernodal module is under the GPL, so it is never required.
#pragma once

#include <memory>

#include "taut/base/parameter.hpp"
#include "taut/linalg/linear_solver.hpp"

namespace taut::linalg {

struct CholmodParams {};
void describe(ParamList& list, CholmodParams& params);

class Cholmod final : public LinearSolver {
public:
    using Params = CholmodParams;
    static constexpr const char* type_name = "cholmod";

    explicit Cholmod(Params params = {});
    ~Cholmod() override;
    std::string_view name() const override { return type_name; }
    bool general_metric() const override { return false; }
    void analyse(const SaddlePattern& pattern) override;
    SolveReport solve(const SaddleSystem& system, std::span<double> dmu, PointsView dx) override;

private:
    struct Data;
    std::unique_ptr<Data> data_;
};

}  // namespace taut::linalg
