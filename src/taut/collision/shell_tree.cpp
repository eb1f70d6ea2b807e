// Questions walk the tree with a stack of open nodes. The distance keeps the nearest triangle found so far
// and passes over boxes that are further away; the winding number descends only into nodes whose triangles
// are close compared with their extent.
#include "taut/collision/shell_tree.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "taut/elements/closest_points.hpp"

namespace taut::collision {
namespace {

constexpr int leaf_triangles = 8;

// A node seen from further than this times its radius counts as one dipole. At 3 the winding number is
// off by a few hundredths, far from what could confuse 0 with 1.
constexpr double far_radii = 3;

// Open nodes at a time: halving ranges keeps the tree less than 40 deep.
using Stack = std::array<int, 64>;

double box_distance(const Vec3& p, const Vec3& low, const Vec3& high) {
    return (p - p.cwiseMax(low).cwiseMin(high)).norm();
}

// Solid angle of a triangle seen from the origin (Van Oosterom and Strackee 1983).
double solid_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    const double across = a.dot(b.cross(c));
    const double along = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    return 2 * std::atan2(across, along);
}

}  // namespace

ShellTree::ShellTree(const std::vector<Triangle>& triangles, Points points)
    : triangles_(triangles), points_(std::move(points)) {
    if (triangles_.empty()) return;
    nodes_.reserve(triangles_.size());
    Node root;
    root.last = static_cast<int>(triangles_.size());
    nodes_.push_back(root);
    for (std::size_t k = 0; k < nodes_.size(); ++k) split(k);
}

const Vec3& ShellTree::corner(int triangle, int k) const {
    return points_[static_cast<std::size_t>(
        triangles_[static_cast<std::size_t>(triangle)][static_cast<std::size_t>(k)])];
}

void ShellTree::measure(Node& node) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    node.low.setConstant(infinity), node.high.setConstant(-infinity);
    double total = 0;
    for (int t = node.first; t < node.last; ++t) {
        const Vec3 area = (corner(t, 1) - corner(t, 0)).cross(corner(t, 2) - corner(t, 0)) / 2;
        node.area += area;
        node.middle += area.norm() * (corner(t, 0) + corner(t, 1) + corner(t, 2)) / 3;
        total += area.norm();
        for (int k = 0; k < 3; ++k) {
            node.low = node.low.cwiseMin(corner(t, k));
            node.high = node.high.cwiseMax(corner(t, k));
        }
    }
    node.middle = total > 0 ? Vec3(node.middle / total) : Vec3((node.low + node.high) / 2);
    for (int t = node.first; t < node.last; ++t) {
        for (int k = 0; k < 3; ++k) node.radius = std::max(node.radius, (corner(t, k) - node.middle).norm());
    }
}

// Halves a node along the longest side of its box.
void ShellTree::split(std::size_t index) {
    Node node = nodes_[index];
    measure(node);
    if (node.last - node.first > leaf_triangles) {
        int axis = 0;
        (node.high - node.low).maxCoeff(&axis);
        const auto key = [&](const Triangle& t) {
            double sum = 0;
            for (const int v : t) sum += points_[static_cast<std::size_t>(v)][axis];
            return sum;
        };
        const int middle = (node.first + node.last) / 2;
        std::nth_element(triangles_.begin() + node.first, triangles_.begin() + middle,
                         triangles_.begin() + node.last, [&](const Triangle& a, const Triangle& b) {
                             const double ka = key(a), kb = key(b);
                             return ka != kb ? ka < kb : a < b;
                         });
        node.child = static_cast<int>(nodes_.size());
        Node half;
        half.first = node.first, half.last = middle;
        nodes_.push_back(half);
        half.first = middle, half.last = node.last;
        nodes_.push_back(half);
    }
    nodes_[index] = node;
}

double ShellTree::distance(const Vec3& p) const { return std::sqrt(nearest(p).squared); }

ShellFoot ShellTree::nearest(const Vec3& p) const {
    ShellFoot best;
    if (nodes_.empty()) return best;
    const auto away = [&](int k) {
        const Node& node = nodes_[static_cast<std::size_t>(k)];
        return box_distance(p, node.low, node.high);
    };
    Stack stack;
    std::size_t open = 0;
    stack[open++] = 0;
    while (open > 0) {
        const int k = stack[--open];
        const double least = away(k);
        if (!(least * least < best.squared)) continue;
        const Node& node = nodes_[static_cast<std::size_t>(k)];
        if (node.child < 0) {
            for (int t = node.first; t < node.last; ++t) {
                const auto foot = elements::nearest_on_triangle(p, corner(t, 0), corner(t, 1), corner(t, 2));
                if (foot.squared < best.squared)
                    best = {triangles_[static_cast<std::size_t>(t)], foot.weight, foot.offset, foot.squared};
            }
            continue;
        }
        // Look into the nearer child first.
        const bool first_nearer = away(node.child) <= away(node.child + 1);
        stack[open++] = node.child + (first_nearer ? 1 : 0);
        stack[open++] = node.child + (first_nearer ? 0 : 1);
    }
    return best;
}

double ShellTree::winding(const Vec3& p) const {
    if (nodes_.empty()) return 0;
    double angle = 0;
    Stack stack;
    std::size_t open = 0;
    stack[open++] = 0;
    while (open > 0) {
        const Node& node = nodes_[static_cast<std::size_t>(stack[--open])];
        const Vec3 to = node.middle - p;
        const double away = to.norm();
        if (away > far_radii * node.radius) {
            angle += node.area.dot(to) / (away * away * away);
        } else if (node.child < 0) {
            for (int t = node.first; t < node.last; ++t) {
                angle += solid_angle(corner(t, 0) - p, corner(t, 1) - p, corner(t, 2) - p);
            }
        } else {
            stack[open++] = node.child;
            stack[open++] = node.child + 1;
        }
    }
    return angle / (4 * std::numbers::pi);
}

double ShellTree::signed_distance(const Vec3& p) const {
    if (!p.allFinite()) return std::numeric_limits<double>::quiet_NaN();
    return std::abs(winding(p)) > 0.5 ? -distance(p) : distance(p);
}

}  // namespace taut::collision
