#include "taut/filters/strain_limit_gauss_seidel.hpp"

#include <algorithm>
#include <cmath>

#include "taut/elements/edge_limit.hpp"
#include "taut/filters/step_points.hpp"

namespace taut::filters {

void describe(ParamList& list, StrainLimitGaussSeidelParams& params) {
    describe_tolerance(list, params.tolerance);
    describe_iterations(list, params.max_iterations, "passes over all edges");
    list.choice("order", params.order, {"random", "data"},
                "Order of the edges: a random permutation, the same in every pass, or that of the mesh.");
    list.integer("seed", params.seed, "1", between(0, 2147483647), "Which random permutation.");
    list.number("target", params.target, "1", between(0, 1),
                "Where a corrected edge is brought, in permissible strains: 0 its rest length, 1 the limit.");
    describe_edges(list, params.edges);
}

StrainLimitGaussSeidel::StrainLimitGaussSeidel(Params params)
    : LengthFilter(params.tolerance, constraints::EdgeLengthParams{"relative", params.edges}),
      params_(std::move(params)) {}

void StrainLimitGaussSeidel::prepare(const Model& model) {
    LengthFilter::prepare(model);
    edges_ = edges_of(static_cast<const constraints::EdgeLength&>(constraint()));
    if (params_.order == "random") shuffle(edges_, std::uint64_t(params_.seed));
}

bool StrainLimitGaussSeidel::sweep() {
    const double aim = std::min(params_.target, limit_inside) * tolerance();
    bool moved = false;
    for (const GraphEdge& edge : edges_) {
        const Vec3 d = x_[edge.b] - x_[edge.a];
        const double strain = d.norm() / edge.length - 1;
        if (!(std::abs(strain) > tolerance())) continue;
        const double w_a = inverse_mass_[edge.a], w_b = inverse_mass_[edge.b];
        if (w_a + w_b == 0) continue;
        const Vec3 pull = elements::edge_pull(d, edge.length * (1 + std::copysign(aim, strain)), w_a, w_b);
        x_[edge.a] += w_a * pull;
        x_[edge.b] -= w_b * pull;
        moved = moved || pull != Vec3::Zero();
    }
    return moved;
}

void StrainLimitGaussSeidel::apply(const StepContext& context, Candidate& c, FilterReport& report) {
    report.tolerance = tolerance();
    if (edges_.empty()) return;
    advance_to(context.time_end());
    update_lengths(static_cast<const constraints::EdgeLength&>(constraint()), edges_);
    end_positions(context, c, x_);
    inverse_masses(context, inverse_mass_);
    int passes = 0;
    while (passes < params_.max_iterations && !context.stopping() && sweep()) ++passes;
    report.iterations += passes;
    finish(context, x_, c, report);
}

}  // namespace taut::filters
