#include "taut/linalg/folded_cells.hpp"

#include <algorithm>
#include <cmath>

#include "taut/base/parallel.hpp"

namespace taut::linalg {
namespace {

// A cell counts as flat where no corner is wider open than this cosine. Chosen by trial on systems of hang:
// 0.8 takes a tenth more iterations, 0.3 hardly fewer.
constexpr double least_cosine = 0.6;

// The point compliance of an infinite heavy plate is 1 / (8 sqrt(bending * mass)), and the 13-point stencil
// has 20 times its bending stiffness on the diagonal: 1 / (1.8 sqrt(K_ii m)).
constexpr double plate_factor = 1.8;

// Only what exceeds this many times the known diagonal is added. Chosen by trial: 2 takes a few iterations
// more where bending is light and a few fewer where it is stiff.
constexpr double known_share = 4;

// And never more than this many times it. Tension can hardly mend a cell that is all but flat: solved to the
// end such a system sets up tensions so large that Newton may diverge. Chosen by trial: 10 gives half of the
// gain away.
constexpr double most_over_known = 30;

// The two rows of a cell that meet at each of its corners.
constexpr std::array<std::array<int, 2>, 4> meet{{{0, 2}, {0, 3}, {1, 2}, {1, 3}}};

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
    struct Neighbour {
        int vertex, row;
    };
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
                    if (d <= a || d == c) continue;
                    for (const auto& [e, cd] : at(0, c)) {
                        if (e == d) cells_.push_back({{ab, cd, ac, bd}, {a, b, c, d}});
                    }
                }
            }
        }
    }
    cells_.shrink_to_fit();
    is_flat_.assign(cells_.size(), 0);
}

// Row k pulls with this on a corner when it carries unit tension.
template <class Real>
const Vec3& FoldedCells<Real>::pull(const RowBlocks& rows, const Cell& cell, int k, int corner) {
    const int at = rows.start[cell.row[k]];
    return rows.gradient[rows.vertex[at] == cell.corner[corner] ? at : at + 1];
}

template <class Real>
bool FoldedCells<Real>::flat(const RowBlocks& rows, const Cell& cell) {
    for (int corner = 0; corner < 4; ++corner) {
        const Vec3& p = pull(rows, cell, meet[corner][0], corner);
        const Vec3& q = pull(rows, cell, meet[corner][1], corner);
        const double product = p.dot(q), limit = least_cosine * least_cosine * p.squaredNorm();
        if (!(product * product > limit * q.squaredNorm())) return false;
    }
    return true;
}

// A unit tension that pulls least on the corners as they close: two rows that pull alike on a corner cancel
// with opposite signs.
template <class Real>
typename FoldedCells<Real>::Tension FoldedCells<Real>::slack(const RowBlocks& rows, const Cell& cell) {
    const auto sign = [&](int corner) {
        const double product =
            pull(rows, cell, meet[corner][0], corner).dot(pull(rows, cell, meet[corner][1], corner));
        return product > 0 ? -1.0 : 1.0;
    };
    Tension v{1, sign(0) * sign(2), sign(0), sign(1)};
    double squared = 0;
    for (int k = 0; k < 4; ++k) {
        v[k] /= rows.gradient[rows.start[cell.row[k]]].norm();
        squared += v[k] * v[k];
    }
    for (double& tension : v) tension /= std::sqrt(squared);
    return v;
}

// v^T J a J^T v of the corners.
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
        const double stiff = stiffness_.empty() ? 0.0 : std::max(0.0, system.stiffness_scale * stiffness_[i]);
        sum += force.squaredNorm() /
               (mass + weight_sum_[i] + std::min(stiff, plate_factor * std::sqrt(stiff * mass)));
    }
    return sum;
}

template <class Real>
void FoldedCells<Real>::assemble(const SaddleSystem& system, double unit, std::span<const Real> known,
                                 std::span<const Real> regularization) {
    // Find the flat cells.
    parallel_for(cells_.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) is_flat_[c] = flat(*system.rows, cells_[c]);
    });
    flat_.clear();
    for (std::size_t c = 0; c < cells_.size(); ++c) {
        if (is_flat_[c]) flat_.push_back(int(c));
    }
    folds_.resize(flat_.size());
    if (flat_.empty()) return;

    // Sum the weights that hold each vertex.
    weight_sum_.assign(system.diagonal.size(), 0.0);
    for (std::size_t r = 0; r < system.weight.size(); ++r) {
        const int at = system.rows->start[r];
        weight_sum_[system.rows->vertex[at]] += system.weight[r];
        weight_sum_[system.rows->vertex[at + 1]] += system.weight[r];
    }

    // Weigh each slack tension by what is not known of it.
    parallel_for(flat_.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t f = begin; f < end; ++f) {
            const Cell& cell = cells_[flat_[f]];
            const Tension v = slack(*system.rows, cell);
            double moved = unit * response(system, cell, v), have = 0;
            for (int k = 0; k < 4; ++k) {
                const int place = place_[cell.row[k]];
                folds_[f].place[k] = place;
                moved += v[k] * v[k] * double(regularization[place]);
                have += v[k] * v[k] * double(known[place]);
            }
            const double lack = std::min(1 / moved, most_over_known * have) - known_share * have;
            const double root = lack > 0 ? std::sqrt(lack) : 0.0;
            for (int k = 0; k < 4; ++k) folds_[f].tension[k] = Real(root * v[k]);
        }
    });
    std::erase_if(folds_, [](const Fold& fold) { return fold.tension[0] == 0; });
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
