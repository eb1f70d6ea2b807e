// The scalar symmetric matrix H = (diag + scale K + L(w)) / unit of a projection, acting on x, y and z
// alike: K a constant stiffness, L(w) the graph Laplacian of weighted edges. Vectors hold four lanes
// per vertex (x, y, z, unused). Rows and columns of pinned vertices are those of the identity.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "taut/linalg/lanes.hpp"
#include "taut/linalg/sparse.hpp"

namespace taut::linalg {

template <class Real>
class MetricMatrix {
public:
    using V = Lanes<Real>;

    // edges: the two vertices of every weighted edge. stiffness may be null.
    void analyse(int vertices, const SymmetricCsr* stiffness, std::span<const std::array<int, 2>> edges,
                 std::span<const std::uint8_t> pinned);

    // weight: one per edge, or empty. unit [kg] scales H to order one.
    void assemble(std::span<const double> diagonal, double stiffness_scale, std::span<const double> weight,
                  double unit);

    void apply(const LaneVector<Real>& x, LaneVector<Real>& y) const;  // y = H x
    void residual(const LaneVector<Real>& b, const LaneVector<Real>& x,
                  LaneVector<Real>& y) const;  // b - H x

    int size() const { return n_; }
    std::span<const std::array<int, 2>> edges() const { return edge_; }
    Real diagonal(int i) const { return diagonal_[i]; }
    Real value(int entry) const { return value_[entry]; }
    double stiff_diagonal(int i) const { return scale_ * double(base_diagonal_[i]); }
    double stiff_value(int entry) const { return scale_ * double(base_[entry]); }
    int entry(int i, int j) const;                               // place of the coupling of i and j, -1: none
    double stiff_over_mass() const { return stiff_over_mass_; }  // means of the diagonals
    double mean_stiffness() const;                               // of the diagonal of K, free vertices [N/m]

private:
    // Vertices in a row whose neighbours lie at the same offsets; value of neighbour k of vertex i at
    // place + k * length + i - first. On a grid that is nearly everything, without one index in memory.
    struct Run {
        int first, length;
        int place;   // in value_
        int offset;  // in offset_
        int count;   // neighbours
    };
    void cut_runs(const std::vector<int>& start, const std::vector<int>& col, const std::vector<Real>& base);
    template <bool residual>
    void multiply(const LaneVector<Real>* b, const LaneVector<Real>& x, LaneVector<Real>& y) const;

    int n_ = 0;
    std::vector<std::uint8_t> pinned_;
    std::vector<Run> run_;
    std::vector<int> run_of_, first_run_;  // of each vertex; of each block of the parallel loops
    std::vector<int> offset_;              // neighbour minus vertex, ascending within a run
    std::vector<Real> base_, value_;       // stiffness part (before scaling), all
    std::vector<Real> base_diagonal_, diagonal_;
    std::vector<std::array<int, 2>> edge_, edge_entry_;  // vertices; places of (a,b) and (b,a), or -1
    std::vector<int> incident_start_, incident_;         // edges at each vertex
    double scale_ = 0, stiff_over_mass_ = 0;
};

extern template class MetricMatrix<float>;
extern template class MetricMatrix<double>;

}  // namespace taut::linalg
