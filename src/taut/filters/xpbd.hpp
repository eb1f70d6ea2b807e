// Extended position-based dynamics (Macklin, Mueller, Chentanez 2016) with substeps (Macklin et al. 2019):
// the step is cut into short ones, each with inertia, the forces of the candidate and one or a few passes of
// Gauss-Seidel over compliant length constraints, in colours that share no vertex. Fixed work: the strain it
// leaves depends on substeps, iterations and compliance, and is measured like every other filter's. It takes
// the acceleration from the candidate and integrates it itself, so that it changes free motion as well, to
// that of its substeps; the velocity at the end of the step is that of the last one.
#pragma once

#include <string>

#include "taut/filters/edge_graph.hpp"
#include "taut/filters/length_filter.hpp"

namespace taut::filters {

struct XpbdParams {
    double tolerance = 0.01;
    int substeps = 20;
    int iterations = 1;
    double compliance = 0;
    std::string edges = "yarns";
};
void describe(ParamList& list, XpbdParams& params);

class Xpbd final : public LengthFilter {
public:
    using Params = XpbdParams;
    static constexpr const char* type_name = "xpbd";

    explicit Xpbd(Params params);
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    void apply(const StepContext& context, Candidate& c, FilterReport& report) override;
    void apply_end_velocity(const StepContext& context, const Candidate& c, State& end) override;
    ContractBreaks breaks() const override { return {true, true, true, true}; }

private:
    void advance(const StepContext& context, int substep);  // inertia and forces, pins on their way
    void sweep(double compliance);                          // relative to the square of the substep
    void substeps(const StepContext& context, FilterReport& report);
    void correct(const StepContext& context, FilterReport& report);

    Params params_;
    std::vector<GraphEdge> edges_;  // by colour
    std::vector<std::size_t> color_start_;
    std::vector<double> inverse_mass_, lambda_;
    Points x_, x0_, previous_, acceleration_;
    Points v_;  // of the last substep [m/s]
};

}  // namespace taut::filters
