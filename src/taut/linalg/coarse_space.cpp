#include "taut/linalg/coarse_space.hpp"

#include <algorithm>

#include "taut/base/parallel.hpp"

namespace taut::linalg {
namespace {

// Groups per task, each has about a dozen vertices; and vertices per task.
constexpr std::size_t group_block = 64;
constexpr std::size_t vertex_block = 512;

// Directions in which no vertex of a group is free get this part of its mean diagonal, so that A_c can be
// factored: far above rounding, far below what any free direction weighs.
constexpr double held_share = 1e-6;

// Groups of vertices that see each other: a vertex with nothing grouped around it takes all its neighbours.
// What is left over joins the group that most of its neighbours are in, of equal ones the first.
std::vector<int> grouped(std::span<const int> start, std::span<const int> column, int& count) {
    const std::size_t n = start.size() - 1;
    const auto neighbours = [&](std::size_t i) {
        return column.subspan(static_cast<std::size_t>(start[i]),
                              static_cast<std::size_t>(start[i + 1] - start[i]));
    };
    std::vector<int> core(n, -1);
    const auto taken = [&](int j) { return core[static_cast<std::size_t>(j)] >= 0; };
    count = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const auto near = neighbours(i);  // i is one of them
        if (std::any_of(near.begin(), near.end(), taken)) continue;
        for (const int j : near) core[static_cast<std::size_t>(j)] = count;
        ++count;
    }
    std::vector<int> group = core;
    std::vector<int> votes(static_cast<std::size_t>(count), 0);
    for (std::size_t i = 0; i < n; ++i) {
        if (core[i] >= 0) continue;
        int best = -1, most = 0;
        for (const int j : neighbours(i)) {
            if (!taken(j)) continue;
            const int g = core[static_cast<std::size_t>(j)];
            const int now = ++votes[static_cast<std::size_t>(g)];
            if (now > most || (now == most && g < best)) best = g, most = now;
        }
        for (const int j : neighbours(i)) {
            if (taken(j)) votes[static_cast<std::size_t>(core[static_cast<std::size_t>(j)])] = 0;
        }
        group[i] = best;
    }
    return group;
}

void make_unique(std::vector<std::array<int, 2>>& pairs) {
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

}  // namespace

void CoarseSpace::analyse(const BlockRows& matrix) {
    const auto start = matrix.row_start();
    const auto columns = matrix.columns();
    int count = 0;
    group_ = grouped(start, columns, count);
    members_ = places_of_vertices(count, group_);
    neighbours_.clear();
    touching_.clear();
    for (std::size_t i = 0; i < group_.size(); ++i) {
        for (int k = start[i]; k < start[i + 1]; ++k) {
            const int own = group_[i];
            const int other = group_[static_cast<std::size_t>(columns[static_cast<std::size_t>(k)])];
            if (own < other) neighbours_.push_back({own, other});
        }
    }
    make_unique(neighbours_);
    set_pattern(matrix);
    right_.resize(static_cast<std::size_t>(count));
    solution_.resize(static_cast<std::size_t>(count));
}

void CoarseSpace::set_pattern(const BlockRows& matrix) {
    std::vector<std::array<int, 2>> pairs = neighbours_;
    pairs.insert(pairs.end(), touching_.begin(), touching_.end());
    const auto count = static_cast<int>(group_count());
    coarse_.set_pattern(count, pairs);

    // Block (i, j) adds its transpose to the block of the groups of j and i, where that is a lower one.
    const auto start = matrix.row_start();
    const auto columns = matrix.columns();
    target_.resize(columns.size());
    parallel_for(group_.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const int column = group_[i];
            for (auto k = static_cast<std::size_t>(start[i]); k < static_cast<std::size_t>(start[i + 1]);
                 ++k) {
                const int row = group_[static_cast<std::size_t>(columns[k])];
                target_[k] = row >= column ? coarse_.place(row, column) : -1;
            }
        }
    });
    cholesky_.analyse(coarse_, std::vector<std::uint8_t>(static_cast<std::size_t>(count), 0));
}

