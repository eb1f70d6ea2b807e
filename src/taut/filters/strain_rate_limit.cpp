#include "taut/filters/strain_rate_limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "taut/elements/edge_limit.hpp"
#include "taut/filters/length_filter.hpp"
#include "taut/filters/step_points.hpp"

namespace taut::filters {

void describe(ParamList& list, StrainRateLimitParams& params) {
    list.number("rate", params.rate, "1", between(1e-6, 1),
                "Most an edge may change in one step, relative to its length at the start of the step.");
    describe_iterations(list, params.max_iterations, "passes over all edges");
    list.choice("edges", params.edges, {"yarns", "all"}, "Which edges are limited: warp and weft, or all.");
}

StrainRateLimit::StrainRateLimit(const Params& params)
    : params_(params), constraint_(constraints::EdgeLengthParams{"relative", params.edges}) {}

void StrainRateLimit::prepare(const Model& model) {
    constraint_.prepare(model);
    edges_ = edges_of(constraint_);
    // Seams close at a rate of their own.
    edges_.resize(std::size_t(constraint_.edge_rows()));
}

double StrainRateLimit::largest_change(ConstPoints start, ConstPoints end) const {
    double worst = 0;
    for (const GraphEdge& edge : edges_) {
        const double before = (start[edge.b] - start[edge.a]).norm();
        const double after = (end[edge.b] - end[edge.a]).norm();
        if (!std::isfinite(after)) return NAN;
        if (before > 0) worst = std::max(worst, std::abs(after / before - 1));
    }
    return worst;
}

void StrainRateLimit::apply(const StepContext& context, Candidate& c, FilterReport& report) {
    report.tolerance = params_.rate;
    if (edges_.empty()) return;
    end_positions(context, c, x_);
    inverse_masses(context, inverse_mass_);
    const Points& start = context.start->x;
    int passes = 0;
    for (bool moved = true; moved && passes < params_.max_iterations && !context.stopping(); ++passes) {
        moved = false;
        for (const GraphEdge& edge : edges_) {
            const double w_a = inverse_mass_[edge.a], w_b = inverse_mass_[edge.b];
            const double before = (start[edge.b] - start[edge.a]).norm();
            const Vec3 d = x_[edge.b] - x_[edge.a];
            const double change = d.norm() - before;
            if (!(std::abs(change) > params_.rate * before) || before == 0 || w_a + w_b == 0) continue;
            const double wanted =
                before + std::copysign(elements::limit_inside * params_.rate * before, change);
            const Vec3 pull = elements::edge_pull(d, wanted, w_a, w_b);
            x_[edge.a] += w_a * pull;
            x_[edge.b] -= w_b * pull;
            moved = moved || pull != Vec3::Zero();
        }
        if (!moved) break;
    }
    report.iterations += passes;
    store_velocity(context, x_, c);
    report.reached = largest_change(start, x_);
}

void StrainRateLimit::measure(const StepContext& context, const Candidate& c, FilterReport& report) const {
    Points x;
    end_positions(context, c, x);
    report.tolerance = params_.rate;
    report.residual = largest_change(context.start->x, x);
    report.held = report.residual <= params_.rate;
    if (!report.held) {
        report.note = fmt::format("an edge changes by {:.3g} % in one step, more than {:.3g} %",
                                  100 * report.residual, 100 * params_.rate);
    }
}

}  // namespace taut::filters
