// The second level of a preconditioner for systems of cloth with constraints at vertices: vertices are
// grouped along the pattern of the matrix, every group moves as one piece as far as its vertices are free,
// and the small system of the groups, A_c = G^T A G, is solved directly. It takes out what spreads over many
// edges, which a preconditioner by diagonal blocks leaves to more and more iterations as meshes grow finer.
// See docs/theory/modified_pcg.md.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "taut/base/incidence.hpp"
#include "taut/linalg/block_cholesky.hpp"
#include "taut/linalg/block_rows.hpp"

namespace taut::linalg {

class CoarseSpace {
public:
    // Groups the vertices of a pattern, which every matrix that follows must have.
    void analyse(const BlockRows& matrix);
    bool empty() const { return group_.empty(); }
    std::span<const int> groups() const { return group_; }  // the number of each vertex's group
    std::size_t group_count() const { return members_.start.size() - 1; }

    // Builds and factors A_c; G gives every vertex the motion of its group, filtered by its freedom, a
    // projection a vertex. False: not positive definite.
    bool factor(const BlockRows& matrix, std::span<const Mat3> freedom);
    // s += G A_c^-1 G^T r, for an r that has passed the freedom of each vertex; returns r . (what is added).
    double add_correction(ConstPoints r, std::span<const Mat3> freedom, PointsView s);

private:
    void set_pattern(const BlockRows& matrix);
    void find_touching(const BlockRows& matrix);
    void add_blocks(const BlockRows& matrix, std::span<const Mat3> freedom);
    void add_further_rows(const BlockRows& matrix, std::span<const Mat3> freedom);

    std::vector<int> group_;
    Incidence members_;                           // of each group
    std::vector<std::array<int, 2>> neighbours_;  // pairs of groups, by the pattern
    std::vector<std::array<int, 2>> touching_;    // more of them, by the further rows of the last matrix
    std::vector<std::array<int, 2>> found_;       // scratch
    std::vector<int> target_;  // the coarse block that each fine one adds to; -1: it is in the upper triangle
    BlockMatrix coarse_;
    BlockCholesky cholesky_;
    Points right_, solution_;
};

}  // namespace taut::linalg
