#include "taut/integrators/baraff_witkin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "taut/base/parallel.hpp"

namespace taut::integrators {

void describe(ParamList& list, BaraffWitkinParams& params) {
    list.number("tolerance", params.tolerance, "1", between(1e-14, 0.5),
                "Relative residual that ends conjugate gradients.");
    list.integer("max_iterations", params.max_iterations, "1", between(1, 1000000),
                 "Most iterations of conjugate gradients in one solve; a step that needs more is halved.");
    list.choice("preconditioner", params.preconditioner, {"two_levels", "block_diagonal"},
                "Of conjugate gradients: diagonal blocks as published, or with groups of vertices besides.");
    list.number(
        "stretch_change", params.stretch_change, "1", non_negative(),
        "Change of stretch of any triangle or edge at which a step is refused and halved; 0: none is.");
    list.flag("contacts", params.contacts,
              "Whether contacts with obstacles become constraints of the solve.");
    list.number("thickness", params.thickness, "m", between(0, 1),
                "Distance at which contacts hold vertices; give it the thickness of the filter behind.");
    list.number("release", params.release, "m/s^2", non_negative(),
                "Pull, as an acceleration, at which a contact lets go of a vertex.");
    list.integer("passes", params.passes, "1", between(1, 100),
                 "Solves in one step while contacts are made, released or begin to slide; 1: as published.");
    list.flag("cloth_contacts", params.cloth.on, "Whether cloth pushes cloth away, by damped springs.");
    list.number("cloth_thickness", params.cloth.thickness, "m", between(1e-6, 1),
                "Distance below which cloth pushes cloth away; a cloth's own `thickness` goes first.");
    list.number("cloth_stiffness", params.cloth.stiffness, "N/m", positive(),
                "Stiffness of one contact of cloth with cloth.");
    list.number("cloth_damping", params.cloth.damping, "s", non_negative(),
                "Damping of such a contact, over its stiffness.");
}

BaraffWitkin::BaraffWitkin(Params params, std::vector<collision::Obstacle> obstacles,
                           collision::FrictionTable friction)
    : params_(params),
      contacts_(params.contacts ? std::move(obstacles) : std::vector<collision::Obstacle>{}, friction,
                params.thickness, params.release),
      cloth_contacts_(params.cloth, friction) {}

std::vector<MemoryBlock> BaraffWitkin::memory() {
    return {{"baraff_witkin.contacts", &contacts_.memory()},
            {"baraff_witkin.sides", &cloth_contacts_.memory()}};
}

void BaraffWitkin::prepare(const Model& model, std::span<const std::unique_ptr<Force>> forces) {
    model_ = &model;
    forces_.prepare(model, forces, ForceSum::Stiffness::without_hessian);
    bounds_.prepare(model, forces, ForceSum::Stiffness::all);
    std::vector<std::array<int, 2>> pairs;
    for (const auto& force : forces) {
        if (force->has_hessian()) force->add_pattern(pairs);
    }
    if (!forces_.stiffness().empty()) linalg::append_pairs(forces_.stiffness(), pairs);
    matrix_.set_pattern(model.vertex_count(), pairs);
    elastic_.set_pattern(matrix_);
    system_.set_pattern(matrix_);
    if (params_.preconditioner == "two_levels") pcg_.add_second_level(system_);
    triangles_.prepare(model);
    contacts_.prepare(model);
    cloth_contacts_.prepare(model);
}

// Fills both matrices, and the forces.
void BaraffWitkin::assemble(const StepContext& context) {
    const State& start = *context.start;
    const std::size_t n = start.x.size();
    const double h = context.h;
    const ForceInput now{start.x, start.v, start.t};
    const ForceInput ahead{context.inertial, start.v, context.time_end()};
    f_.assign(n, Vec3::Zero());
    others_.assign(n, Vec3::Zero());
    matrix_.clear();
    for (const Force* force : forces_.forces()) {
        if (force->has_hessian()) {
            force->add_force(now, f_);
            force->add_hessian(now, 1, matrix_);
        } else {
            force->add_force(ahead, others_);
        }
    }
    elastic_.load(matrix_);

    // Go on to the system: h^2 K, h D, and what is the same for x, y and z.
    matrix_.scale(h * h);
    for (const Force* force : forces_.forces()) {
        if (force->has_hessian()) force->add_damping_hessian(now, h, matrix_);
    }
    for (std::size_t i = 0; i < n; ++i) {
        matrix_.add(static_cast<int>(i), static_cast<int>(i), context.metric.diagonal[i] * Mat3::Identity());
    }
    if (context.metric.stiffness) matrix_.add_scalar(*context.metric.stiffness, context.metric.scale);
    system_.load(matrix_);
}

// Holds vertices along their guides, below where inertia leads them.
void BaraffWitkin::hold_guides(const StepContext& context) {
    const State& start = *context.start;
    held_.assign(context.pinned.begin(), context.pinned.end());
    guided_.clear();
    for (const Guide& guide : model_->guides) {
        if (!guide.holds(start.t)) continue;
        for (const int vertex : guide.vertices) {
            const auto i = static_cast<std::size_t>(vertex);
            if (context.pinned[i]) continue;
            held_[i] = 1;
            const GuideFoot foot = guide.foot(context.inertial[i], start.t, context.time_end());
            const Vec3 rest = foot.point - start.x[i] - context.dt * foot.velocity;
            guided_.emplace_back(vertex, Hold{foot.freedom, foot.velocity, rest - foot.freedom * rest});
        }
    }
}

// Collects what holds each vertex: contacts, guides, pins.
void BaraffWitkin::hold(const StepContext& context) {
    const State& start = *context.start;
    const std::size_t n = start.x.size();
    holds_.assign(n, {});
    friction_.assign(n, Vec3::Zero());
    rows_ = cloth_contacts_.system_rows();
    contacts_.apply(context.h, holds_, friction_, rows_);
    for (const auto& [vertex, hold] : guided_) holds_[static_cast<std::size_t>(vertex)] = hold;
    for (std::size_t i = 0; i < n; ++i) {
        if (context.pinned[i])
            holds_[i] = {Mat3::Zero(), (context.pin_target[i] - start.x[i]) / context.dt, Vec3::Zero()};
        freedom_[i] = holds_[i].freedom;
        z_[i] = holds_[i].velocity - start.v[i];
        y_[i] = holds_[i].alteration;
    }
}

// b = h (f - K (h v + y)), forces without a Hessian as they are ahead.
void BaraffWitkin::fill_right_side(const StepContext& context) {
    const State& start = *context.start;
    const std::size_t n = start.x.size();
    const double h = context.h;
    for (std::size_t i = 0; i < n; ++i) way_[i] = h * start.v[i] + y_[i];
    elastic_.multiply(way_, b_);
    push_.assign(n, Vec3::Zero());
    cloth_contacts_.add_force(start, push_);
    for (std::size_t i = 0; i < n; ++i) b_[i] = h * (f_[i] + others_[i] + friction_[i] + push_[i] - b_[i]);
}

linalg::PcgReport BaraffWitkin::solve(const StepContext& context) {
    const State& start = *context.start;
    const std::size_t n = start.x.size();
    linalg::PcgSettings settings;
    settings.tolerance = params_.tolerance;
    settings.max_iterations = params_.max_iterations;
    settings.stop = context.stop_requested;
    const linalg::PcgReport report = pcg_.solve(system_, b_, freedom_, z_, settings, dv_);
    const ConstPoints reaction = pcg_.reaction();
    double unresolved = 0;
    for (std::size_t i = 0; i < n; ++i) {
        v_end_[i] = start.v[i] + dv_[i];
        x_end_[i] = start.x[i] + context.dt * v_end_[i] + y_[i];
        const Vec3 along = freedom_[i] * reaction[i];
        constraint_force_[i] = (reaction[i] - along) / context.h;
        unresolved += along.squaredNorm();
    }
    noise_ = std::sqrt(unresolved / static_cast<double>(std::max<std::size_t>(1, n))) / context.h;
    return report;
}

// Lengths of w_u and w_v of every triangle, and of every edge against rest.
void BaraffWitkin::measure_stretch(ConstPoints x, std::vector<double>& stretch) const {
    const std::size_t triangles = triangles_.size(), edges = model_->edges.size();
    stretch.resize(2 * triangles + edges);
    parallel_for(triangles, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t) {
            const forces::MaterialFrame w = triangles_.frame(t, x);
            stretch[2 * t] = w.u.norm();
            stretch[2 * t + 1] = w.v.norm();
        }
    });
    parallel_for(edges, [&](std::size_t begin, std::size_t end) {
        for (std::size_t e = begin; e < end; ++e) {
            const mesh::Edge& edge = model_->edges[e];
            stretch[2 * triangles + e] =
                (x[static_cast<std::size_t>(edge.b)] - x[static_cast<std::size_t>(edge.a)]).norm() /
                model_->rest_length[e];
        }
    });
}