// Widens the pattern by pairs of groups that further rows join, and narrows it when they do no longer: it
// depends on this matrix alone, so that a resumed run has the bits of the whole one.
void CoarseSpace::find_touching(const BlockRows& matrix) {
    found_.clear();
    for (const RankOneRow& row : matrix.further_rows()) {
        for (std::size_t a = 0; a < 4; ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                if (row.vertex[a] < 0 || row.vertex[b] < 0) continue;
                const int one = group_[static_cast<std::size_t>(row.vertex[a])];
                const int two = group_[static_cast<std::size_t>(row.vertex[b])];
                const std::array<int, 2> pair{std::min(one, two), std::max(one, two)};
                if (one != two && !std::binary_search(neighbours_.begin(), neighbours_.end(), pair))
                    found_.push_back(pair);
            }
        }
    }
    make_unique(found_);
    if (found_ == touching_) return;
    touching_ = found_;
    set_pattern(matrix);
}

void CoarseSpace::add_blocks(const BlockRows& matrix, std::span<const Mat3> freedom) {
    const auto out = coarse_.blocks();
    const auto start = matrix.row_start();
    const auto columns = matrix.columns();
    const auto add_group = [&](std::size_t g) {
        Mat3 held = Mat3::Zero();
        double size = 0;
        for (const int member : members_.of(g)) {
            const auto i = static_cast<std::size_t>(member);
            const bool free = freedom[i].isIdentity(0);
            for (auto k = static_cast<std::size_t>(start[i]); k < static_cast<std::size_t>(start[i + 1]);
                 ++k) {
                const auto j = static_cast<std::size_t>(columns[k]);
                if (j == i) size += matrix.block(k).trace();
                if (target_[k] < 0) continue;
                Mat3& sum = out[static_cast<std::size_t>(target_[k])];
                if (free && freedom[j].isIdentity(0)) {
                    sum += matrix.block(k).transpose();
                } else {
                    sum += freedom[j] * matrix.block(k).transpose() * freedom[i];
                }
            }
            if (!free) held += Mat3::Identity() - freedom[i];
        }
        const double share = held_share * size / static_cast<double>(members_.of(g).size());
        out[static_cast<std::size_t>(coarse_.column_start()[g])] += share * held;
    };
    // A group fills its own column of blocks.
    parallel_for(
        group_count(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t g = begin; g < end; ++g) add_group(g);
        },
        group_block);
}

void CoarseSpace::add_further_rows(const BlockRows& matrix, std::span<const Mat3> freedom) {
    const auto out = coarse_.blocks();
    for (const RankOneRow& row : matrix.further_rows()) {
        for (std::size_t a = 0; a < 4; ++a) {
            for (std::size_t b = 0; b < 4; ++b) {
                if (row.vertex[a] < 0 || row.vertex[b] < 0) continue;
                const auto i = static_cast<std::size_t>(row.vertex[a]);
                const auto j = static_cast<std::size_t>(row.vertex[b]);
                if (group_[i] < group_[j]) continue;  // in the upper triangle
                const Vec3 one = freedom[i] * row.direction, two = freedom[j] * row.direction;
                out[static_cast<std::size_t>(coarse_.place(group_[i], group_[j]))] +=
                    row.factor * row.weight[a] * row.weight[b] * one * two.transpose();
            }
        }
    }
}

bool CoarseSpace::factor(const BlockRows& matrix, std::span<const Mat3> freedom) {
    find_touching(matrix);
    coarse_.clear();
    add_blocks(matrix, freedom);
    add_further_rows(matrix, freedom);
    return cholesky_.factor(coarse_);
}

double CoarseSpace::add_correction(ConstPoints r, std::span<const Mat3> freedom, PointsView s) {
    parallel_for(
        group_count(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t g = begin; g < end; ++g) {
                Vec3 sum = Vec3::Zero();
                for (const int i : members_.of(g)) sum += r[static_cast<std::size_t>(i)];
                right_[g] = sum;
            }
        },
        group_block);
    cholesky_.solve(right_, solution_);
    // Sum over what is really added: r has rounding across what is free, and the solution there is as large
    // as held_share is small.
    return parallel_sum(
        r.size(),
        [&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i) {
                const Vec3 added = freedom[i] * solution_[static_cast<std::size_t>(group_[i])];
                s[i] += added;
                sum += r[i].dot(added);
            }
            return sum;
        },
        vertex_block);
}

}  // namespace taut::linalg
