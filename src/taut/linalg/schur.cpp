#include "taut/linalg/schur.hpp"

#include <algorithm>

namespace taut::linalg {

void Schur::analyse(const SaddlePattern& pattern) {
    n_ = pattern.vertices;
    pinned_.assign(pattern.pinned.begin(), pattern.pinned.end());
    const RowBlocks& rows = *pattern.rows;
    row_of_.resize(rows.vertex.size());
    incident_start_.assign(n_ + 1, 0);
    for (int r = 0; r < rows.rows(); ++r) {
        for (int k = rows.start[r]; k < rows.start[r + 1]; ++k) {
            row_of_[k] = r;
            if (!pinned_[rows.vertex[k]]) ++incident_start_[rows.vertex[k] + 1];
        }
    }
    for (int i = 0; i < n_; ++i) incident_start_[i + 1] += incident_start_[i];
    incident_.resize(incident_start_[n_]);
    std::vector<int> next(incident_start_.begin(), incident_start_.end() - 1);
    for (int k = 0; k < int(rows.vertex.size()); ++k) {
        if (!pinned_[rows.vertex[k]]) incident_[next[rows.vertex[k]]++] = k;
    }
}

void Schur::assemble(const SaddleSystem& system, bool whole) {
    const RowBlocks& rows = *system.rows;
    const RowBlocks& force = system.force_rows ? *system.force_rows : rows;
    std::vector<Eigen::Triplet<double>> triplets;
    std::vector<double> diagonal(std::size_t(rows.rows()), 0.0);
    for (int v = 0; v < n_; ++v) {
        for (int i = incident_start_[v]; i < incident_start_[v + 1]; ++i) {
            for (int j = incident_start_[v]; j < incident_start_[v + 1]; ++j) {
                const int r = row_of_[incident_[i]], s = row_of_[incident_[j]];
                if (s > r && !whole) continue;
                const double value =
                    rows.gradient[incident_[i]].dot(force.gradient[incident_[j]]) / system.diagonal[v];
                triplets.emplace_back(r, s, value);
                if (r == s) diagonal[r] += rows.gradient[incident_[i]].squaredNorm() / system.diagonal[v];
            }
        }
    }
    for (int r = 0; r < rows.rows(); ++r) {
        triplets.emplace_back(r, r, diagonal[r] > 0 ? system.regularization * diagonal[r] : 1.0);
    }
    matrix_.resize(rows.rows(), rows.rows());
    matrix_.setFromTriplets(triplets.begin(), triplets.end());
}

Eigen::VectorXd Schur::right_hand_side(const SaddleSystem& system) const {
    const RowBlocks& rows = *system.rows;
    Eigen::VectorXd b(rows.rows());
    for (int r = 0; r < rows.rows(); ++r) {
        double sum = system.c[r];
        bool idle = true;
        for (int k = rows.start[r]; k < rows.start[r + 1]; ++k) {
            const int v = rows.vertex[k];
            if (pinned_[v]) continue;
            idle = false;
            sum -= rows.gradient[k].dot(system.f[v]) / system.diagonal[v];
        }
        b[r] = idle ? 0.0 : sum;
    }
    return b;
}

void Schur::recover(const SaddleSystem& system, std::span<const double> dmu, PointsView dx) const {
    const RowBlocks& force = system.force_rows ? *system.force_rows : *system.rows;
    for (int v = 0; v < n_; ++v) {
        Vec3 sum = Vec3::Zero();
        if (!pinned_[v]) {
            sum = -system.f[v];
            for (int i = incident_start_[v]; i < incident_start_[v + 1]; ++i) {
                sum -= dmu[row_of_[incident_[i]]] * force.gradient[incident_[i]];
            }
            sum /= system.diagonal[v];
        }
        dx[v] = sum;
    }
}

}  // namespace taut::linalg
