#include "taut/linalg/line_cg.hpp"

#include <algorithm>
#include <cmath>

#include "taut/base/parallel.hpp"
#include "taut/linalg/lane_sums.hpp"

namespace taut::linalg {
namespace {

// Mean stiffness over mass, on the diagonal, from which coarse levels pay: below, line solves alone
// need three to six iterations and a cycle costs as much as five of them.
constexpr double stiff_ratio = 20;

}  // namespace

template <class Real>
void LineCg<Real>::analyse(int vertices, const SymmetricCsr* stiffness,
                           std::span<const std::array<int, 2>> edges, const std::vector<LineFamily>& families,
                           std::span<const std::uint8_t> pinned) {
    n_ = vertices;
    matrix_.analyse(vertices, stiffness, edges, pinned);
    lines_.analyse(matrix_, families, pinned);
    for (auto* vector : {&r_, &z_, &p_, &q_}) vector->assign(n_ + 1, V{});
    if (!stiffness || stiffness->empty()) return;
    levels_.analyse(vertices, edges, pinned, families, *stiffness);
    top_ = lines_.largest_eigenvalue(matrix_);
}

template <class Real>
void LineCg<Real>::assemble(std::span<const double> diagonal, double stiffness_scale,
                            std::span<const double> weight, double unit) {
    matrix_.assemble(diagonal, stiffness_scale, weight, unit);
    lines_.factor(matrix_);
    stiff_ = !levels_.empty() && matrix_.stiff_over_mass() > stiff_ratio;
    if (stiff_) levels_.assemble(diagonal, stiffness_scale, weight, unit);
}

template <class Real>
void LineCg<Real>::precondition(const LaneVector<Real>& r, LaneVector<Real>& z) {
    if (!stiff_) {
        lines_.apply(Real(1), r, z);
        return;
    }
    const std::vector<double> gain = relaxation_gains(top_);
    const auto relax = [&](double g) {
        matrix_.residual(r, z, q_);
        lines_.add(Real(g), q_, z);
    };
    lines_.apply(Real(gain[0]), r, z);
    for (std::size_t k = 1; k < gain.size(); ++k) relax(gain[k]);
    matrix_.residual(r, z, q_);
    levels_.add_correction(q_, z);
    for (std::size_t k = gain.size(); k-- > 0;) relax(gain[k]);
}

template <class Real>
int LineCg<Real>::solve(const LaneVector<Real>& b, LaneVector<Real>& x, double tolerance,
                        int max_iterations) {
    // Each lane runs its own conjugate gradients; they share the matrix passes.
    using Sum = std::array<double, 4>;
    std::copy(b.begin(), b.end(), r_.begin());
    r_[n_] = V{};
    std::fill(x.begin(), x.end(), V{});
    precondition(r_, z_);
    Sum rz = lane_dot<Real>(r_, z_, n_);
    const double stop = tolerance * tolerance * (rz[0] + rz[1] + rz[2]);
    if (!(stop > 0)) return 0;
    std::copy(z_.begin(), z_.end(), p_.begin());

    for (int iteration = 1;; ++iteration) {
        matrix_.apply(p_, q_);
        const Sum pq = lane_dot<Real>(p_, q_, n_);
        V alpha{};
        for (int c = 0; c < 3; ++c) alpha[c] = pq[c] > 0 ? Real(rz[c] / pq[c]) : Real(0);
        parallel_for(n_, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                x[i] += alpha * p_[i];
                r_[i] -= alpha * q_[i];
            }
        });
        if (iteration >= max_iterations) return iteration;

        precondition(r_, z_);
        const Sum next = lane_dot<Real>(r_, z_, n_);
        if (next[0] + next[1] + next[2] <= stop) return iteration;
        V beta{};
        for (int c = 0; c < 3; ++c) beta[c] = rz[c] > 0 ? Real(next[c] / rz[c]) : Real(0);
        rz = next;
        parallel_for(n_, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) p_[i] = z_[i] + beta * p_[i];
        });
    }
}

template class LineCg<float>;
template class LineCg<double>;

}  // namespace taut::linalg
