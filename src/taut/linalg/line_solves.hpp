// Tridiagonal solves along the lines of a metric matrix, the yarns of the cloth: for each family of
// lines the block diagonal of H is inverted line by line; the results of all families are summed.
// Without lines the diagonal is inverted. Vectors have a spare entry at the end for padded lines.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "taut/linalg/lanes.hpp"
#include "taut/linalg/metric_matrix.hpp"

namespace taut::linalg {

// A disjoint cover of the vertices by paths; vertices on no path count as paths of one.
using LineFamily = std::vector<std::vector<int>>;

template <class Real>
class LineSolves {
public:
    using V = Lanes<Real>;

    void analyse(const MetricMatrix<Real>& matrix, const std::vector<LineFamily>& families,
                 std::span<const std::uint8_t> pinned);

    void factor(const MetricMatrix<Real>& matrix);

    // z = gain * B r, or z += gain * B r. r's spare entry must be zero.
    void apply(Real gain, const LaneVector<Real>& r, LaneVector<Real>& z) const;
    void add(Real gain, const LaneVector<Real>& r, LaneVector<Real>& z) const;

    // Bounds the spectrum of B H where stiffness dominates, by power iteration; leaves other values in the
    // matrix and the factors.
    double largest_eigenvalue(MetricMatrix<Real>& matrix);

private:
    static constexpr int width = 4;  // lines solved side by side, to hide the latency of the recurrence

    // Groups of `width` lines of like length, interleaved: entry [group.offset + k * width + lane].
    struct Group {
        int offset, length;
    };
    struct Family {
        std::vector<Group> groups;
        std::vector<int> vertex;  // n_ where a line is padded
        std::vector<int> entry;   // place of the coupling to the line's previous vertex, -1 at its start
        std::vector<Real> lower, inverse;  // factors: multiplier to the previous vertex, 1 / pivot
    };
    void build_family(const MetricMatrix<Real>& matrix, const LineFamily& lines, Family& family) const;
    void factor_line(const MetricMatrix<Real>& matrix, Family& family, int first, int length) const;
    template <bool add>
    void solve_family(const Family& family, Real gain, const LaneVector<Real>& r, LaneVector<Real>& z) const;
    template <bool add>
    void run(Real gain, const LaneVector<Real>& r, LaneVector<Real>& z) const;

    int n_ = 0;
    std::vector<std::uint8_t> pinned_;
    std::vector<Family> families_;
    std::vector<Real> inverse_diagonal_;  // without lines
    std::size_t longest_ = 0;             // entries of the longest group
};

extern template class LineSolves<float>;
extern template class LineSolves<double>;

}  // namespace taut::linalg
