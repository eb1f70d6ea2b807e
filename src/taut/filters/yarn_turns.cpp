#include "taut/filters/yarn_turns.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace taut::filters {
namespace {

constexpr double sharp = std::numbers::pi / 3;  // turn from which a yarn no longer transmits well [rad]

// Partners of the four rows of a crossing in each of the three pairings.
constexpr std::array<std::array<int, 4>, 3> partner{{{1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}}};

// How far a path turns that comes in against one direction and goes out along the other [rad].
double turn(const Vec3& in, const Vec3& out) {
    const double size = in.norm() * out.norm();
    return size > 0 ? std::acos(std::clamp(-in.dot(out) / size, -1.0, 1.0)) : 0;
}

}  // namespace

std::vector<ConstraintPath> paths_of(const std::vector<linalg::RowChain>& chains) {
    std::vector<ConstraintPath> paths;
    paths.reserve(chains.size());
    for (const linalg::RowChain& chain : chains) paths.push_back({chain.family, chain.closed, chain.row});
    std::stable_sort(paths.begin(), paths.end(),
                     [](const ConstraintPath& a, const ConstraintPath& b) { return a.family < b.family; });
    return paths;
}

void YarnTurns::prepare(const std::vector<std::array<int, 2>>& ends,
                        const std::vector<linalg::RowChain>& chains) {
    ends_ = ends;
    family_.assign(ends.size(), 0);
    along_.assign(ends.size(), {-1, -1});
    crossing_ = along_;
    crossings_.clear();
    regrouped_ = 0;
    struct Through {
        int vertex, first, second;
    };
    std::vector<Through> through;
    const auto end_at = [&](int row, int vertex) { return ends_[row][0] == vertex ? 0 : 1; };
    for (const linalg::RowChain& chain : chains) {
        const std::size_t count = chain.row.size();
        for (int r : chain.row) family_[r] = chain.family;
        for (std::size_t k = 0; k + (chain.closed ? 0 : 1) < count; ++k) {
            const int a = chain.row[k], b = chain.row[(k + 1) % count];
            const int vertex = chain.vertex[(k + 1) % chain.vertex.size()];
            along_[a][end_at(a, vertex)] = b;
            along_[b][end_at(b, vertex)] = a;
            through.push_back({vertex, a, b});
        }
    }

    // A crossing is a vertex that exactly two yarns go through.
    std::stable_sort(through.begin(), through.end(),
                     [](const Through& a, const Through& b) { return a.vertex < b.vertex; });
    for (std::size_t k = 0; k < through.size();) {
        std::size_t last = k;
        while (last < through.size() && through[last].vertex == through[k].vertex) ++last;
        if (last - k == 2) {
            const Crossing crossing{
                through[k].vertex,
                {through[k].first, through[k].second, through[k + 1].first, through[k + 1].second}};
            for (int r : crossing.row)
                crossing_[r][end_at(r, crossing.vertex)] = static_cast<int>(crossings_.size());
            crossings_.push_back(crossing);
        }
        k = last;
    }
}

bool YarnTurns::look(ConstPoints x) {
    bool changed = false;
    regrouped_ = 0;
    for (Crossing& c : crossings_) {
        std::array<Vec3, 4> out;
        for (std::size_t k = 0; k < 4; ++k) {
            const auto [a, b] = ends_[c.row[k]];
            out[k] = x[a == c.vertex ? b : a] - x[c.vertex];
        }
        int best = 0;
        double least = turn(out[0], out[1]) + turn(out[2], out[3]);
        if (std::max(turn(out[0], out[1]), turn(out[2], out[3])) > sharp) {
            for (int p = 1; p < 3; ++p) {
                const double sum = turn(out[0], out[partner[p][0]]) + turn(out[3], out[partner[p][3]]);
                if (sum < least) {
                    least = sum;
                    best = p;
                }
            }
        }
        changed = changed || best != c.pairing;
        c.pairing = best;
        regrouped_ += best > 0 ? 1 : 0;
    }
    return changed;
}

int YarnTurns::next(int row, int vertex) const {
    const int end = ends_[row][0] == vertex ? 0 : 1;
    if (crossing_[row][end] < 0) return along_[row][end];
    const Crossing& c = crossings_[crossing_[row][end]];
    const auto place = std::find(c.row.begin(), c.row.end(), row) - c.row.begin();
    return c.row[partner[c.pairing][place]];
}

std::vector<ConstraintPath> YarnTurns::paths() const {
    std::vector<ConstraintPath> paths;
    std::vector<bool> used(ends_.size(), false);
    const auto follow = [&](int row, int vertex) {
        // Go on over the other end of each row until the path ends or closes.
        ConstraintPath path;
        path.family = family_[row];
        int at = vertex;
        while (row >= 0 && !used[row]) {
            used[row] = true;
            path.rows.push_back(row);
            at = ends_[row][0] == at ? ends_[row][1] : ends_[row][0];
            row = next(row, at);
        }
        path.closed = row >= 0;
        paths.push_back(std::move(path));
    };
    for (int r = 0; r < static_cast<int>(ends_.size()); ++r) {
        for (int v : ends_[r]) {
            if (!used[r] && next(r, v) < 0) follow(r, v);
        }
    }
    for (int r = 0; r < static_cast<int>(ends_.size()); ++r) {
        if (!used[r]) follow(r, ends_[r][0]);
    }
    std::stable_sort(paths.begin(), paths.end(),
                     [](const ConstraintPath& a, const ConstraintPath& b) { return a.family < b.family; });
    return paths;
}

}  // namespace taut::filters
