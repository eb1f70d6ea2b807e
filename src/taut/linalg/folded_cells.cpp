#include "taut/linalg/folded_cells.hpp"

#include <algorithm>
#include <cmath>

#include "taut/base/parallel.hpp"

namespace taut::linalg {
namespace {

// A cell counts as flat where no corner is wider open than this cosine; those that matter are far flatter.
constexpr double least_cosine = 0.6;

// The point compliance of a heavy plate is 1 / (8 sqrt(bending * mass)), and the 13-point stencil has
// 20 times its bending stiffness on the diagonal: 1 / (1.8 sqrt(K_ii m)).
constexpr double plate_factor = 1.8;

// What the preconditioner knows already of the tension v is less than this much of v^T diag(P^-1) v.
constexpr double known_share = 4;

// The two rows of a cell that meet at each of its corners.
constexpr std::array<std::array<int, 2>, 4> meet{{{0, 2}, {0, 3}, {1, 2}, {1, 3}}};

struct Neighbour {
    int vertex, row;
};

}  // namespace

template <class Real>
void FoldedCells<Real>::analyse(const SaddlePattern& pattern, std::span<const int> place) {
    cells_.clear();
    folds_.clear();
    place_.assign(place.begin(), place.end());
    pinned_.assign(pattern.pinned.begin(), pattern.pinned.end());
    stiffness_.clear();
    if (pattern.stiffness && !pattern.stiffness->empty()) stiffness_ = pattern.stiffness->diagonal();

    // List the rows of each family at each vertex.
    const RowBlocks& rows = *pattern.rows;
    std::array<std::vector<int>, 2> start;
    std::array<std::vector<Neighbour>, 2> near;
    for (const int family : {0, 1}) {
        start[family].assign(pattern.vertices + 1, 0);
        const auto each = [&](auto&& tell) {
            for (const RowChain& chain : *pattern.chains) {
                if (chain.family != family) continue;
                for (int r : chain.row) {
                    if (place[r] >= 0) tell(r, rows.vertex[rows.start[r]], rows.vertex[rows.start[r] + 1]);
                }
            }
        };
        each([&](int, int a, int b) { ++start[family][a + 1], ++start[family][b + 1]; });
        for (int i = 0; i < pattern.vertices; ++i) start[family][i + 1] += start[family][i];
        near[family].resize(start[family].back());
        std::vector<int> next(start[family].begin(), start[family].end() - 1);
        each([&](int r, int a, int b) {
            near[family][next[a]++] = {b, r};
            near[family][next[b]++] = {a, r};
        });
    }
    const auto at = [&](int family, int vertex) {
        return std::span(near[family])
            .subspan(start[family][vertex], start[family][vertex + 1] - start[family][vertex]);
    };

    // Walk round: a, b along one family, d along the other, c back. Each cell from its least corner.
    for (int a = 0; a < pattern.vertices; ++a) {
        for (const auto& [b, ab] : at(0, a)) {
            for (const auto& [c, ac] : at(1, a)) {
                if (b <= a || c <= a || b == c) continue;
                for (const auto& [d, bd] : at(1, b)) {
                    if (d <= a || d == c || bd == ac) continue;
                    for (const auto& [e, cd] : at(0, c)) {
                        if (e == d && cd != ab) cells_.push_back({{ab, cd, ac, bd}, {a, b, c, d}});
                    }
                }
            }
        }
    }
    cells_.shrink_to_fit();
}

// Row k pulls with this on a corner when it carries unit tension.
template <class Real>
Vec3 FoldedCells<Real>::pull(const RowBlocks& rows, const Cell& cell, int k, int corner) {
    const int at = rows.start[cell.row[k]];
    return rows.gradient[rows.vertex[at] == cell.corner[corner] ? at : at + 1];
}

// The unit tension that pulls least on the corners of a flat cell: rows that pull alike cancel with
// opposite signs. False where the cell is open.
template <class Real>
bool FoldedCells<Real>::flat(const RowBlocks& rows, const Cell& cell, Tension& v) {
    std::array<double, 4> size, sign;
    for (int k = 0; k < 4; ++k) {
        size[k] = rows.gradient[rows.start[cell.row[k]]].norm();
        if (!(size[k] > 0)) return false;
    }
    for (int corner = 0; corner < 4; ++corner) {
        const auto [p, q] = meet[corner];
        const double cosine =
            pull(rows, cell, p, corner).dot(pull(rows, cell, q, corner)) / (size[p] * size[q]);
        if (!(std::abs(cosine) >= least_cosine)) return false;
        sign[corner] = cosine > 0 ? -1 : 1;
    }
    if (sign[0] * sign[1] * sign[2] * sign[3] < 0) return false;
    v = {1 / size[0], sign[0] * sign[2] / size[1], sign[0] / size[2], sign[1] / size[3]};
    const double length = std::hypot(std::hypot(v[0], v[1]), std::hypot(v[2], v[3]));
    for (double& tension : v) tension /= length;
    return true;
}

// v^T J A J^T v of the corners.
template <class Real>
double FoldedCells<Real>::response(const SaddleSystem& system, const Cell& cell, const Tension& v) const {
    double sum = 0;
    for (int corner = 0; corner < 4; ++corner) {
        const int i = cell.corner[corner];
        if (pinned_[i]) continue;
        const auto [p, q] = meet[corner];
        const Vec3 force =
            v[p] * pull(*system.rows, cell, p, corner) + v[q] * pull(*system.rows, cell, q, corner);
        const double mass = system.diagonal[i];
        const double bending = stiffness_.empty() ? 0.0 : system.stiffness_scale * stiffness_[i];
        sum +=
            force.squaredNorm() / (mass + held_[i] + plate_factor * std::sqrt(std::max(0.0, bending) * mass));
    }
    return sum;
}

template <class Real>
void FoldedCells<Real>::assemble(const SaddleSystem& system, double unit, std::span<const Real> known,
                                 std::span<const Real> regularization) {
    folds_.clear();
    if (cells_.empty()) return;
    held_.assign(system.diagonal.size(), 0.0);
    for (std::size_t r = 0; r < system.weight.size(); ++r) {
        const int at = system.rows->start[r];
        held_[system.rows->vertex[at]] += system.weight[r];
        held_[system.rows->vertex[at + 1]] += system.weight[r];
    }
    std::vector<std::vector<Fold>> found((cells_.size() + loop_block - 1) / loop_block);
    parallel_for(cells_.size(), [&](std::size_t begin, std::size_t end) {
        Tension v;
        for (std::size_t c = begin; c < end; ++c) {
            if (!flat(*system.rows, cells_[c], v)) continue;
            Fold fold;
            double moved = unit * response(system, cells_[c], v), have = 0;
            for (int k = 0; k < 4; ++k) {
                fold.place[k] = place_[cells_[c].row[k]];
                moved += v[k] * v[k] * double(regularization[fold.place[k]]);
                have += v[k] * v[k] * double(known[fold.place[k]]);
            }
            const double missing = 1 / moved - known_share * have;
            if (!(missing > 0) || !std::isfinite(missing)) continue;
            for (int k = 0; k < 4; ++k) fold.tension[k] = Real(std::sqrt(missing) * v[k]);
            found[begin / loop_block].push_back(fold);
        }
    });
    for (const auto& some : found) folds_.insert(folds_.end(), some.begin(), some.end());
}

template <class Real>
void FoldedCells<Real>::add(const std::vector<Real>& r, std::vector<Real>& z) const {
    for (const Fold& fold : folds_) {
        Real sum = 0;
        for (int k = 0; k < 4; ++k) sum += fold.tension[k] * r[fold.place[k]];
        for (int k = 0; k < 4; ++k) z[fold.place[k]] += fold.tension[k] * sum;
    }
}

template class FoldedCells<float>;
template class FoldedCells<double>;

}  // namespace taut::linalg
