// What all filters share that hold warp and weft to their rest lengths, and seams closed: the constraint, the
// strain they promise, how it is measured, and the saddle system of a step towards C = 0.
#pragma once

#include <memory>
#include <string>

#include "taut/constraints/edge_length.hpp"
#include "taut/linalg/linear_solver.hpp"
#include "taut/model/interfaces.hpp"

namespace taut::filters {

// Parameters that have the same name and meaning in all of them.
void describe_tolerance(ParamList& list, double& tolerance);
void describe_iterations(ParamList& list, int& max_iterations, const std::string& what);
void describe_edges(ParamList& list, std::string& edges);
void describe_form(ParamList& list, std::string& form);

class LengthFilter : public VelocityFilter {
public:
    void prepare(const Model& model) override;
    void measure(const StepContext& context, const Candidate& c, FilterReport& report) const override;
    void judge_before(FilterReport& report) const override;
    Promise promise() const override { return Promise::strain; }
    double strain_tolerance() const final { return tolerance_; }

protected:
    LengthFilter(double tolerance, std::unique_ptr<Constraint> constraint);
    LengthFilter(double tolerance, const constraints::EdgeLengthParams& params);

    const Constraint& constraint() const { return *constraint_; }
    // Puts lengths that change over time to a time [s]; the first thing every step does.
    void advance_to(double time) const { constraint_->advance(time); }
    double tolerance() const { return tolerance_; }

    // False: the last apply did not reach its force balance; measure() then reports a miss.
    bool converged_ = true;

    // A displacement that counts as none when forces are judged, a hundredth of the permissible change of the
    // shortest edge [m]; without it cloth in free fall would iterate on rounding errors.
    double still_distance(const Model& model) const;

    // Hands positions on as velocity, and says in the report what strain they have; positions that are no
    // numbers are not handed on.
    void finish(const StepContext& context, ConstPoints x, Candidate& c, FilterReport& report) const;

private:
    double tolerance_;
    std::unique_ptr<Constraint> constraint_;
};

// A linear solver with the rows it works on: analysed again whenever pins change.
class RowSolver {
public:
    explicit RowSolver(std::unique_ptr<linalg::LinearSolver> solver) : solver_(std::move(solver)) {}

    void prepare() { analysed_for_.clear(); }
    const linalg::LinearSolver& solver() const { return *solver_; }
    // Solves and counts; false: the solver broke down.
    bool solve(const StepContext& context, const Constraint& constraint, const linalg::SaddleSystem& system,
               std::span<double> dmu, PointsView dx, FilterReport& report);

private:
    std::unique_ptr<linalg::LinearSolver> solver_;
    std::vector<std::uint8_t> analysed_for_;  // pins the solver was prepared for
};

}  // namespace taut::filters
