#include "taut/filters/strain_limit_jacobi.hpp"

#include <algorithm>
#include <cmath>

#include "taut/base/parallel.hpp"
#include "taut/elements/edge_limit.hpp"
#include "taut/filters/step_points.hpp"

namespace taut::filters {

void describe(ParamList& list, StrainLimitJacobiParams& params) {
    describe_tolerance(list, params.tolerance);
    describe_iterations(list, params.max_iterations, "passes over all edges");
    list.number("relaxation", params.relaxation, "1", between(1e-3, 2),
                "Part of each correction that is applied; all of it overshoots where edges meet.");
    list.number("target", params.target, "1", between(0, 1),
                "Where a corrected edge is brought, in permissible strains: 0 its rest length, 1 the limit.");
    describe_edges(list, params.edges);
}

StrainLimitJacobi::StrainLimitJacobi(Params params)
    : LengthFilter(params.tolerance, constraints::EdgeLengthParams{"relative", params.edges}),
      params_(std::move(params)) {}

void StrainLimitJacobi::prepare(const Model& model) {
    LengthFilter::prepare(model);
    edges_ = edges_of(static_cast<const constraints::EdgeLength&>(constraint()));
    std::vector<int> ends;
    for (const GraphEdge& edge : edges_) ends.insert(ends.end(), {edge.a, edge.b});
    incident_ = places_of_vertices(model.vertex_count(), ends);
    pull_.assign(edges_.size(), Vec3::Zero());
}

double StrainLimitJacobi::collect() {
    const double aim = std::min(params_.target, elements::limit_inside) * tolerance();
    return parallel_max(edges_.size(), [&](std::size_t begin, std::size_t end) {
        double worst = 0;
        for (std::size_t e = begin; e < end; ++e) {
            const GraphEdge& edge = edges_[e];
            const Vec3 d = x_[edge.b] - x_[edge.a];
            const double strain = d.norm() / edge.length - 1;
            if (std::isnan(strain)) return strain;
            const double w_a = inverse_mass_[edge.a], w_b = inverse_mass_[edge.b];
            // What pins hold at both ends no pass can move.
            if (w_a + w_b > 0) worst = std::max(worst, std::abs(strain));
            if (!(std::abs(strain) > tolerance()) || w_a + w_b == 0) {
                pull_[e].setZero();
                continue;
            }
            pull_[e] = elements::edge_pull(d, edge.length * (1 + std::copysign(aim, strain)), w_a, w_b);
        }
        return worst;
    });
}

void StrainLimitJacobi::move() {
    parallel_for(x_.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            Vec3 sum = Vec3::Zero();
            for (int k : incident_.of(i)) {
                if (k % 2 == 0) {
                    sum += pull_[std::size_t(k) / 2];
                } else {
                    sum -= pull_[std::size_t(k) / 2];
                }
            }
            x_[i] += params_.relaxation * inverse_mass_[i] * sum;
        }
    });
}

void StrainLimitJacobi::apply(const StepContext& context, Candidate& c, FilterReport& report) {
    report.tolerance = tolerance();
    if (edges_.empty()) return;
    advance_to(context.time_end());
    update_lengths(static_cast<const constraints::EdgeLength&>(constraint()), edges_);
    end_positions(context, c, x_);
    inverse_masses(context, inverse_mass_);
    int passes = 0;
    for (; passes < params_.max_iterations && !context.stopping(); ++passes) {
        const double strain = collect();
        if (!(strain > tolerance())) break;
        move();
    }
    report.iterations += passes;
    finish(context, x_, c, report);
}

}  // namespace taut::filters
