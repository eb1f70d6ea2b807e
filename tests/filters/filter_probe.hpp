// One velocity filter outside a simulation: a cloth, a step context with its metric, and a candidate
// velocity given as the end positions it would reach.
#pragma once

#include <cmath>

#include "sim/cloths.hpp"
#include "taut/forces/isometric_bending.hpp"
#include "taut/model/interfaces.hpp"

namespace taut::testing {

struct FilterProbe {
    FilterProbe(Model model_, std::unique_ptr<VelocityFilter> filter_, const std::vector<int>& pins = {},
                double bending = 0)
        : model(std::move(model_)), filter(std::move(filter_)), start(at_rest(model)) {
        filter->prepare(model);
        context.model = &model;
        context.start = &start;
        context.dt = context.h = 0.01;
        context.pinned.assign(model.rest.size(), 0);
        context.pin_target = model.rest;
        for (int v : pins) context.pinned[std::size_t(v)] = 1;
        context.metric.diagonal = context.metric.total_diagonal = model.mass;
        if (bending > 0) {
            forces::IsometricBending force({bending, bending});
            force.prepare(model);
            stiffness = force.matrix();
            context.metric.stiffness = &stiffness;
            context.metric.scale = context.h * context.h;
            const std::vector<double> bending_diagonal = stiffness.diagonal();
            for (std::size_t i = 0; i < bending_diagonal.size(); ++i) {
                context.metric.total_diagonal[i] += context.metric.scale * bending_diagonal[i];
            }
        }
    }
    FilterProbe(const FilterProbe&) = delete;
    FilterProbe& operator=(const FilterProbe&) = delete;

    // Filters the velocity that leads to `end`; inertia alone would lead to `inertial`.
    FilterReport apply(const Points& end, const Points& inertial) {
        context.inertial = inertial;
        candidate.v.resize(end.size());
        for (std::size_t i = 0; i < end.size(); ++i) {
            if (context.pinned[i]) context.inertial[i] = context.pin_target[i];
            const Vec3 target = context.pinned[i] ? context.pin_target[i] : end[i];
            candidate.v[i] = (target - start.x[i]) / context.dt;
        }
        candidate.impacted.assign(end.size(), 0);
        return again();
    }
    FilterReport apply(const Points& end) { return apply(end, end); }

    // The filter once more on what it left.
    FilterReport again() {
        FilterReport report;
        filter->apply(context, candidate, report);
        filter->measure(context, candidate, report);
        return report;
    }

    Points end() const {
        Points x = start.x;
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += context.dt * candidate.v[i];
        return x;
    }
    double strain() const {
        double worst = 0;
        const Points x = end();
        for (std::size_t e = 0; e < model.edges.size(); ++e) {
            const double length =
                (x[std::size_t(model.edges[e].b)] - x[std::size_t(model.edges[e].a)]).norm();
            worst = std::max(worst, std::abs(length / model.rest_length[e] - 1));
        }
        return worst;
    }

    Model model;
    std::unique_ptr<VelocityFilter> filter;
    State start;
    StepContext context;
    Candidate candidate;
    linalg::SymmetricCsr stiffness;
};

// What gravity and some wind would do to a cloth in one long step.
inline Points blown(const Model& model, double amount, unsigned seed) {
    Points x = shaken(model.rest, amount / 3, seed);
    for (Vec3& p : x) p += amount * Vec3(0.2, std::sin(3 * p.x()), -1 + std::cos(5 * p.y()));
    return x;
}

inline Points turned(const Points& x, const Vec3& rotation, const Vec3& shift) {
    RigidTransform place;
    place.rotation = Eigen::AngleAxisd(rotation.norm(), rotation.normalized()).toRotationMatrix();
    place.translation = shift;
    Points moved;
    for (const Vec3& p : x) moved.push_back(place(p));
    return moved;
}

inline double farthest(const Points& a, const Points& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).norm());
    return most;
}

}  // namespace taut::testing
