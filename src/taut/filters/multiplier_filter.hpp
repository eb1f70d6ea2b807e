// What the filters of House et al. 1996 share: at the start of the step the right side of Eq. 19
//     J M^-1 J^T lambda = -Jdot v_n - J (v_c - v_n) / dt - ks C - kd J v_n,
// rounds in which rows of contacts are taken in and released and friction finds its bound, the velocity
// v_c + dt M^-1 J^T lambda, and the report. A filter adds how it solves. No bound on strain is promised.
// See docs/theory/constrained_dynamics.md.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "taut/constraints/edge_length.hpp"
#include "taut/filters/multiplier_contacts.hpp"
#include "taut/filters/multiplier_rows.hpp"
#include "taut/model/interfaces.hpp"

namespace taut::filters {

struct MultiplierParams {
    std::string edges = "yarns";
    std::string feedback = "time";
    double correction_time = 0.02;  // [s]
    double ks = 2500;               // [1/s^2]
    double kd = 100;                // [1/s]
    double turning = 0;
    bool contacts = true;
    double thickness = 1e-3;  // [m]
    int contact_rounds = 6;
};
void describe_multipliers(ParamList& list, MultiplierParams& params);

class MultiplierFilter : public VelocityFilter {
public:
    void prepare(const Model& model) override;
    void apply(const StepContext& context, Candidate& c, FilterReport& report) final;
    void measure(const StepContext& context, const Candidate& c, FilterReport& report) const final;
    Promise promise() const final { return Promise::other; }
    ContractBreaks breaks() const override;

    // Of the last step: multipliers [N] of the edges, and the rows they belong to.
    std::span<const double> multipliers() const { return lambda_; }
    const MultiplierRows& rows() const { return rows_; }

protected:
    MultiplierFilter(const char* name, MultiplierParams params, std::vector<collision::Obstacle> obstacles);

    const constraints::EdgeLength& lengths() const { return lengths_; }
    // Brings lambda, as the last round left it, to J M^-1 J^T lambda = b; reports iterations.
    virtual void solve(const StepContext& context, MultiplierRows& rows, std::span<double> lambda,
                       FilterReport& report) = 0;
    // Looks at the state that a step starts from.
    virtual void look(const StepContext& context);

private:
    // Parts of a constraint and of its velocity that a step takes back: ks dt^2 and kd dt.
    struct Feedback {
        double correction, damping;
    };
    Feedback feedback(double dt) const;
    void build_rows(const StepContext& context);
    void take_contacts(const StepContext& context, Candidate& c, FilterReport& report);

    std::string name_;
    MultiplierParams params_;
    constraints::EdgeLength lengths_;
    MultiplierRows rows_;
    MultiplierContacts contacts_;
    linalg::RowBlocks jacobian_;
    std::vector<double> wanted_, now_;  // J v of the end and of now [m/s]
    std::vector<double> lambda_;        // [N]
    Points free_, held_, moved_;        // velocities [m/s]
};

}  // namespace taut::filters
