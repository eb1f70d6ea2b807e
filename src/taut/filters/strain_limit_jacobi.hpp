// Strain limiting after Provot 1995, all edges at once (Jacobi): every edge strained beyond its range asks
// its ends to move along it, and all such moves are added up, scaled by a relaxation. Iterates until the
// strain is in the permissible range, as Goldenthal 2007 runs it, or a cap that is reported.
#pragma once

#include <string>

#include "taut/base/incidence.hpp"
#include "taut/filters/edge_graph.hpp"
#include "taut/filters/length_filter.hpp"

namespace taut::filters {

struct StrainLimitJacobiParams {
    double tolerance = 0.01;
    int max_iterations = 10000;
    double relaxation = 0.5;
    double target = 0;
    std::string edges = "yarns";
};
void describe(ParamList& list, StrainLimitJacobiParams& params);

class StrainLimitJacobi final : public LengthFilter {
public:
    using Params = StrainLimitJacobiParams;
    static constexpr const char* type_name = "strain_limit_jacobi";

    explicit StrainLimitJacobi(Params params);
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    void apply(const StepContext& context, Candidate& c, FilterReport& report) override;

private:
    double collect();  // fills pull_; returns the largest strain
    void move();

    Params params_;
    std::vector<GraphEdge> edges_;
    Incidence incident_;  // ends of edges at each vertex: 2 e for a, 2 e + 1 for b
    std::vector<double> inverse_mass_;
    Points x_, pull_;
};

}  // namespace taut::filters
