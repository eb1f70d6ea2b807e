#include "taut/forces/isometric_bending.hpp"

#include <algorithm>

#include "taut/base/parallel.hpp"
#include "taut/forces/bending_stencils.hpp"
#include "taut/forces/incidence.hpp"

namespace taut::forces {
namespace {

// Row i of K = sum_s w_s c_s c_s^T, columns ascending, the diagonal such that the row sums to zero.
void append_row(const BendingStencils& set, const Incidence& stencils_of, int i,
                std::vector<linalg::Triplet>& row, std::vector<linalg::Triplet>& out) {
    row.clear();
    for (int s : stencils_of.of(i)) {
        const double weight = set.weight[s];
        if (weight == 0) continue;
        const int begin = set.start[s], end = set.start[s + 1];
        int own = begin;
        while (set.vertex[own] != i) ++own;
        for (int e = begin; e < end; ++e) {
            if (e == own) continue;
            const double value = weight * (set.coefficient[own] * set.coefficient[e]);
            const int col = set.vertex[e];
            const auto at = std::find_if(row.begin(), row.end(), [&](const auto& t) { return t.col == col; });
            if (at == row.end()) {
                row.push_back({i, col, value});
            } else {
                at->value += value;
            }
        }
    }
    if (row.empty()) return;
    std::sort(row.begin(), row.end(), [](const auto& p, const auto& q) { return p.col < q.col; });
    double sum = 0;
    for (const linalg::Triplet& t : row) sum += t.value;
    out.push_back({i, i, -sum});
    out.insert(out.end(), row.begin(), row.end());
}

std::vector<linalg::Triplet> assemble(int n, const BendingStencils& set) {
    const Incidence stencils_of = groups_of_vertices(n, set.start, set.vertex);

    // Fill rows block by block, then join the blocks in order.
    std::vector<std::vector<linalg::Triplet>> blocks((n + loop_block - 1) / loop_block);
    parallel_for(static_cast<std::size_t>(n), [&](std::size_t begin, std::size_t end) {
        std::vector<linalg::Triplet> row;
        auto& out = blocks[begin / loop_block];
        out.reserve(13 * (end - begin));
        for (std::size_t i = begin; i < end; ++i) append_row(set, stencils_of, static_cast<int>(i), row, out);
    });
    std::size_t total = 0;
    for (const auto& block : blocks) total += block.size();
    std::vector<linalg::Triplet> triplets;
    triplets.reserve(total);
    for (auto& block : blocks) {
        triplets.insert(triplets.end(), block.begin(), block.end());
        block = {};
    }
    return triplets;
}

}  // namespace

void describe(ParamList& list, IsometricBendingParams& params) {
    list.number("warp", params.warp, "N m", non_negative(),
                "Bending stiffness when the warp yarns bend; a fabric has its own.");
    list.number("weft", params.weft, "N m", non_negative(),
                "Bending stiffness when the weft yarns bend; a fabric has its own.");
}

void IsometricBending::prepare(const Model& model) {
    matrix_ = {};
    const bool fabrics = std::any_of(model.cloths.begin(), model.cloths.end(),
                                     [](const Cloth& cloth) { return cloth.fabric != nullptr; });
    if (params_.warp == 0 && params_.weft == 0 && !fabrics) return;
    const int n = model.vertex_count();
    const auto triplets = assemble(n, bending_stencils(model, params_.warp, params_.weft));
    matrix_ = linalg::SymmetricCsr(n, triplets);
}

void IsometricBending::add_force(const ForceInput& in, PointsView f) const {
    if (!matrix_.empty()) matrix_.add_product(-1, in.x, f);
}

double IsometricBending::energy(ConstPoints x) const {
    if (matrix_.empty()) return 0;
    const auto start = matrix_.row_start();
    const auto col = matrix_.columns();
    const auto value = matrix_.values();

    // Rows sum to zero, so x^T K x = -1/2 sum K_ij |x_i - x_j|^2, free of large cancellations.
    return -0.25 * parallel_sum(x.size(), [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
            for (int k = start[i]; k < start[i + 1]; ++k) sum += value[k] * (x[i] - x[col[k]]).squaredNorm();
        }
        return sum;
    });
}

void IsometricBending::add_stiffness(std::vector<linalg::Triplet>& triplets) const {
    if (matrix_.empty()) return;
    const auto start = matrix_.row_start();
    const auto col = matrix_.columns();
    const auto value = matrix_.values();
    triplets.reserve(triplets.size() + value.size());
    for (int i = 0; i < matrix_.size(); ++i) {
        for (int k = start[i]; k < start[i + 1]; ++k) triplets.push_back({i, col[k], value[k]});
    }
}

}  // namespace taut::forces
