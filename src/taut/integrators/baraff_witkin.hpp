// The large steps of Baraff and Witkin 1998: backward Euler linearised at the start of the step,
//     (M + h D + h^2 K) dv = h (f - K (h v + y)),   K = -df/dx, D = -df/dv,
// solved by modified conjugate gradients, which hold pins, guides and contacts with solids exactly; y alters
// positions of vertices that must be set onto a surface. Forces without a Hessian enter with their constant
// stiffness, at the positions that inertia leads to. A step in which cloth stretches drastically, or whose
// solve is poor, is refused; the run halves it. See docs/theory/baraff_witkin.md.
#pragma once

#include <memory>
#include <string>

#include "taut/forces/conditions.hpp"
#include "taut/integrators/force_sum.hpp"
#include "taut/integrators/penalty_contacts.hpp"
#include "taut/integrators/solid_contacts.hpp"
#include "taut/linalg/modified_pcg.hpp"

namespace taut::integrators {

struct BaraffWitkinParams {
    double tolerance = 1e-3;     // of conjugate gradients
    int max_iterations = 10000;  // of conjugate gradients in one solve
    std::string preconditioner = "two_levels";
    double stretch_change = 0.05;  // of a triangle or edge in one step; 0: not looked at
    bool contacts = true;          // with solids, as constraints
    double thickness = 1e-3;       // distance kept from solids [m]
    double release = 0.02;         // pull per mass at which a contact lets go [m/s^2]
    int passes = 4;                // solves in one step while contacts change
    PenaltyParams cloth;           // contacts of cloth with cloth, as springs
};
void describe(ParamList& list, BaraffWitkinParams& params);

class BaraffWitkin final : public Integrator {
public:
    using Params = BaraffWitkinParams;
    static constexpr const char* type_name = "baraff_witkin";

    explicit BaraffWitkin(Params params = {}, std::vector<collision::Obstacle> obstacles = {},
                          collision::FrictionTable friction = {});
    std::string_view name() const override { return type_name; }
    std::vector<MemoryBlock> memory() override;
    void prepare(const Model& model, std::span<const std::unique_ptr<Force>> forces) override;
    void candidate(StepContext& context, Candidate& c) override;
    void end_velocity(const StepContext& context, ConstPoints x, PointsView v) const override;
    State accept(const StepContext& context, const Candidate& c) override;

    // Of the last step: the forces that hold pins and contacts [N], n x 3, zero along what is free.
    ConstPoints constraint_force() const { return constraint_force_; }

private:
    void assemble(const StepContext& context);
    void hold_guides(const StepContext& context);
    void hold(const StepContext& context);
    void fill_right_side(const StepContext& context);
    linalg::PcgReport solve(const StepContext& context);
    void measure_stretch(ConstPoints x, std::vector<double>& stretch) const;
    void judge(const StepContext& context, const linalg::PcgReport& solved, Candidate& c);

    Params params_;
    SolidContacts contacts_;
    PenaltyContacts cloth_contacts_;
    ForceSum forces_, bounds_;  // the latter with bounds of Hessians, for filters
    const Model* model_ = nullptr;
    forces::ConditionTriangles triangles_;
    linalg::BlockMatrix matrix_;
    linalg::BlockRows elastic_, system_;  // K, and M + h D + h^2 K
    linalg::ModifiedPcg pcg_;
    std::vector<Hold> holds_;
    std::vector<std::uint8_t> held_;  // by pins and guides
    std::vector<std::pair<int, Hold>> guided_;
    std::vector<Mat3> freedom_;
    std::vector<linalg::RankOneRow> rows_;  // of the system: contacts of cloth, and friction
    Points f_, others_, friction_, push_, b_, z_, y_, way_, dv_, x_end_, v_end_, constraint_force_;
    double noise_ = 0;  // forces that the last solve left along what is free, root mean square [N]
    std::vector<double> stretch_start_, stretch_end_;
};

}  // namespace taut::integrators
