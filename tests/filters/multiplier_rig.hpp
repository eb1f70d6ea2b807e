// Small nets under constraint forces, with dense solves of House et al. 1996, Eq. 19, to hold them against.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "filters/filter_probe.hpp"
#include "taut/filters/constrained_dynamics.hpp"

namespace taut::filters::multiplier_tests {

using testing::FilterProbe;

// Feedback rates for a step of 0.01 s, and a solve that is all but exact.
inline ConstrainedDynamicsParams exact_params() {
    ConstrainedDynamicsParams params;
    params.feedback = "rates";
    params.ks = 2000;
    params.kd = 30;
    params.turning = 1;
    params.linear_tolerance = 1e-13;
    params.max_iterations = 20000;
    return params;
}

// A net out of its lengths, moving, with forces on it: n x 3 velocities in the candidate.
template <class F>
struct Net {
    Net(Model model, std::unique_ptr<F> filter_, const std::vector<int>& pins = {}, unsigned seed = 5)
        : filter(filter_.get()), probe(std::move(model), std::move(filter_), pins) {
        const std::size_t n = probe.model.rest.size();
        probe.start.x = testing::shaken(probe.model.rest, 0.02, seed);
        probe.start.v = testing::shaken(Points(n, Vec3::Zero()), 0.5, seed + 1);
        free = testing::shaken(probe.start.v, 0.5, seed + 2);
        for (int v : pins) free[std::size_t(v)] = probe.start.v[std::size_t(v)] = Vec3::Zero();
    }
    FilterReport apply() {
        probe.candidate.v = free;
        probe.candidate.impacted.assign(free.size(), 0);
        return probe.again();
    }
    const Points& v() const { return probe.candidate.v; }

    F* filter;
    FilterProbe probe;
    Points free;
};

// Eq. 19 written down from its own definitions, one row per edge.
struct DenseSystem {
    Eigen::MatrixXd j;               // m x 3n
    Eigen::VectorXd c, speed, jdot;  // C, J v_n, Jdot v_n
    Eigen::VectorXd inverse_mass;    // 3n
    Eigen::MatrixXd matrix() const { return j * inverse_mass.asDiagonal() * j.transpose(); }
};

inline Eigen::VectorXd flat(const Points& v) {
    return Eigen::Map<const Eigen::VectorXd>(v[0].data(), Eigen::Index(3 * v.size()));
}

inline DenseSystem dense_system(const FilterProbe& probe) {
    const Model& model = probe.model;
    const Eigen::Index n = Eigen::Index(model.rest.size()), m = Eigen::Index(model.edges.size());
    DenseSystem s{Eigen::MatrixXd::Zero(m, 3 * n), Eigen::VectorXd(m), Eigen::VectorXd(m), Eigen::VectorXd(m),
                  Eigen::VectorXd::Zero(3 * n)};
    for (Eigen::Index e = 0; e < m; ++e) {
        const auto& edge = model.edges[std::size_t(e)];
        const double l = model.rest_length[std::size_t(e)];
        const Vec3 d = probe.start.x[std::size_t(edge.b)] - probe.start.x[std::size_t(edge.a)];
        const Vec3 u = probe.start.v[std::size_t(edge.b)] - probe.start.v[std::size_t(edge.a)];
        s.c[e] = d.squaredNorm() / l - l;
        s.speed[e] = 2 / l * d.dot(u);
        s.jdot[e] = 2 / l * u.dot(u);
        s.j.row(e).segment<3>(3 * edge.b) = 2 / l * d.transpose();
        s.j.row(e).segment<3>(3 * edge.a) = -2 / l * d.transpose();
    }
    for (Eigen::Index i = 0; i < n; ++i) {
        if (!probe.context.pinned[std::size_t(i)])
            s.inverse_mass.segment<3>(3 * i).setConstant(1 / model.mass[std::size_t(i)]);
    }
    return s;
}

// The velocity that Eq. 19 leads to.
template <class F>
Eigen::VectorXd dense_velocity(const Net<F>& net, double ks, double kd) {
    const DenseSystem s = dense_system(net.probe);
    const double dt = net.probe.context.dt;
    const Eigen::VectorXd push = (flat(net.free) - flat(net.probe.start.v)) / dt;
    const Eigen::VectorXd b = -s.jdot - s.j * push - ks * s.c - kd * s.speed;
    const Eigen::VectorXd lambda = s.matrix().completeOrthogonalDecomposition().solve(b);
    return flat(net.free) + dt * (s.inverse_mass.asDiagonal() * (s.j.transpose() * lambda)).eval();
}

}  // namespace taut::filters::multiplier_tests
