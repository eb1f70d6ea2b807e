// Conjugate gradients for H = (diag + scale K + L(w)) / unit, a scalar symmetric positive definite
// matrix, with x, y and z as three right-hand sides at once, preconditioned by the sum of tridiagonal
// solves along the lines of each family, the yarns of the cloth, and, where bending is stiff against
// the mass, a multilevel correction. Vectors hold four lanes per vertex (x, y, z, unused) and one
// spare entry at the end that padded lines point to.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "taut/base/vec.hpp"
#include "taut/linalg/lanes.hpp"
#include "taut/linalg/multilevel.hpp"
#include "taut/linalg/sparse.hpp"

namespace taut::linalg {

// A disjoint cover of the vertices by paths; vertices on no path count as paths of one.
using LineFamily = std::vector<std::vector<int>>;

template <class Real>
class LineCg {
public:
    using V = Lanes<Real>;

    // edges: the two vertices of every weighted edge; pinned vertices drop out of the matrix.
    void analyse(int vertices, const SymmetricCsr* stiffness, std::span<const std::array<int, 2>> edges,
                 const std::vector<LineFamily>& families, std::span<const std::uint8_t> pinned);

    // Sets the values and factors the lines. weight: one per edge, or empty. unit [kg] scales H to order one.
    void assemble(std::span<const double> diagonal, double stiffness_scale, std::span<const double> weight,
                  double unit);

    // x = H^-1 b to the relative residual asked, from x = 0; returns iterations, at most max_iterations.
    int solve(const LaneVector<Real>& b, LaneVector<Real>& x, double tolerance, int max_iterations);

    // y = H x
    void apply(const LaneVector<Real>& x, LaneVector<Real>& y) const;

    int size() const { return n_; }

private:
    static constexpr int width = 4;  // lines solved side by side, to hide the latency of the recurrence

    // Groups of `width` lines of like length, interleaved: entry [group.offset + k * width + lane].
    struct Group {
        int offset, length;
    };
    struct Family {
        std::vector<Group> groups;
        std::vector<int> vertex;  // n_ where a line is padded
        std::vector<int> entry;   // position of the coupling to the line's previous vertex, -1 at its start
        std::vector<Real> lower, inverse;  // factors: multiplier to the previous vertex, 1 / pivot
    };
    void build_family(const LineFamily& lines, Family& family) const;
    void factor(Family& family) const;
    bool factor_line(Family& family, int first, int length, bool limited) const;
    template <bool accumulate>
    void solve_lines(const Family& family, const LaneVector<Real>& r, LaneVector<Real>& z) const;
    void precondition(const LaneVector<Real>& r, LaneVector<Real>& z);

    int n_ = 0;
    std::vector<std::uint8_t> pinned_;
    std::vector<int> start_, col_;       // off-diagonal pattern without pinned vertices
    std::vector<Real> base_, value_;     // stiffness part (before scaling), all
    std::vector<double> base_diagonal_;  // stiffness diagonal
    std::vector<Real> diagonal_;
    std::vector<std::array<int, 2>> edge_, edge_entry_;  // vertices; positions of (a,b) and (b,a), or -1
    std::vector<int> incident_start_, incident_;         // edges at each vertex
    std::vector<Family> families_;
    Multilevel<Real> levels_;
    bool use_levels_ = false;
    LaneVector<Real> r_, z_, p_, q_, t_;
};

extern template class LineCg<float>;
extern template class LineCg<double>;

}  // namespace taut::linalg
