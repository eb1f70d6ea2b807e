#include "taut/integrators/force_sum.hpp"

#include <algorithm>

#include "taut/base/parallel.hpp"

namespace taut::integrators {
namespace {

// Relative residual of the implicit displacement. The projection that follows keeps the error as a
// perturbation of the external force of this size; 1e-6 is far below the error of the time step.
constexpr double solve_tolerance = 1e-6;
constexpr int solve_iterations = 500;

}  // namespace

void ForceSum::prepare(const Model& model, std::span<const std::unique_ptr<Force>> forces,
                       bool with_stiffness) {
    model_ = &model;
    forces_.clear();
    for (const auto& force : forces) forces_.push_back(force.get());
    shift_.prepare(model);
    analysed_for_.clear();
    if (!with_stiffness) return;
    std::vector<linalg::Triplet> triplets;
    for (const Force* force : forces_) force->add_stiffness(triplets);
    if (!triplets.empty()) stiffness_ = linalg::SymmetricCsr(model.vertex_count(), triplets);
}

void ForceSum::evaluate(const ForceInput& in, Points& f) const {
    f.assign(in.x.size(), Vec3::Zero());
    for (const Force* force : forces_) force->add_force(in, f);
}

void ForceSum::fill_metric(const ForceInput& in, double h, Metric& metric) const {
    metric.diagonal.assign(model_->mass.size(), 0.0);
    for (const Force* force : forces_) force->add_damping(in, metric.diagonal);
    for (std::size_t i = 0; i < metric.diagonal.size(); ++i) {
        metric.diagonal[i] = model_->mass[i] + h * metric.diagonal[i];
    }
    metric.stiffness = stiffness_.empty() ? nullptr : &stiffness_;
    metric.scale = h * h;
}

void ForceSum::solve(const StepContext& context, const Points& f, Points& displacement) {
    using V = linalg::Lanes<double>;
    const std::size_t n = f.size();
    const double h2 = context.h * context.h;
    const Metric& metric = context.metric;
    displacement.assign(n, Vec3::Zero());
    if (!metric.stiffness) {
        for (std::size_t i = 0; i < n; ++i) {
            if (!context.pinned[i]) displacement[i] = h2 / metric.diagonal[i] * f[i];
        }
        return;
    }

    // Solve with sweeps along the yarns.
    if (analysed_for_ != context.pinned) {
        std::vector<linalg::LineFamily> families(2);
        for (const mesh::Yarn& yarn : model_->yarns) {
            families[yarn.direction == mesh::Direction::warp ? 0 : 1].push_back(yarn.vertex);
        }
        std::erase_if(families, [](const auto& lines) { return lines.empty(); });
        solver_.analyse(int(n), metric.stiffness, {}, families, context.pinned);
        rhs_.assign(n + 1, V{});
        solution_.assign(n + 1, V{});
        analysed_for_ = context.pinned;
    }
    double unit = 0;
    for (double d : metric.diagonal) unit += d / double(n);
    solver_.assemble(metric.diagonal, metric.scale, {}, unit);
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3 b = context.pinned[i] ? Vec3(Vec3::Zero()) : Vec3(h2 / unit * f[i]);
        rhs_[i] = V{b.x(), b.y(), b.z(), 0};
    }
    solver_.solve(rhs_, solution_, solve_tolerance, solve_iterations);
    Points impulse(n), origin(n, Vec3::Zero());
    for (std::size_t i = 0; i < n; ++i) {
        displacement[i] = Vec3(solution_[i][0], solution_[i][1], solution_[i][2]);
        impulse[i] = h2 * f[i];
    }
    shift_.restore(context.pinned, metric.diagonal, origin, impulse, displacement);
}

}  // namespace taut::integrators
