// Particles among obstacles, stepped by free fall and the filter `contact` alone.
#pragma once

#include <utility>
#include <vector>

#include "collision/touching.hpp"
#include "taut/filters/contact.hpp"

namespace taut::filters::contact_tests {

using collision::Obstacle;
using collision::Shape;

constexpr double g = 9.81;

using testing::ball;
using testing::box;

inline Obstacle plane(const Vec3& normal, double friction) {
    return testing::plane(Vec3::Zero(), normal, friction);
}

inline Obstacle polygon_sphere(double radius, int frequency, double friction) {
    Obstacle o = testing::polygon_sphere(Vec3::Zero(), radius, frequency);
    o.friction = friction;
    return o;
}

// Particles of unit mass, stepped by free fall and the filter alone.
struct Particles {
    Particles(std::vector<Obstacle> obstacles, Points x, ContactParams params = {})
        : filter(params, std::move(obstacles)) {
        state.x = std::move(x);
        state.v.assign(state.x.size(), Vec3::Zero());
        model.rest = state.x;
        model.mass.assign(state.x.size(), 1.0);
        context.model = &model;
        context.start = &state;
        context.pinned.assign(state.x.size(), 0);
        filter.prepare(model);
    }
    FilterReport filter_velocity(double dt, Points v) {
        context.dt = dt;
        candidate.v = std::move(v);
        candidate.impacted.assign(state.x.size(), 0);
        FilterReport report;
        filter.apply(context, candidate, report);
        filter.measure(context, candidate, report);
        return report;
    }
    FilterReport step(double dt, const Vec3& acceleration = Vec3(0, 0, -g)) {
        Points v = state.v;
        for (Vec3& p : v) p += dt * acceleration;
        const FilterReport report = filter_velocity(dt, v);
        for (std::size_t i = 0; i < v.size(); ++i) state.x[i] += dt * candidate.v[i];
        state.v = candidate.v;
        state.t += dt;
        return report;
    }
    Vec3 end(std::size_t i) const { return state.x[i] + context.dt * candidate.v[i]; }

    Contact filter;
    Model model;
    State state;
    StepContext context;
    Candidate candidate;
};

inline double distance(const Obstacle& o, double time, const Vec3& p) {
    return collision::nearest(o, o.motion.at(time), p).distance;
}

}  // namespace taut::filters::contact_tests
