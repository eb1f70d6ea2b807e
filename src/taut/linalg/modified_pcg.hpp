// The modified conjugate gradients of Baraff and Witkin 1998, section 5.3: A x = b where every vertex may
// move freely, in a plane, along a line or not at all, and has a prescribed part z across that. Each iterate
// satisfies the constraints exactly, because every direction is filtered; at the end r = A x - b is what the
// constraints must add. Where we differ, after Ascher and Boxerman 2003: the start may be any x with the
// prescribed part, and the preconditioner is the inverse of each diagonal block *within* what is free, so
// that iterates are those of plain conjugate gradients on the system with constrained unknowns taken out. A
// second level over groups of vertices may be added to it. See docs/theory/modified_pcg.md.
#pragma once

#include <functional>
#include <span>

#include "taut/linalg/block_rows.hpp"
#include "taut/linalg/coarse_space.hpp"

namespace taut::linalg {

// What a vertex may do: a projection onto its free directions.
inline Mat3 free_vertex() { return Mat3::Identity(); }
inline Mat3 on_plane(const Vec3& normal) { return Mat3::Identity() - normal * normal.transpose(); }
inline Mat3 on_line(const Vec3& direction) { return direction * direction.transpose(); }
inline Mat3 fixed_vertex() { return Mat3::Zero(); }

struct PcgSettings {
    double tolerance = 1e-4;    // of the residual, in the norm of the preconditioner, relative to b
    int max_iterations = 1000;  // at most
    std::function<void(ConstPoints)> watch{};  // called with every iterate, the start included
    std::function<bool()> stop{};              // asked between iterations
};

struct PcgReport {
    int iterations = 0;
    double residual = 0;    // relative, as reached
    bool converged = true;  // false: too many iterations, or not definite
    bool definite = true;   // false: a block or a direction without curvature was met
};

class ModifiedPcg {
public:
    // Adds a second level to the preconditioner, for matrices of this pattern.
    void add_second_level(const BlockRows& pattern) { coarse_.analyse(pattern); }

    // x holds the start, whose prescribed part is put right, and gets the solution. freedom: one projection a
    // vertex; z: what is prescribed across it, anything along it is ignored.
    PcgReport solve(const BlockRows& matrix, ConstPoints b, std::span<const Mat3> freedom, ConstPoints z,
                    const PcgSettings& settings, PointsView x);

    // A x - b of the last solution: zero along what is free up to the residual; elsewhere what constraints
    // add.
    ConstPoints reaction() const { return reaction_; }

private:
    bool set_preconditioner(const BlockRows& matrix, std::span<const Mat3> freedom);  // false: not definite
    // x += step c, r -= step S q, s = P r, returns r . s
    double advance(double step, std::span<const Mat3> freedom, PointsView x);
    // s = P r, returns r . s
    double weigh(ConstPoints r, std::span<const Mat3> freedom, PointsView s);

    std::vector<Mat3> inverse_;  // of the diagonal blocks
    CoarseSpace coarse_;         // empty without a second level
    bool coarse_on_ = false;     // for the present matrix
    Points r_, s_, c_, q_, reaction_;
};

}  // namespace taut::linalg
