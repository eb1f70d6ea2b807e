// L D L^T of small dense symmetric systems that may be singular: rows that the rows before them imply are
// left out, their unknowns are zero. Row by row in a square array, of which the lower triangle counts.
#pragma once

#include <cstddef>
#include <span>

namespace taut::filters {

// A pivot below this part of its diagonal entry is rounding [1].
inline constexpr double least_pivot = 1e-10;

// Replaces a, n x n, by its factors.
inline void small_factor(std::size_t n, std::span<double> a) {
    for (std::size_t j = 0; j < n; ++j) {
        const double diagonal = a[j * n + j];
        double pivot = diagonal;
        for (std::size_t k = 0; k < j; ++k) pivot -= a[j * n + k] * a[j * n + k] * a[k * n + k];
        if (!(pivot > least_pivot * diagonal)) pivot = 0;
        a[j * n + j] = pivot;
        for (std::size_t i = j + 1; i < n; ++i) {
            double entry = a[i * n + j];
            for (std::size_t k = 0; k < j; ++k) entry -= a[i * n + k] * a[j * n + k] * a[k * n + k];
            a[i * n + j] = pivot > 0 ? entry / pivot : 0;
        }
    }
}

// x = A^-1 x with those factors.
inline void small_solve(std::size_t n, std::span<const double> a, std::span<double> x) {
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k) x[i] -= a[i * n + k] * x[k];
        if (!(a[i * n + i] > 0)) x[i] = 0;
    }
    for (std::size_t i = 0; i < n; ++i) {
        if (a[i * n + i] > 0) x[i] /= a[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
        if (!(a[i * n + i] > 0)) {
            x[i] = 0;
            continue;
        }
        for (std::size_t k = i + 1; k < n; ++k) x[i] -= a[k * n + i] * x[k];
    }
}

}  // namespace taut::filters