// Says why a step should not be taken, and leaves what a report tells.
void BaraffWitkin::judge(const StepContext& context, const linalg::PcgReport& solved, Candidate& c) {
    const ContactCounts counts = contacts_.counts();
    c.integrator.residual = solved.residual;
    c.integrator.held = counts.held;
    c.integrator.sticking = counts.sticking;
    c.integrator.made = counts.made;
    c.integrator.released = counts.released;
    c.integrator.pushing = cloth_contacts_.pushing();
    if (!solved.converged) {
        c.note = solved.definite ? fmt::format("baraff_witkin: {} iterations left a residual of {:.2g}",
                                               solved.iterations, solved.residual)
                                 : "baraff_witkin: the matrix is not positive definite";
    }
    measure_stretch(x_end_, stretch_end_);
    if (params_.stretch_change > 0) measure_stretch(context.start->x, stretch_start_);
    double change = 0;
    std::size_t where = 0;
    const std::size_t triangles = 2 * triangles_.size();
    for (std::size_t k = 0; k < stretch_end_.size(); ++k) {
        if (k < triangles) c.integrator.stretch = std::max(c.integrator.stretch, stretch_end_[k]);
        if (params_.stretch_change == 0) continue;
        const double own = std::abs(stretch_end_[k] - stretch_start_[k]);
        if (!(own <= change)) change = own, where = k;
        if (!std::isfinite(own)) break;
    }
    c.integrator.stretch_change = change;
    if (change <= params_.stretch_change || params_.stretch_change == 0 || !c.note.empty()) return;
    const int vertex =
        where < triangles ? triangles_.blocks().vertices(where / 2)[0] : model_->edges[where - triangles].a;
    c.note = fmt::format("baraff_witkin: {} at {} stretches by {:.3g} in the step, from {:.4g} to {:.4g}",
                         where < triangles ? "a triangle" : "an edge", vertex_name(*model_, vertex), change,
                         stretch_start_[where], stretch_end_[where]);
}

