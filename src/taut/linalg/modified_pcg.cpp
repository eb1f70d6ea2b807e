#include "taut/linalg/modified_pcg.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "taut/base/parallel.hpp"

namespace taut::linalg {
namespace {

// Squares of residuals below this part of the first are rounding; and so are those below the second part of
// x A x at the start, however small the first is: where nothing pulls, rounding is all there is.
constexpr double rounding_level = 1e-26, start_rounding = 1e-30;

// Vertices per task: what a loop below touches of them stays in the first cache.
constexpr std::size_t vector_block = 512;

double dot(ConstPoints a, ConstPoints b) {
    return parallel_sum(
        a.size(),
        [&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i) sum += a[i].dot(b[i]);
            return sum;
        },
        vector_block);
}

// The inverse of S A S on what S leaves free, zero elsewhere. Says whether it is positive definite there.
bool invert_within(const Mat3& a, const Mat3& freedom, Mat3& inverse) {
    inverse.setZero();
    if (freedom.trace() < 0.5) return true;  // nothing is free, up to rounding
    const bool all = freedom.isIdentity(0);
    // Fill the constrained directions, by a number as large as the others, invert, and take them away again.
    Mat3 filled = a;
    if (!all) {
        filled = freedom * a * freedom;
        const double size = filled.trace() / freedom.trace();
        filled += size * (Mat3::Identity() - freedom);
    }
    const Eigen::LLT<Mat3> factor(filled);
    if (factor.info() != Eigen::Success || !filled.allFinite()) return false;
    inverse = filled.inverse();
    if (!all) inverse = Mat3(freedom * inverse * freedom);
    return inverse.allFinite();
}

}  // namespace

bool ModifiedPcg::set_preconditioner(const BlockRows& matrix, std::span<const Mat3> freedom) {
    inverse_.resize(freedom.size());
    const double bad = parallel_sum(freedom.size(), [&](std::size_t begin, std::size_t end) {
        double count = 0;
        for (std::size_t i = begin; i < end; ++i)
            count += invert_within(matrix.diagonal(i), freedom[i], inverse_[i]) ? 0 : 1;
        return count;
    });
    return bad == 0;
}

double ModifiedPcg::weigh(ConstPoints r, std::span<const Mat3> freedom, PointsView s) {
    const double by_blocks = parallel_sum(
        r.size(),
        [&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i) {
                s[i] = inverse_[i] * r[i];
                sum += r[i].dot(s[i]);
            }
            return sum;
        },
        vector_block);
    return by_blocks + (coarse_on_ ? coarse_.add_correction(r, freedom, s) : 0);
}

double ModifiedPcg::advance(double step, std::span<const Mat3> freedom, PointsView x) {
    parallel_for(
        x.size(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                x[i] += step * c_[i];
                r_[i] -= step * (freedom[i] * q_[i]);
            }
        },
        vector_block);
    return weigh(r_, freedom, s_);
}

PcgReport ModifiedPcg::solve(const BlockRows& matrix, ConstPoints b, std::span<const Mat3> freedom,
                             ConstPoints z, const PcgSettings& settings, PointsView x) {
    const std::size_t n = b.size();
    for (Points* points : {&r_, &s_, &c_, &q_, &reaction_}) points->resize(n);
    PcgReport report;
    report.definite = set_preconditioner(matrix, freedom);
    coarse_on_ = report.definite && !coarse_.empty() && coarse_.factor(matrix, freedom);

    // Put the start right across what is free; the residual counts along it alone.
    parallel_for(n, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) x[i] = freedom[i] * x[i] + (z[i] - freedom[i] * z[i]);
    });
    const auto residual = [&] {
        matrix.multiply(x, q_);
        parallel_for(n, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) r_[i] = freedom[i] * (b[i] - q_[i]);
        });
    };
    for (std::size_t i = 0; i < n; ++i) r_[i] = freedom[i] * b[i];
    const double given = weigh(r_, freedom, s_);
    residual();
    double left = weigh(r_, freedom, c_);
    const double first = std::max(given, left);
    const double enough =
        std::max(settings.tolerance * settings.tolerance * first, start_rounding * std::abs(dot(x, q_)));
    if (settings.watch) settings.watch(x);
    while (report.definite && left > enough && report.iterations < settings.max_iterations) {
        if (settings.stop && settings.stop()) break;
        matrix.multiply(c_, q_);
        const double curvature = dot(c_, q_);
        if (!(curvature > 0)) {
            // At the level of rounding that says nothing about the matrix.
            report.definite = !(left > rounding_level * first);
            break;
        }
        const double step = left / curvature;
        const double before = left;
        left = advance(step, freedom, x);
        const double share = left / before;
        parallel_for(
            n,
            [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) c_[i] = s_[i] + share * c_[i];
            },
            vector_block);
        ++report.iterations;
        if (settings.watch) settings.watch(x);
    }

    // Read off what the constraints add.
    matrix.multiply(x, reaction_);
    for (std::size_t i = 0; i < n; ++i) reaction_[i] -= b[i];
    report.residual = first > 0 ? std::sqrt(left / first) : 0;
    report.converged = report.definite && left <= enough;
    return report;
}

}  // namespace taut::linalg
