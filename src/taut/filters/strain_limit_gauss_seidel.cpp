#include "taut/filters/strain_limit_gauss_seidel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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
    list.choice("edges", params.edges, {"yarns", "all", "springs"},
                "Which edges keep their length: warp and weft; all, which locks triangles; or all and both "
                "diagonals of quads.");
    list.integer("passes", params.passes, "1", between(0, 1000000),
                 "Passes in every step, whatever they reach, and no promise; 0: as many as it takes.");
}

StrainLimitGaussSeidel::StrainLimitGaussSeidel(Params params)
    : LengthFilter(
          params.tolerance,
          constraints::EdgeLengthParams{"relative", params.edges == "springs" ? "all" : params.edges}),
      params_(std::move(params)) {}

void StrainLimitGaussSeidel::prepare(const Model& model) {
    LengthFilter::prepare(model);
    edges_ = edges_of(static_cast<const constraints::EdgeLength&>(constraint()));
    if (params_.edges == "springs") {
        const std::vector<GraphEdge> diagonals = diagonals_of(model);
        edges_.insert(edges_.end(), diagonals.begin(), diagonals.end());
    }
    if (params_.order == "random") shuffle(edges_, std::uint64_t(params_.seed));
}

ContractBreaks StrainLimitGaussSeidel::breaks() const {
    ContractBreaks breaks;
    breaks.promise = breaks.twice = params_.passes > 0 || params_.edges == "springs";
    return breaks;
}

long StrainLimitGaussSeidel::sweep() {
    const double aim = std::min(params_.target, elements::limit_inside) * tolerance();
    long moved = 0;
    for (const GraphEdge& edge : edges_) {
        const Vec3 d = x_[edge.b] - x_[edge.a];
        const double strain = d.norm() / edge.length - 1;
        if (!(std::abs(strain) > tolerance())) continue;
        const double w_a = inverse_mass_[edge.a], w_b = inverse_mass_[edge.b];
        if (w_a + w_b == 0) continue;
        const Vec3 pull = elements::edge_pull(d, edge.length * (1 + std::copysign(aim, strain)), w_a, w_b);
        x_[edge.a] += w_a * pull;
        x_[edge.b] -= w_b * pull;
        if (pull != Vec3::Zero()) ++moved;
    }
    return moved;
}

void StrainLimitGaussSeidel::apply(const StepContext& context, Candidate& c, FilterReport& report) {
    report.tolerance = tolerance();
    if (edges_.empty() || (params_.passes > 0 && context.round > 0)) return;
    advance_to(context.time_end());
    update_lengths(static_cast<const constraints::EdgeLength&>(constraint()), edges_);
    end_positions(context, c, x_);
    inverse_masses(context, inverse_mass_);
    const int most = params_.passes > 0 ? params_.passes : params_.max_iterations;
    int passes = 0;
    while (passes < most && !context.stopping()) {
        const long moved = sweep();
        report.corrections += moved;
        if (moved == 0) break;
        ++passes;
    }
    report.iterations += passes;
    if (certifies_strain()) {
        finish(context, x_, c, report);
    } else if (all_finite(x_)) {
        store_velocity(context, x_, c);
    }
}

void StrainLimitGaussSeidel::measure(const StepContext& context, const Candidate& c,
                                     FilterReport& report) const {
    LengthFilter::measure(context, c, report);
    if (certifies_strain()) return;
    report.tolerance = std::numeric_limits<double>::infinity();
    report.held = true;
    report.note.clear();
}

void StrainLimitGaussSeidel::judge_before(FilterReport& report) const {
    if (certifies_strain()) LengthFilter::judge_before(report);
}

}  // namespace taut::filters
