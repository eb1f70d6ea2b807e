#include "taut/filters/constraint_tree.hpp"

#include <algorithm>
#include <cmath>

#include "taut/filters/small_ldlt.hpp"

namespace taut::filters {
namespace {

// Whether rows share vertices only with their neighbours in the list.
bool is_chain(const MultiplierRows& rows, std::span<const int> part) {
    for (std::size_t i = 0; i < part.size(); ++i) {
        for (std::size_t j = i + 2; j < part.size(); ++j) {
            for (int a : rows.ends[part[i]]) {
                if (a == rows.ends[part[j]][0] || a == rows.ends[part[j]][1]) return false;
            }
        }
    }
    return true;
}

}  // namespace

std::span<const int> ConstraintTree::group_rows(int group) const {
    const Node& node = levels_[0].nodes[group];
    return std::span(row_).subspan(node.child, node.children);
}

void ConstraintTree::build(const MultiplierRows& rows, std::span<const ConstraintPath> paths,
                           const TreeShape& shape) {
    levels_.assign(1, {});
    row_.clear();
    ends_.clear();
    dense_size_ = 0;
    stamp_.assign(rows.inverse_mass.size(), -1);
    build_lowest(rows, paths, shape.group_size);
    if (shape.above) {
        while (combine(shape, true, true)) {
        }
        while (combine(shape, false, true)) {
        }
        while (combine(shape, false, false)) {
        }
    }
    for (Level& level : levels_) {
        level.force.assign(level.vertex.size(), Vec3::Zero());
        level.work = static_cast<long>(level.vertex.size() + level.pairs.size());
    }
    pivot_.assign(row_.size(), 0.0);
    factor_.assign(row_.size(), 0.0);
    dense_.assign(dense_size_, 0.0);
    scratch_.assign(row_.size(), 0.0);
    small_.assign(static_cast<std::size_t>(shape.branches) * shape.branches, 0.0);
    small_factors_ = small_;
    scale_.assign(shape.branches, 0.0);
}

// Cuts every path into groups of equal size, closed ones at least in two.
void ConstraintTree::build_lowest(const MultiplierRows& rows, std::span<const ConstraintPath> paths,
                                  int group_size) {
    for (std::size_t p = 0; p < paths.size(); ++p) {
        const ConstraintPath& path = paths[p];
        const auto count = path.rows.size();
        std::size_t parts = group_size > 0 ? (count + group_size - 1) / group_size : 1;
        if (path.closed) parts = std::max<std::size_t>(parts, 2);
        parts = std::min(parts, count);
        for (std::size_t k = 0; k < parts; ++k) {
            const std::size_t first = k * count / parts, last = (k + 1) * count / parts;
            add_group(rows, std::span(path.rows).subspan(first, last - first), static_cast<int>(p),
                      path.family);
        }
    }
}

void ConstraintTree::add_group(const MultiplierRows& rows, std::span<const int> part, int path, int family) {
    Level& level = levels_[0];
    Node node;
    node.child = static_cast<int>(row_.size());
    node.children = static_cast<int>(part.size());
    node.entry = static_cast<int>(level.vertex.size());
    node.path = path;
    node.family = family;
    for (int r : part) {
        row_.push_back(r);
        std::array<int, 2> entry;
        for (int a = 0; a < 2; ++a) {
            const int vertex = rows.ends[r][a];
            if (stamp_[vertex] < node.entry) {
                stamp_[vertex] = static_cast<int>(level.vertex.size());
                level.vertex.push_back(vertex);
            }
            entry[a] = stamp_[vertex];
        }
        ends_.push_back(entry);
    }
    node.entries = static_cast<int>(level.vertex.size()) - node.entry;
    if (!is_chain(rows, part)) {
        node.dense = dense_size_;
        dense_size_ += node.children * node.children;
    }
    level.nodes.push_back(node);
}

// Puts neighbours of one path, of one family, or any, under parents; false if there are none to put.
bool ConstraintTree::combine(const TreeShape& shape, bool by_path, bool by_family) {
    const auto together = [&](const Node& a, const Node& b) {
        return (!by_path || a.path == b.path) && (!by_family || a.family == b.family);
    };
    Level level;
    const std::size_t count = levels_.back().nodes.size();
    std::size_t first = 0;
    while (first < count) {
        const std::vector<Node>& nodes = levels_.back().nodes;
        std::size_t last = first + 1;
        while (last < count && last < first + shape.branches && together(nodes[first], nodes[last])) ++last;
        add_parent(levels_.back(), level, static_cast<int>(first), static_cast<int>(last - first));
        first = last;
    }
    if (level.nodes.size() == count) {
        levels_.back().up.clear();
        return false;
    }
    levels_.push_back(std::move(level));
    return true;
}

void ConstraintTree::add_parent(Level& below, Level& level, int first, int count) {
    Node node;
    node.child = first;
    node.children = count;
    node.entry = static_cast<int>(level.vertex.size());
    node.pair = static_cast<int>(level.pairs.size());
    node.path = below.nodes[first].path;
    node.family = below.nodes[first].family;
    if (node.entry == 0) std::fill(stamp_.begin(), stamp_.end(), -1);
    below.up.resize(below.vertex.size());
    std::vector<std::vector<std::array<int, 2>>> shared;  // per entry: child and its entry
    for (int k = 0; k < count; ++k) {
        const Node& child = below.nodes[first + k];
        for (int e = child.entry; e < child.entry + child.entries; ++e) {
            const int vertex = below.vertex[e];
            if (stamp_[vertex] < node.entry) {
                stamp_[vertex] = static_cast<int>(level.vertex.size());
                level.vertex.push_back(vertex);
                shared.emplace_back();
            }
            below.up[e] = stamp_[vertex];
            auto& known = shared[static_cast<std::size_t>(stamp_[vertex] - node.entry)];
            for (const auto& [other, entry] : known) level.pairs.push_back({other, k, entry, e});
            known.push_back({k, e});
        }
    }
    node.entries = static_cast<int>(level.vertex.size()) - node.entry;
    node.pairs = static_cast<int>(level.pairs.size()) - node.pair;
    level.nodes.push_back(node);
}

void ConstraintTree::factor(const MultiplierRows& rows) {
    for (const Node& node : levels_[0].nodes) {
        const std::span<const int> part = std::span(row_).subspan(node.child, node.children);
        if (node.dense >= 0) {
            const auto n = static_cast<std::size_t>(node.children);
            const std::span<double> a = std::span(dense_).subspan(node.dense, n * n);
            for (std::size_t i = 0; i < n; ++i) {
                for (std::size_t j = 0; j <= i; ++j) a[i * n + j] = rows.entry(part[i], part[j]);
            }
            small_factor(n, a);
            continue;
        }
        for (int i = 0; i < node.children; ++i) {
            const double diagonal = rows.entry(part[i], part[i]);
            double pivot = diagonal;
            double& below = factor_[node.child + i];
            below = 0;
            if (i > 0) {
                const double before = pivot_[node.child + i - 1];
                if (before > 0) below = rows.entry(part[i], part[i - 1]) / before;
                pivot -= below * below * before;
            }
            pivot_[node.child + i] = pivot > least_pivot * diagonal ? pivot : 0;
        }
    }
}

// x = A^-1 b within one lowest group.
void ConstraintTree::solve_group(const Node& node, std::span<const double> b, std::span<double> x) const {
    const int first = node.child, n = node.children;
    for (int i = 0; i < n; ++i) x[i] = b[row_[first + i]];
    if (node.dense >= 0) {
        const auto size = static_cast<std::size_t>(n);
        small_solve(size, std::span(dense_).subspan(node.dense, size * size), x);
        return;
    }
    for (int i = 0; i < n; ++i) {
        if (i > 0) x[i] -= factor_[first + i] * x[i - 1];
        if (!(pivot_[first + i] > 0)) x[i] = 0;
    }
    for (int i = n - 1; i >= 0; --i) {
        if (!(pivot_[first + i] > 0)) {
            x[i] = 0;
            continue;
        }
        x[i] /= pivot_[first + i];
        if (i + 1 < n) x[i] -= factor_[first + i + 1] * x[i + 1];
    }
}

// The force of every lowest group, with lambda as its multipliers, and what Eq. 19 asks of it.
void ConstraintTree::gather_lowest(const MultiplierRows& rows, std::span<const double> b,
                                   std::span<double> lambda) {
    Level& level = levels_[0];
    std::fill(level.force.begin(), level.force.end(), Vec3::Zero());
    for (Node& node : level.nodes) {
        node.right = 0;
        for (int i = node.child; i < node.child + node.children; ++i) {
            const int r = row_[i];
            const Vec3 force = lambda[r] * rows.gradient[r];
            level.force[ends_[i][0]] -= force;
            level.force[ends_[i][1]] += force;
            node.right += lambda[r] * b[r];
        }
        node.square = 0;
        for (int e = node.entry; e < node.entry + node.entries; ++e)
            node.square += level.force[e].dot(rows.weighted(level.vertex[e], level.force[e]));
        node.scale = 1;
    }
}

// The small system of every parent: A_kl = g_k W g_l over its children.
void ConstraintTree::gather(const MultiplierRows& rows, Level& below, Level& level) {
    std::fill(level.force.begin(), level.force.end(), Vec3::Zero());
    for (Node& node : level.nodes) {
        const auto n = static_cast<std::size_t>(node.children);
        const std::span<double> a = std::span(small_).first(n * n), x = std::span(scale_).first(n);
        std::fill(a.begin(), a.end(), 0.0);
        for (std::size_t k = 0; k < n; ++k) {
            const Node& child = below.nodes[node.child + k];
            a[k * n + k] = child.square;
            x[k] = child.right;
        }
        for (int p = node.pair; p < node.pair + node.pairs; ++p) {
            const Pair& pair = level.pairs[p];
            const double along = below.force[pair.entry].dot(
                rows.weighted(below.vertex[pair.other_entry], below.force[pair.other_entry]));
            a[pair.child * n + pair.other] += along;
            a[pair.other * n + pair.child] += along;
        }
        const std::span<double> factors = std::span(small_factors_).first(n * n);
        std::copy(a.begin(), a.end(), factors.begin());
        small_factor(n, factors);
        small_solve(n, factors, x);

        // Sum up the children, scaled; what they ask for and their square follow.
        node.scale = 1;
        node.square = node.right = 0;
        for (std::size_t k = 0; k < n; ++k) {
            Node& child = below.nodes[node.child + k];
            child.scale = x[k];
            node.right += x[k] * child.right;
            for (std::size_t l = 0; l < n; ++l) node.square += x[k] * a[k * n + l] * x[l];
            for (int e = child.entry; e < child.entry + child.entries; ++e)
                level.force[below.up[e]] += x[k] * below.force[e];
        }
    }
}

// From the lowest groups to the top, and back down with the product of all multipliers.
void ConstraintTree::climb(const MultiplierRows& rows, std::span<double> lambda) {
    for (std::size_t k = 1; k < levels_.size(); ++k) gather(rows, levels_[k - 1], levels_[k]);
    if (levels_.size() < 2) return;
    for (std::size_t k = levels_.size() - 1; k-- > 0;) {
        for (const Node& parent : levels_[k + 1].nodes) {
            for (int c = parent.child; c < parent.child + parent.children; ++c)
                levels_[k].nodes[c].scale *= parent.scale;
        }
    }
    for (const Node& node : levels_[0].nodes) {
        for (int i = node.child; i < node.child + node.children; ++i) lambda[row_[i]] *= node.scale;
    }
}

void ConstraintTree::pass(const MultiplierRows& rows, std::span<const double> b, std::span<double> lambda) {
    for (const Node& node : levels_[0].nodes) {
        const std::span<double> x = std::span(scratch_).subspan(node.child, node.children);
        solve_group(node, b, x);
        for (int i = 0; i < node.children; ++i) lambda[row_[node.child + i]] = x[i];
    }
    if (levels_.size() < 2) return;
    gather_lowest(rows, b, lambda);
    climb(rows, lambda);
}

void ConstraintTree::pass_with(const MultiplierRows& rows, std::span<const double> b,
                               std::span<const double> rho, std::span<double> lambda) {
    std::copy(rho.begin(), rho.end(), lambda.begin());
    gather_lowest(rows, b, lambda);
    for (Node& node : levels_[0].nodes) {
        const double scale = node.square > 0 ? node.right / node.square : 0;
        for (int i = node.child; i < node.child + node.children; ++i) lambda[row_[i]] *= scale;
    }
    gather_lowest(rows, b, lambda);
    climb(rows, lambda);
}

}  // namespace taut::filters
