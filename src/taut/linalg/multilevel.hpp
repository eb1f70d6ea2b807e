// Additive multilevel correction for smooth modes (after Bramble, Pasciak and Xu 1990): vertices are
// grouped into aggregates along the graph, aggregates of aggregates, and so on; each level adds
// P D^-1 P^T r, with P a once-smoothed piecewise constant and D the diagonal of P^T H P. Line sweeps
// alone take stiff bending for a heavy mass in smooth modes; with the levels the number of iterations
// hardly grows with resolution.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "taut/linalg/lanes.hpp"
#include "taut/linalg/sparse.hpp"

namespace taut::linalg {

template <class Real>
class Multilevel {
public:
    // edges: the graph; pinned vertices belong to no aggregate. stiffness may be null.
    void analyse(int vertices, std::span<const std::array<int, 2>> edges,
                 std::span<const std::uint8_t> pinned, const SymmetricCsr* stiffness);

    // Diagonals of P^T H P for H = (diag + scale K + L(w)) / unit; weight is per edge, or empty.
    void assemble(std::span<const double> diagonal, double stiffness_scale, std::span<const double> weight,
                  double unit);

    // z += sum over levels of P D^-1 P^T r
    void add_correction(const LaneVector<Real>& r, LaneVector<Real>& z);

private:
    struct Entry {
        int column;
        Real weight;
    };
    struct Level {
        int fine = 0, coarse = 0;
        std::vector<int> start, start_back;  // rows of P, rows of P^T
        std::vector<Entry> prolong, restrict_;
        std::vector<int> aggregate;             // of each fine unknown, -1 for none
        std::vector<double> stiffness;          // diagonal of P^T K P [N/m]
        std::vector<std::array<int, 2>> edges;  // between aggregates
        std::vector<int> edge_start, edge_of;   // fine edges of each aggregate that leave it
        std::vector<double> mass, weight;       // per aggregate; per edge between aggregates
        std::vector<int> coarse_edge;           // of each fine edge, -1 within an aggregate
        double shrink = 1;          // edges of an aggregate per side: scales L(w) to the coarse gradient
        std::vector<Real> inverse;  // 1 / D
        LaneVector<Real> r, z;
    };
    static void aggregate(int n, const std::vector<std::vector<int>>& graph, Level& level);
    static void smooth(const std::vector<std::vector<int>>& graph, const std::vector<int>& degree,
                       Level& level);

    std::vector<Level> levels_;
};

extern template class Multilevel<float>;
extern template class Multilevel<double>;

}  // namespace taut::linalg
