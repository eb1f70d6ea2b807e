// Backward Euler solved by Newton: x minimises
//     1/2 |x - x_n - dt v_n|^2 in M  +  dt^2 V(x)  +  dt/2 |x - x_n|^2 in D(x_n),
// with the Hessians of the forces that give one (stiff springs, conditions), the constant stiffness of the
// others, sparse Cholesky and a line search. D is the damping of forces with a Hessian, as it is at the start
// of the step: what it does has a potential then, and takes energy only. One iteration is the linearised step
// of Baraff and Witkin 1998. What stiff springs need; soft forces are served as well, and faster, by
// implicit_euler. The metric handed to filters leaves the Hessians out.
#pragma once

#include "taut/integrators/force_sum.hpp"
#include "taut/linalg/block_cholesky.hpp"
#include "taut/linalg/block_rows.hpp"

namespace taut::integrators {

struct BackwardEulerParams {
    int max_iterations = 30;
    double tolerance = 1e-3;
};
void describe(ParamList& list, BackwardEulerParams& params);

class BackwardEuler final : public Integrator {
public:
    using Params = BackwardEulerParams;
    static constexpr const char* type_name = "backward_euler";

    explicit BackwardEuler(Params params = {});
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model, std::span<const std::unique_ptr<Force>> forces) override;
    void candidate(StepContext& context, Candidate& c) override;
    State accept(const StepContext& context, const Candidate& c) override;

private:
    bool newton(StepContext& context);  // false: not converged
    double scale(const StepContext& context);
    double gradient(const StepContext& context);  // fills g_ and others_; returns its norm in M^-1
    double objective(const StepContext& context, ConstPoints x);
    void load_damping(const StepContext& context);  // D of the step
    void assemble(const StepContext& context);
    bool search(const StepContext& context);  // along dx_

    Params params_;
    double shortest_ = 0;  // rest length [m]
    ForceSum forces_;
    linalg::BlockMatrix matrix_;
    linalg::BlockRows damping_;  // D [N s/m]
    bool damped_ = false;        // it is not zero
    linalg::BlockCholesky cholesky_;
    std::vector<std::uint8_t> analysed_for_;
    Points x_, v_, f_, g_, dx_, trial_;
    Points still_;           // zero velocities
    Points way_, resisted_;  // x - x_n, and D times it
    Points others_;          // forces without an energy, at the last point a gradient was taken [N]
};

}  // namespace taut::integrators
