#include "taut/filters/step_points.hpp"

#include <fmt/format.h>

#include <cmath>

#include "taut/base/parallel.hpp"
#include "taut/base/parameter.hpp"
#include "taut/constraints/edge_length.hpp"

namespace taut::filters {

void end_positions(const StepContext& context, const Candidate& c, Points& x) {
    const State& start = *context.start;
    x.resize(start.x.size());
    parallel_for(x.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            x[i] = context.pinned[i] ? context.pin_target[i] : Vec3(start.x[i] + context.dt * c.v[i]);
        }
    });
}

void store_velocity(const StepContext& context, ConstPoints x, Candidate& c) {
    const State& start = *context.start;
    parallel_for(x.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (!context.pinned[i]) c.v[i] = (x[i] - start.x[i]) / context.dt;
        }
    });
}

bool all_finite(ConstPoints x) {
    for (const Vec3& p : x) {
        if (!p.allFinite()) return false;
    }
    return true;
}

std::string describe_miss(const Model& model, const Constraint& constraint, ConstPoints x, double tolerance,
                          int iterations) {
    const double worst = constraint.violation(x);
    const auto [reached, allowed] = distinct_texts(100 * worst, 100 * tolerance, 3);
    std::string where;
    if (const auto* edges = dynamic_cast<const constraints::EdgeLength*>(&constraint);
        edges && edges->rows() > 0) {
        const int row = edges->worst_row(x);
        if (row >= edges->edge_rows()) {
            const auto [a, b] = edges->ends(row);
            const double apart = (x[std::size_t(b)] - x[std::size_t(a)]).norm();
            return fmt::format(
                "seam '{}' misses its distance by {:.3g} m, {} %, between {}, after {} iterations; {} % is "
                "allowed",
                edges->seam_of(row), std::abs(apart - edges->rest_length(row)), reached,
                vertex_names(model, a, b), iterations, allowed);
        }
        if (row >= 0) {
            where = " at the edge between " + vertex_names(model, edges->ends(row)[0], edges->ends(row)[1]);
        }
    }
    return fmt::format("max strain {} %{} exceeds {} % after {} iterations", reached, where, allowed,
                       iterations);
}

}  // namespace taut::filters
