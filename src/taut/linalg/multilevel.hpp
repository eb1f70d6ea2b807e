// Coarse levels of a multigrid cycle for H = (diag + scale K + L(w)) / unit. Vertices are grouped into
// aggregates along the graph, aggregates of aggregates, and so on, as long as the stiffness outweighs
// the mass; P is a smoothed piecewise constant. K is projected once (P^T K P), masses and weights are
// summed at every assembly. Each level keeps the lines, as the aggregates that they pass through, and
// is relaxed by line solves, so that yarns under tension stay stiff as one piece on all of them. The
// cycle is a fixed symmetric positive operator.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "taut/linalg/lanes.hpp"
#include "taut/linalg/line_solves.hpp"
#include "taut/linalg/metric_matrix.hpp"
#include "taut/linalg/sparse.hpp"

namespace taut::linalg {

// Gains of relaxation steps: the roots of a Chebyshev polynomial over the upper part of a spectrum.
std::vector<double> relaxation_gains(double top);

template <class Real>
class Multilevel {
public:
    // edges: the graph; pinned vertices belong to no aggregate.
    void analyse(int vertices, std::span<const std::array<int, 2>> edges,
                 std::span<const std::uint8_t> pinned, const std::vector<LineFamily>& families,
                 const SymmetricCsr& stiffness);
    bool empty() const { return levels_.empty(); }

    // weight is per edge, or empty.
    void assemble(std::span<const double> diagonal, double stiffness_scale, std::span<const double> weight,
                  double unit);

    // z += P (P^T H P)^-1 P^T r, the coarse inverse by one cycle
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
        std::vector<std::array<int, 2>> edges;  // between aggregates
        // Of each fine edge: the edge it belongs to, -1 within an aggregate, -2 - aggregate if one end is
        // pinned.
        std::vector<int> coarse_edge;
        std::vector<double> mass, weight;  // per aggregate; per edge between aggregates
        double shrink = 1;                 // scales summed weights to the coarse gradient
        MetricMatrix<Real> matrix;
        LineSolves<Real> lines;
        double top = 1;  // bound on the spectrum of the line-preconditioned matrix
        LaneVector<Real> r, z, q;
    };
    struct Graph {
        std::vector<int> start, neighbour, degree;  // degree counts pinned neighbours too
        std::span<const int> of(int i) const {
            return {neighbour.data() + start[i], std::size_t(start[i + 1] - start[i])};
        }
    };
    static Graph graph(int n, std::span<const std::array<int, 2>> edges, std::span<const std::uint8_t> held);
    static void aggregate(const Graph& graph, Level& level);
    static void smooth_prolongation(const Graph& graph, Level& level);
    static SymmetricCsr project(const SymmetricCsr& matrix, const Level& level);
    void cycle(std::size_t l);
    static void restrict_to(Level& level, const LaneVector<Real>& fine);
    static void prolong_from(const Level& level, LaneVector<Real>& fine);
    static std::vector<LineFamily> coarse_lines(const Level& level, const std::vector<LineFamily>& families);

    std::vector<Level> levels_;
    std::size_t used_ = 0;  // levels that pay at the present stiffness
};

extern template class Multilevel<float>;
extern template class Multilevel<double>;

}  // namespace taut::linalg
