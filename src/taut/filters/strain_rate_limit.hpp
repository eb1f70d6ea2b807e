// Strain rate limiting after Bridson et al. 2002: in one step the length of an edge changes by at most a
// tenth of what it was at the start of the step. Corrections one edge after the other, in the order of the
// mesh, until all are in range. Bounds how fast cloth stretches, not how far: it promises no strain.
#pragma once

#include <string>

#include "taut/constraints/edge_length.hpp"
#include "taut/filters/edge_graph.hpp"

namespace taut::filters {

struct StrainRateLimitParams {
    double rate = 0.1;
    int max_iterations = 1000;
    std::string edges = "yarns";
};
void describe(ParamList& list, StrainRateLimitParams& params);

class StrainRateLimit final : public VelocityFilter {
public:
    using Params = StrainRateLimitParams;
    static constexpr const char* type_name = "strain_rate_limit";

    explicit StrainRateLimit(const Params& params);
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    void apply(const StepContext& context, Candidate& c, FilterReport& report) override;
    void measure(const StepContext& context, const Candidate& c, FilterReport& report) const override;
    Promise promise() const override { return Promise::other; }

private:
    double largest_change(ConstPoints start, ConstPoints end) const;  // of any length, relative

    Params params_;
    constraints::EdgeLength constraint_;
    std::vector<GraphEdge> edges_;
    std::vector<double> inverse_mass_;
    Points x_;
};

}  // namespace taut::filters
