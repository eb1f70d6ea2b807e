#include "taut/filters/xpbd.hpp"

#include <algorithm>
#include <cmath>

#include "taut/base/parallel.hpp"
#include "taut/filters/step_points.hpp"

namespace taut::filters {
namespace {

// Edges per task: a colour of a small sheet still spreads over several cores.
constexpr std::size_t edge_block = 512;

// Passes that a later round makes at most, after contact has moved vertices.
constexpr int round_passes = 200;

}  // namespace

void describe(ParamList& list, XpbdParams& params) {
    describe_tolerance(list, params.tolerance);
    list.integer("substeps", params.substeps, "1", between(1, 100000), "Parts that the step is cut into.");
    list.integer("iterations", params.iterations, "1", between(1, 100000),
                 "Passes over all edges in every substep.");
    list.number("compliance", params.compliance, "m/N", non_negative(),
                "Inverse stiffness of every edge; 0: none yields but what the passes leave.");
    describe_edges(list, params.edges);
}

Xpbd::Xpbd(Params params)
    : LengthFilter(params.tolerance, constraints::EdgeLengthParams{"relative", params.edges}),
      params_(std::move(params)) {}

void Xpbd::prepare(const Model& model) {
    LengthFilter::prepare(model);
    edges_ = edges_of(static_cast<const constraints::EdgeLength&>(constraint()));
    color_start_ = sort_by_color(model.vertex_count(), edges_);
    lambda_.assign(edges_.size(), 0.0);
}

void Xpbd::advance(const StepContext& context, int substep) {
    const double h = context.dt / params_.substeps;
    const double share = double(substep) / params_.substeps;
    advance_to(context.time_at(share));
    update_lengths(static_cast<const constraints::EdgeLength&>(constraint()), edges_);
    parallel_for(x_.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Vec3& start = context.start->x[i];
            if (context.pinned[i]) {
                x_[i] = start + share * (context.pin_target[i] - start);
            } else {
                v_[i] += h * acceleration_[i];
                x_[i] += h * v_[i];
            }
        }
    });
}

void Xpbd::sweep(double compliance) {
    for (std::size_t color = 0; color + 1 < color_start_.size(); ++color) {
        const std::size_t first = color_start_[color];
        parallel_for(
            color_start_[color + 1] - first,
            [&](std::size_t begin, std::size_t end) {
                for (std::size_t e = first + begin; e < first + end; ++e) {
                    const GraphEdge& edge = edges_[e];
                    const double w_a = inverse_mass_[edge.a], w_b = inverse_mass_[edge.b];
                    const Vec3 d = x_[edge.b] - x_[edge.a];
                    const double length = d.norm();
                    if (w_a + w_b == 0 || !(length > 0)) continue;
                    const double change =
                        (edge.length - length - compliance * lambda_[e]) / (w_a + w_b + compliance);
                    lambda_[e] += change;
                    const Vec3 push = (change / length) * d;
                    x_[edge.a] -= w_a * push;
                    x_[edge.b] += w_b * push;
                }
            },
            edge_block);
    }
}

void Xpbd::substeps(const StepContext& context, FilterReport& report) {
    // Start with what inertia keeps, and read the acceleration by forces off the candidate: x0 = inertial +
    // h^2 a.
    const std::size_t n = x0_.size();
    const double h = context.dt / params_.substeps;
    x_ = context.start->x;
    v_ = context.start->v;
    acceleration_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        v_[i] *= context.inertia;
        acceleration_[i] = (x0_[i] - context.inertial[i]) / (context.h * context.h);
    }

    // Step, correct, and take the velocity from the corrected positions.
    for (int substep = 1; substep <= params_.substeps && !context.stopping(); ++substep) {
        previous_ = x_;
        advance(context, substep);
        std::fill(lambda_.begin(), lambda_.end(), 0.0);
        for (int pass = 0; pass < params_.iterations; ++pass) sweep(params_.compliance / (h * h));
        for (std::size_t i = 0; i < n; ++i) v_[i] = (x_[i] - previous_[i]) / h;
        report.iterations += params_.iterations;
    }
}

void Xpbd::correct(const StepContext& context, FilterReport& report) {
    x_ = x0_;
    for (int pass = 0; pass < round_passes && constraint().violation(x_) > tolerance(); ++pass) {
        std::fill(lambda_.begin(), lambda_.end(), 0.0);
        sweep(0);
        ++report.iterations;
    }
    for (std::size_t i = 0; i < x_.size(); ++i) v_[i] += (x_[i] - x0_[i]) / context.dt;
}

void Xpbd::apply(const StepContext& context, Candidate& c, FilterReport& report) {
    report.tolerance = tolerance();
    if (edges_.empty()) return;
    advance_to(context.time_end());
    update_lengths(static_cast<const constraints::EdgeLength&>(constraint()), edges_);
    end_positions(context, c, x0_);
    inverse_masses(context, inverse_mass_);
    if (context.round == 0) {
        substeps(context, report);
    } else {
        correct(context, report);
    }
    finish(context, x_, c, report);
}

void Xpbd::apply_end_velocity(const StepContext& context, const Candidate& c, State& end) {
    if (edges_.empty() || c.settled) return;
    for (std::size_t i = 0; i < end.v.size(); ++i) {
        if (!context.pinned[i]) end.v[i] = v_[i];
    }
}

}  // namespace taut::filters
