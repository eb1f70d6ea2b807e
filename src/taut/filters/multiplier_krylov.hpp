// Iterative solvers for Eq. 19 of House et al. 1996: biconjugate gradients, as in the paper, and conjugate
// gradients, which reach the same iterates with half the products since the matrix is symmetric. Residuals
// are smoothed, so that they never grow, and a system without a solution ends near one of least squares.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "taut/filters/multiplier_rows.hpp"

namespace taut::filters {

struct KrylovSettings {
    double tolerance = 1e-6;  // of |b - A x| in |b|
    int max_iterations = 1000;
};

struct KrylovReport {
    int iterations = 0, products = 0;
};

// y = A x, and z = P r for a preconditioner.
using KrylovProduct = std::function<void(std::span<const double> x, std::span<double> y)>;

class MultiplierKrylov {
public:
    KrylovProduct product, precondition;  // no preconditioner: empty
    std::function<bool()> stopping;

    // x holds the first guess, and then the smoothed iterate.
    KrylovReport biconjugate_gradient(std::span<const double> b, std::span<double> x,
                                      const KrylovSettings& settings);
    // flexible: the preconditioner may differ from iteration to iteration (Polak and Ribiere).
    KrylovReport conjugate_gradient(std::span<const double> b, std::span<double> x,
                                    const KrylovSettings& settings, bool flexible = false);

    // x += P (b - A x), again and again.
    KrylovReport repetition(std::span<const double> b, std::span<double> x, const KrylovSettings& settings);

    std::vector<double> history;  // |b - A x| / |b| from the first guess on, of the last solve

private:
    bool begin(std::span<const double> b, std::span<double> x);
    bool stiff_enough(double pq, double pp);
    bool keep(std::span<const double> x);
    void apply_preconditioner(std::span<const double> r, std::span<double> z) const;

    std::vector<double> r_, z_, p_, q_, r2_, z2_, p2_, q2_, best_, best_r_;
    double size_b_ = 0, least_ = 0, stiffest_ = 0;
};

}  // namespace taut::filters
