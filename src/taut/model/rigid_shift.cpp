#include "taut/model/rigid_shift.hpp"

#include <numeric>

namespace taut {

void RigidShift::prepare(const Model& model) {
    // Join vertices along edges and seams, then number the pieces in order of their first vertex.
    const int n = model.vertex_count();
    std::vector<int> parent(std::size_t(n), 0);
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](int i) {
        while (parent[i] != i) i = parent[i] = parent[parent[i]];
        return i;
    };
    const auto join = [&](int i, int j) {
        const int a = root(i), b = root(j);
        if (a != b) parent[std::max(a, b)] = std::min(a, b);
    };
    for (const mesh::Edge& edge : model.edges) join(edge.a, edge.b);
    for (const Seam& seam : model.seams) {
        for (const auto& [a, b] : seam.pairs) join(a, b);
    }
    piece_.assign(std::size_t(n), -1);
    pieces_ = 0;
    for (int i = 0; i < n; ++i) {
        const int r = root(i);
        piece_[i] = r == i ? pieces_++ : piece_[r];
    }
}

void RigidShift::restore(std::span<const std::uint8_t> pinned, std::span<const double> diagonal,
                         ConstPoints origin, ConstPoints impulse, PointsView x) const {
    std::vector<std::uint8_t> held(std::size_t(pieces_), 0);
    bool all_held = true;
    for (std::size_t i = 0; i < x.size(); ++i) held[piece_[i]] |= pinned[i];
    for (std::uint8_t h : held) all_held = all_held && h;
    if (all_held) return;

    std::vector<double> weight(std::size_t(pieces_), 0.0);
    Points defect(std::size_t(pieces_), Vec3::Zero());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const int p = piece_[i];
        weight[p] += diagonal[i];
        defect[p] += diagonal[i] * (x[i] - origin[i]);
        if (!impulse.empty()) defect[p] -= impulse[i];
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
        const int p = piece_[i];
        if (!held[p]) x[i] -= defect[p] / weight[p];
    }
}

}  // namespace taut
