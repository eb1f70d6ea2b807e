#include "taut/filters/force_balance.hpp"

#include <algorithm>
#include <cmath>

#include "taut/base/parallel.hpp"

namespace taut::filters {

void ForceBalance::prepare(const Model& model, const Constraint& constraint, double still, bool end_forces) {
    const std::size_t n = model.rest.size();
    end_forces_ = end_forces;
    c.assign(std::size_t(constraint.rows()), 0.0);
    for (auto* points : {&f, &offset_}) points->assign(n, Vec3::Zero());
    rest_scale_ = 0;
    for (double mass : model.mass) rest_scale_ += mass * still * still;

    // List the entries of J at each vertex, for deterministic parallel products with J^T.
    constraint.jacobian(model.rest, rows);
    incident_ = places_of_vertices(int(n), rows.vertex);
}

// f = M (x - x_inertial) - h^2 f(x), forces where the integrator has them in the step.
void ForceBalance::add_end_forces(const StepContext& context, ConstPoints x) {
    const std::size_t n = x.size();
    const State& start = *context.start;
    const ConstPoints at = context.force_at == 1 ? x : ConstPoints(force_points_);
    v_.resize(n);
    for (std::size_t i = 0; i < n; ++i)
        v_[i] = context.inertia * start.v[i] + (x[i] - context.inertial[i]) / context.h;
    forces_.assign(n, Vec3::Zero());
    const ForceInput in{at, v_, start.t + context.force_at * context.dt};
    for (const auto& force : context.forces) force->add_force(in, forces_);
    for (std::size_t i = 0; i < n; ++i) {
        f[i] = context.model->mass[i] * (x[i] - context.inertial[i]) - context.h * context.h * forces_[i];
    }
}

double ForceBalance::evaluate(const StepContext& context, const Constraint& constraint, ConstPoints x,
                              ConstPoints x0, std::span<const double> mu, const GuideRows* guides) {
    constraint.residual(x, c);
    const std::size_t n = x.size();
    const bool at_end = context.force_at == 1;
    if (!at_end) force_points_.resize(n);
    parallel_for(n, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            offset_[i] = x[i] - x0[i];
            const Vec3& start = context.start->x[i];
            if (!at_end) force_points_[i] = start + context.force_at * (x[i] - start);
        }
    });
    constraint.jacobian(at_end ? x : ConstPoints(force_points_), rows);
    if (end_forces_ && context.round == 0) {
        add_end_forces(context, x);
    } else {
        context.metric.apply(offset_, f);
    }

    // Compare |F| with the size of what the constraints do, in the norms of diag(H0)^-1 and M.
    std::vector<double> norm(2 * ((n + loop_block - 1) / loop_block), 0.0);
    parallel_for(n, [&](std::size_t begin, std::size_t end) {
        double force = 0, scale = 0;
        for (std::size_t i = begin; i < end; ++i) {
            if (context.pinned[i]) {
                f[i].setZero();
                continue;
            }
            Vec3 pull = Vec3::Zero();
            for (int k : incident_.of(i)) pull += mu[std::size_t(k) / 2] * rows.gradient[k];
            f[i] += pull;
            if (guides) f[i] = guides->left(i, f[i]);
            force += f[i].squaredNorm() / context.metric.total_diagonal[i];
            scale += offset_[i].squaredNorm() * context.metric.diagonal[i];
        }
        norm[2 * (begin / loop_block)] = force;
        norm[2 * (begin / loop_block) + 1] = scale;
    });
    double force = 0, scale = 0;
    for (std::size_t b = 0; b < norm.size(); b += 2) force += norm[b], scale += norm[b + 1];
    if (!at_end) constraint.jacobian(x, rows);
    return std::sqrt(force / (scale + rest_scale_));
}

}  // namespace taut::filters
