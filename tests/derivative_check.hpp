// The one derivative checker: central differences at two steps, Richardson extrapolation, and the
// gap between the two as an error estimate. A derivative passes when it agrees with the
// extrapolated difference within a tolerance relative to the largest entry, and the estimate says
// that the difference itself is that good. Use on functions of a vector of unknowns.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <functional>

namespace taut::testing {

struct DerivativeError {
    double error = 0;     // largest |analytic - numeric| over the largest |numeric| (or 1e-12)
    double estimate = 0;  // the same for the two difference quotients against each other
};

using Eigen::MatrixXd;
using Eigen::VectorXd;
using VectorFunction = std::function<VectorXd(const VectorXd&)>;
using ScalarFunction = std::function<double(const VectorXd&)>;

// Largest absolute entry; NaN where there is one.
inline double largest(const MatrixXd& m) {
    double result = 0;
    for (Eigen::Index i = 0; i < m.size(); ++i) {
        const double entry = std::abs(m.data()[i]);
        if (!(entry <= result)) result = entry;
        if (std::isnan(entry)) break;
    }
    return result;
}

// Compares a Jacobian (rows: outputs, columns: unknowns) with differences of f at x. `step` is the
// larger of the two steps, in the unit of x; pick it near the length over which f changes times 1e-3.
inline DerivativeError jacobian_error(const VectorFunction& f, const VectorXd& x, const MatrixXd& analytic,
                                      double step) {
    MatrixXd coarse(analytic.rows(), analytic.cols()), fine(analytic.rows(), analytic.cols());
    for (Eigen::Index k = 0; k < x.size(); ++k) {
        const auto difference = [&](double h) {
            VectorXd plus = x, minus = x;
            plus[k] += h;
            minus[k] -= h;
            return VectorXd((f(plus) - f(minus)) / (plus[k] - minus[k]));
        };
        coarse.col(k) = difference(step);
        fine.col(k) = difference(step / 2);
    }
    const MatrixXd numeric = fine + (fine - coarse) / 3;
    const double scale = std::max(largest(numeric), 1e-12);
    return {largest(analytic - numeric) / scale, largest(fine - coarse) / scale};
}

// Compares a gradient with differences of a scalar function.
inline DerivativeError gradient_error(const ScalarFunction& f, const VectorXd& x, const VectorXd& analytic,
                                      double step) {
    return jacobian_error([&](const VectorXd& y) { return VectorXd::Constant(1, f(y)); }, x,
                          analytic.transpose(), step);
}

// True if the derivative is right to `tolerance` and the difference quotient is fit to tell.
inline bool agrees(const DerivativeError& e, double tolerance) {
    return e.error <= tolerance && e.estimate <= std::sqrt(tolerance);
}

}  // namespace taut::testing
