// Strain limiting after Provot 1995, one edge after the other (Gauss-Seidel): every edge strained beyond its
// range is brought back by moving its ends along it, and the next one sees the result. Iterates until the
// strain is in the permissible range, as Goldenthal 2007 runs it, or a cap that is reported. The order is a
// random permutation with a fixed seed, which takes the bias of the mesh's own order away, or that order.
// With a fixed number of passes it promises nothing: what directional enforcement is compared with.
#pragma once

#include <string>

#include "taut/filters/edge_graph.hpp"
#include "taut/filters/length_filter.hpp"

namespace taut::filters {

struct StrainLimitGaussSeidelParams {
    double tolerance = 0.01;
    int max_iterations = 10000;
    std::string order = "random";
    int seed = 1;
    double target = 0;
    std::string edges = "yarns";
    int passes = 0;
};
void describe(ParamList& list, StrainLimitGaussSeidelParams& params);

class StrainLimitGaussSeidel final : public LengthFilter {
public:
    using Params = StrainLimitGaussSeidelParams;
    static constexpr const char* type_name = "strain_limit_gauss_seidel";

    explicit StrainLimitGaussSeidel(Params params);
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    void apply(const StepContext& context, Candidate& c, FilterReport& report) override;
    void measure(const StepContext& context, const Candidate& c, FilterReport& report) const override;
    void judge_before(FilterReport& report) const override;
    Promise promise() const override { return params_.passes > 0 ? Promise::other : Promise::strain; }
    ContractBreaks breaks() const override;

private:
    long sweep();  // edges that were out of range and moved

    Params params_;
    std::vector<GraphEdge> edges_;  // in the order they are visited
    std::vector<double> inverse_mass_;
    Points x_;
};

}  // namespace taut::filters
