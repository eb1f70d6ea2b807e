// What every force made of conditions must pass: derivatives of its elastic and its damping part, momentum,
// rigid motion, positive forms of its Hessian, and the same bits for any number of threads.
#pragma once

#include <Eigen/Geometry>

#include "forces/force_probe.hpp"
#include "forces/sheets.hpp"
#include "taut/base/parallel.hpp"

namespace taut::testing {

// An uneven skewed sheet of 5 x 4 vertices, 1 x 0.7 m, quads and one triangle less; flat.
inline Model skewed_sheet() {
    Model model = jittered_grid(5, 4, 1, 0.7, 0.2);
    for (Vec3& p : model.rest) p.x() += 0.3 * p.y();
    return model;
}

template <class F>
F ready_force(const Model& model, typename F::Params params) {
    F force(std::move(params));
    force.prepare(model);
    return force;
}

inline Points no_motion(const Points& x) { return Points(x.size(), Vec3::Zero()); }

// Turned about an oblique axis and moved.
inline Points moved_rigidly(Points x) {
    const Mat3 turn = Eigen::AngleAxisd(1.1, Vec3(1, 2, -0.5).normalized()).toRotationMatrix();
    for (Vec3& p : x) p = turn * p + Vec3(3, -1, 2);
    return x;
}

inline double largest_of(const Points& f) { return largest(vector_of(f)); }

inline Points difference(Points a, const Points& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
    return a;
}

// f = -dE/dx and, for exact curvature, -df/dx at rest in time; -df/dv for a force linear in v.
inline void expect_derivatives(const Force& exact, const Points& x, const Points& v, double step) {
    expect_force_is_minus_gradient(exact, x, step, 1e-6);
    const auto elastic = [&](const VectorXd& q) {
        return VectorXd(-vector_of(force_at(exact, points_of(q))));
    };
    EXPECT_TRUE(agrees(jacobian_error(elastic, vector_of(x), dense_hessian(exact, x), step), 1e-6));

    const MatrixXd damping = dense_damping(exact, x, v);
    const auto damped = [&](const VectorXd& q) {
        return VectorXd(-vector_of(force_at(exact, x, points_of(q))));
    };
    EXPECT_TRUE(agrees(jacobian_error(damped, vector_of(v), damping, 1), 1e-9));
    const VectorXd part = vector_of(difference(force_at(exact, x, v), force_at(exact, x)));
    EXPECT_LT(largest(part + damping * vector_of(v)), 1e-11 * largest(part));
    EXPECT_LT(largest(damping - damping.transpose()), 1e-14 * largest(damping));
    EXPECT_GE(symmetric_eigenvalues(damping).front(), -1e-12 * largest(damping));
}

// Elastic and damping part each keep both momenta.
inline void expect_keeps_momentum(const Force& force, const Points& x, const Points& v) {
    expect_internal(force, x, 1e-12);
    const Points part = difference(force_at(force, x, v), force_at(force, x));
    Vec3 sum = Vec3::Zero(), moment = Vec3::Zero();
    double scale = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        sum += part[i];
        moment += x[i].cross(part[i]);
        scale += part[i].norm();
    }
    ASSERT_GT(scale, 0);
    EXPECT_LE(sum.norm(), 1e-12 * scale);
    EXPECT_LE(moment.norm(), 1e-12 * scale);
}

// A rigidly moving cloth, bent and stretched or not, is not damped; a deforming one loses energy.
inline void expect_damps_deformation_alone(const Force& force, const Points& x, const Points& v) {
    Points turning;
    for (const Vec3& p : x) turning.push_back(Vec3(0.4, -2, 1).cross(p) + Vec3(1, 2, 3));
    const Points still = force_at(force, x);
    const double scale = largest_of(difference(force_at(force, x, v), still));
    EXPECT_LT(largest_of(difference(force_at(force, x, turning), still)), 1e-12 * scale);
    EXPECT_LT(vector_of(difference(force_at(force, x, v), still)).dot(vector_of(v)), 0);
}

inline void expect_no_force(const Force& force, const Points& x, double scale) {
    EXPECT_LT(largest_of(force_at(force, x)), 1e-12 * scale);
    EXPECT_LT(largest_of(force_at(force, moved_rigidly(x))), 1e-12 * scale);
}

inline double least_eigenvalue(const MatrixXd& m) { return symmetric_eigenvalues(m).front() / largest(m); }

// Neither form has a negative eigenvalue, though the exact one does.
inline void expect_positive(const Force& exact, const Force& positive, const Force& none, const Points& x,
                            const Points& v) {
    EXPECT_LT(least_eigenvalue(dense_hessian(exact, x, v)), -1e-4);
    EXPECT_GE(least_eigenvalue(dense_hessian(positive, x, v)), -1e-12);
    EXPECT_GE(least_eigenvalue(dense_hessian(none, x, v)), -1e-12);
}

inline void expect_same_bits(const Force& force, const Points& x, const Points& v) {
    Points f;
    std::vector<Mat3> hessian;
    double energy = 0;
    for (const int threads : {1, 2, 4}) {
        const ThreadLimit limit(threads);
        linalg::BlockMatrix blocks = blocks_for(force, x.size());
        force.add_hessian({x, v, 0}, 0.3, blocks);
        force.add_damping_hessian({x, v, 0}, 0.7, blocks);
        const std::vector<Mat3> values(blocks.blocks().begin(), blocks.blocks().end());
        if (threads == 1) {
            f = force_at(force, x, v);
            hessian = values;
            energy = force.energy(x);
            continue;
        }
        EXPECT_EQ(force_at(force, x, v), f) << threads;
        EXPECT_EQ(force.energy(x), energy) << threads;
        ASSERT_EQ(values.size(), hessian.size());
        for (std::size_t k = 0; k < values.size(); ++k) ASSERT_EQ(values[k], hessian[k]) << threads;
    }
}

}  // namespace taut::testing
