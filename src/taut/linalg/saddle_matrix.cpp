#include "taut/linalg/saddle_matrix.hpp"

#include <algorithm>

namespace taut::linalg {

void SaddleMatrix::analyse(const SaddlePattern& pattern) {
    n_ = pattern.vertices;
    pinned_.assign(pattern.pinned.begin(), pattern.pinned.end());
    stiffness_ = pattern.stiffness;
    edges_.clear();
    for (int r = 0; r < pattern.rows->rows(); ++r) {
        const int at = pattern.rows->start[r];
        const bool pair = pattern.rows->start[r + 1] - at == 2;
        edges_.push_back(pair ? std::array{pattern.rows->vertex[at], pattern.rows->vertex[at + 1]}
                              : std::array{-1, -1});
    }
}

void SaddleMatrix::add_metric(const SaddleSystem& system, bool whole, Triplets& triplets) const {
    const auto add_scalar = [&](int i, int j, double value) {
        if (pinned_[i] || pinned_[j] || (j > i && !whole)) return;
        for (int c = 0; c < 3; ++c) triplets.emplace_back(3 * i + c, 3 * j + c, value);
    };
    for (int i = 0; i < n_; ++i) {
        if (pinned_[i]) {
            for (int c = 0; c < 3; ++c) triplets.emplace_back(3 * i + c, 3 * i + c, 1.0);
        }
        add_scalar(i, i, system.diagonal[i]);
        if (!stiffness_ || stiffness_->empty() || system.stiffness_scale == 0) continue;
        for (int k = stiffness_->row_start()[i]; k < stiffness_->row_start()[i + 1]; ++k) {
            add_scalar(i, stiffness_->columns()[k], system.stiffness_scale * stiffness_->values()[k]);
        }
    }
    for (std::size_t r = 0; r < system.weight.size(); ++r) {
        const auto [a, b] = edges_[r];
        if (a < 0) continue;
        add_scalar(a, a, system.weight[r]);
        add_scalar(b, b, system.weight[r]);
        add_scalar(a, b, -system.weight[r]);
        add_scalar(b, a, -system.weight[r]);
    }
}

void SaddleMatrix::add_rows(const SaddleSystem& system, bool whole, double least_regularization,
                            Triplets& triplets) const {
    const RowBlocks& rows = *system.rows;
    const RowBlocks& force = system.force_rows ? *system.force_rows : rows;
    const double regularization = std::max(system.regularization, least_regularization);
    for (int r = 0; r < rows.rows(); ++r) {
        double diagonal = 0;
        for (int k = rows.start[r]; k < rows.start[r + 1]; ++k) {
            const int v = rows.vertex[k];
            if (!pinned_[v]) diagonal += rows.gradient[k].squaredNorm() / system.diagonal[v];
            for (int c = 0; c < 3; ++c) {
                triplets.emplace_back(3 * n_ + r, 3 * v + c, pinned_[v] ? 0.0 : rows.gradient[k][c]);
                if (whole)
                    triplets.emplace_back(3 * v + c, 3 * n_ + r, pinned_[v] ? 0.0 : force.gradient[k][c]);
            }
        }
        triplets.emplace_back(3 * n_ + r, 3 * n_ + r, diagonal > 0 ? -regularization * diagonal : -1.0);
    }
}

void SaddleMatrix::assemble(const SaddleSystem& system, bool whole, double least_regularization) {
    Triplets triplets;
    add_metric(system, whole, triplets);
    add_rows(system, whole, least_regularization, triplets);
    const int size = 3 * n_ + system.rows->rows();
    matrix_.resize(size, size);
    matrix_.setFromTriplets(triplets.begin(), triplets.end());
}

Eigen::VectorXd SaddleMatrix::right_hand_side(const SaddleSystem& system) const {
    Eigen::VectorXd rhs(3 * n_ + system.rows->rows());
    for (int i = 0; i < n_; ++i) {
        rhs.segment<3>(3 * i) = pinned_[i] ? Vec3(Vec3::Zero()) : Vec3(-system.f[i]);
    }
    for (int r = 0; r < system.rows->rows(); ++r) {
        const auto [a, b] = edges_[r];
        const bool idle = a >= 0 && pinned_[a] && pinned_[b];
        rhs[3 * n_ + r] = idle ? 0.0 : -system.c[r];
    }
    return rhs;
}

void SaddleMatrix::split(const Eigen::VectorXd& solution, std::span<double> dmu, PointsView dx) const {
    for (int i = 0; i < n_; ++i) dx[i] = solution.segment<3>(3 * i);
    for (std::size_t r = 0; r < dmu.size(); ++r) dmu[r] = solution[3 * n_ + Eigen::Index(r)];
}

}  // namespace taut::linalg
