#include "taut/filters/multiplier_krylov.hpp"

#include <algorithm>
#include <cmath>

namespace taut::filters {
namespace {

// Where the residual is this much above the least so far, the system has no solution: what follows is
// rounding that grows [1].
constexpr double hopeless = 1e4;

// Directions along which the system is this much softer than along others are rounding: links in line with
// the nails they hang on [1].
constexpr double softest = 1e-12;

void add_scaled(double factor, std::span<const double> a, std::span<double> to) {
    for (std::size_t i = 0; i < a.size(); ++i) to[i] += factor * a[i];
}

// p = z + beta p
void turn_towards(std::span<const double> z, double beta, std::span<double> p) {
    for (std::size_t i = 0; i < z.size(); ++i) p[i] = z[i] + beta * p[i];
}

}  // namespace

void MultiplierKrylov::apply_preconditioner(std::span<const double> r, std::span<double> z) const {
    if (precondition) {
        precondition(r, z);
    } else {
        std::copy(r.begin(), r.end(), z.begin());
    }
}

// r = b - A x; false where there is nothing to solve.
bool MultiplierKrylov::begin(std::span<const double> b, std::span<double> x) {
    for (auto* array : {&r_, &z_, &p_, &q_}) array->assign(b.size(), 0.0);
    history.clear();
    stiffest_ = 0;
    size_b_ = norm(b);
    if (!std::isfinite(size_b_) || size_b_ == 0) {
        std::fill(x.begin(), x.end(), 0.0);
        return false;
    }
    product(x, q_);
    for (std::size_t i = 0; i < b.size(); ++i) r_[i] = b[i] - q_[i];
    best_.assign(x.begin(), x.end());
    best_r_ = r_;
    least_ = norm(r_);
    history.push_back(least_ / size_b_);
    return std::isfinite(least_);
}

bool MultiplierKrylov::stiff_enough(double pq, double pp) {
    if (!(pq > 0) || !(pp > 0)) return false;
    stiffest_ = std::max(stiffest_, pq / pp);
    return pq / pp > softest * stiffest_;
}

// Draws the best so far towards the iterate, to the least residual between them, so that systems without a
// solution end at one of least squares; false where going on makes no sense.
bool MultiplierKrylov::keep(std::span<const double> x) {
    const double size = norm(r_);
    if (!std::isfinite(size)) return false;
    double along = 0, square = 0;
    for (std::size_t i = 0; i < r_.size(); ++i) {
        const double step = r_[i] - best_r_[i];
        along += best_r_[i] * step;
        square += step * step;
    }
    const double part = square > 0 ? -along / square : 0;
    for (std::size_t i = 0; i < r_.size(); ++i) {
        best_[i] += part * (x[i] - best_[i]);
        best_r_[i] += part * (r_[i] - best_r_[i]);
    }
    least_ = norm(best_r_);
    history.push_back(least_ / size_b_);
    return size <= hopeless * least_;
}

KrylovReport MultiplierKrylov::conjugate_gradient(std::span<const double> b, std::span<double> x,
                                                  const KrylovSettings& settings, bool flexible) {
    KrylovReport report;
    if (!begin(b, x)) return report;
    ++report.products;
    if (flexible) r2_.assign(b.size(), 0.0);
    apply_preconditioner(r_, z_);
    std::copy(z_.begin(), z_.end(), p_.begin());
    double rz = dot(r_, z_);
    while (least_ > settings.tolerance * size_b_ && report.iterations < settings.max_iterations) {
        if (stopping && stopping()) break;
        product(p_, q_);
        ++report.products;
        const double pq = dot(p_, q_);
        if (!stiff_enough(pq, dot(p_, p_)) || !(std::abs(rz) > 0)) break;
        const double alpha = (flexible ? dot(p_, r_) : rz) / pq;
        if (flexible) std::copy(r_.begin(), r_.end(), r2_.begin());
        add_scaled(alpha, p_, x);
        add_scaled(-alpha, q_, r_);
        ++report.iterations;
        if (!keep(x)) break;
        apply_preconditioner(r_, z_);
        const double next = dot(r_, z_);
        turn_towards(z_, (next - (flexible ? dot(r2_, z_) : 0)) / rz, p_);
        rz = next;
    }
    std::copy(best_.begin(), best_.end(), x.begin());
    return report;
}

// With the transposed product written out: for our matrix it is the same product.
KrylovReport MultiplierKrylov::biconjugate_gradient(std::span<const double> b, std::span<double> x,
                                                    const KrylovSettings& settings) {
    KrylovReport report;
    if (!begin(b, x)) return report;
    ++report.products;
    for (auto* array : {&r2_, &z2_, &p2_, &q2_}) array->assign(b.size(), 0.0);
    r2_ = r_;
    apply_preconditioner(r_, z_);
    apply_preconditioner(r2_, z2_);
    p_ = z_;
    p2_ = z2_;
    double rz = dot(z_, r2_);
    while (least_ > settings.tolerance * size_b_ && report.iterations < settings.max_iterations) {
        if (stopping && stopping()) break;
        product(p_, q_);
        product(p2_, q2_);
        report.products += 2;
        const double pq = dot(p2_, q_);
        if (!stiff_enough(pq, dot(p_, p2_)) || !(std::abs(rz) > 0)) break;
        const double alpha = rz / pq;
        add_scaled(alpha, p_, x);
        add_scaled(-alpha, q_, r_);
        add_scaled(-alpha, q2_, r2_);
        ++report.iterations;
        if (!keep(x)) break;
        apply_preconditioner(r_, z_);
        apply_preconditioner(r2_, z2_);
        const double next = dot(z_, r2_);
        turn_towards(z_, next / rz, p_);
        turn_towards(z2_, next / rz, p2_);
        rz = next;
    }
    std::copy(best_.begin(), best_.end(), x.begin());
    return report;
}

KrylovReport MultiplierKrylov::repetition(std::span<const double> b, std::span<double> x,
                                          const KrylovSettings& settings) {
    KrylovReport report;
    if (!begin(b, x)) return report;
    while (least_ > settings.tolerance * size_b_ && report.iterations < settings.max_iterations) {
        if (stopping && stopping()) break;
        apply_preconditioner(r_, z_);
        product(z_, q_);
        add_scaled(1, z_, x);
        add_scaled(-1, q_, r_);
        ++report.iterations;
        if (!keep(x)) break;
    }
    std::copy(best_.begin(), best_.end(), x.begin());
    return report;
}

}  // namespace taut::filters