void BaraffWitkin::candidate(StepContext& context, Candidate& c) {
    const State& start = *context.start;
    const std::size_t n = start.x.size();
    context.h = context.dt;
    for (Points* points : {&b_, &z_, &y_, &way_, &x_end_, &v_end_, &constraint_force_, &context.inertial})
        points->resize(n);
    freedom_.resize(n);
    dv_.assign(n, Vec3::Zero());
    for (std::size_t i = 0; i < n; ++i) {
        context.inertial[i] =
            context.pinned[i] ? context.pin_target[i] : Vec3(start.x[i] + context.h * start.v[i]);
    }
    forces_.fill_metric({context.inertial, start.v, context.time_end()}, context.h, context.metric);
    context.metric.solver = nullptr;
    hold_guides(context);
    contacts_.begin(context, held_);
    cloth_contacts_.begin(context);
    assemble(context);

    // Solve, and again while constraint forces change the contacts.
    linalg::PcgReport solved;
    for (int pass = 0; pass < params_.passes && !context.stopping(); ++pass) {
        hold(context);
        elastic_.set_rows(cloth_contacts_.elastic_rows());
        system_.set_rows(rows_);
        fill_right_side(context);
        const auto before = std::chrono::steady_clock::now();
        solved = solve(context);
        c.integrator.seconds +=
            std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
        ++c.integrator.solves;
        c.integrator.iterations += solved.iterations;
        if (!solved.converged) break;
        const bool solids = contacts_.revise(context, v_end_, x_end_, constraint_force_, noise_);
        const bool cloth = cloth_contacts_.revise(context, x_end_, v_end_);
        if (!solids && !cloth) break;
    }
    contacts_.finish(context, x_end_);
    cloth_contacts_.finish(context, x_end_);

    // Hand on a metric that bounds Hessians too: what filters move should cost what forces will take for it.
    bounds_.fill_metric({context.inertial, start.v, context.time_end()}, context.h, context.metric);
    judge(context, solved, c);
    c.v.resize(n);
    for (std::size_t i = 0; i < n; ++i) c.v[i] = (x_end_[i] - start.x[i]) / context.dt;
}

void BaraffWitkin::end_velocity(const StepContext& context, ConstPoints x, PointsView v) const {
    for (std::size_t i = 0; i < x.size(); ++i) v[i] = (x[i] - context.start->x[i] - y_[i]) / context.dt;
}

State BaraffWitkin::accept(const StepContext& context, const Candidate& c) {
    State end = step_end(context, c);
    for (std::size_t i = 0; i < end.v.size(); ++i) end.v[i] -= y_[i] / context.dt;
    return end;
}

}  // namespace taut::integrators
