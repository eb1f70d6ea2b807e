// The two residuals of implicit constraint direction (Goldenthal 2007, section 4.1, times M):
//     F = H0 (x - x0) + J(x)^T mu,   C(x),   mu = h^2 lambda,
// where H0 is the integrator's metric and x0 the unconstrained end of the step. J of F is taken in the
// middle of the step where the integrator's forces act there. Shared by icd and stable_projection.
#pragma once

#include "taut/base/incidence.hpp"
#include "taut/filters/guide_rows.hpp"
#include "taut/model/interfaces.hpp"

namespace taut::filters {

class ForceBalance {
public:
    // still: displacement that counts as none when F is judged [m]; without it cloth in free fall would
    // iterate on rounding errors. end_forces: F has the forces at x, M (x - x_inertial) - h^2 f(x),
    // instead of H0 (x - x0), which has them as the integrator linearised them; in later rounds
    // there is nothing but the way back to C = 0.
    void prepare(const Model& model, const Constraint& constraint, double still, bool end_forces);

    // Fills c, f and rows (J at x); returns |F| / |x - x0| in the norms of diag(H0)^-1 and M. What guides
    // take is left out of F.
    double evaluate(const StepContext& context, const Constraint& constraint, ConstPoints x, ConstPoints x0,
                    std::span<const double> mu, const GuideRows* guides = nullptr);

    std::vector<double> c;  // m
    Points f;               // n x 3 [kg m], zero where pinned
    linalg::RowBlocks rows;

private:
    void add_end_forces(const StepContext& context, ConstPoints x);

    bool end_forces_ = false;
    double rest_scale_ = 0;  // squared displacement that counts as none [kg m^2]
    Incidence incident_;     // entries of J at each vertex
    Points offset_, force_points_, v_, forces_;
};

}  // namespace taut::filters
