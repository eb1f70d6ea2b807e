#include "taut/collision/tangles.hpp"

#include <algorithm>

namespace taut::collision {
namespace {

TrianglePair ordered(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

bool has_corner(const std::array<int, 3>& triangle, int point) {
    return std::find(triangle.begin(), triangle.end(), point) != triangle.end();
}

}  // namespace

void Tangles::prepare(const Surface& surface) {
    surface_ = &surface;
    std::vector<int> start{0}, corners;
    for (const auto& triangle : surface.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            const bool again = std::find(triangle.begin(), triangle.begin() + static_cast<std::ptrdiff_t>(k),
                                         triangle[k]) != triangle.begin() + static_cast<std::ptrdiff_t>(k);
            if (!again) corners.push_back(triangle[k]);
        }
        start.push_back(static_cast<int>(corners.size()));
    }
    around_ = groups_of_vertices(surface.points, start, corners);
    touched_.assign(static_cast<std::size_t>(surface.points), 0);
    pairs_.clear();
    exempt_.clear();
}

void Tangles::set(std::vector<TrianglePair> pairs) {
    if (pairs.empty() && pairs_.empty()) return;
    pairs_ = std::move(pairs);
    exempt_.clear();
    std::fill(touched_.begin(), touched_.end(), std::uint8_t{0});
    for (const TrianglePair& pair : pairs_) {
        const std::vector<int> first = neighbours(pair.a), second = neighbours(pair.b);
        for (const int a : first) {
            for (const int b : second) {
                if (a != b) exempt_.push_back(ordered(a, b));
            }
        }
    }
    std::sort(exempt_.begin(), exempt_.end());
    exempt_.erase(std::unique(exempt_.begin(), exempt_.end()), exempt_.end());
    for (const TrianglePair& pair : exempt_) {
        for (const int t : {pair.a, pair.b}) {
            for (const int p : surface_->triangles[static_cast<std::size_t>(t)]) {
                touched_[static_cast<std::size_t>(p)] = 1;
            }
        }
    }
}

// The triangle itself and all that share a corner with it, sorted.
std::vector<int> Tangles::neighbours(int triangle) const {
    std::vector<int> list;
    for (const int p : surface_->triangles[static_cast<std::size_t>(triangle)]) {
        const auto own = around(p);
        list.insert(list.end(), own.begin(), own.end());
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
}

std::vector<int> Tangles::beside(int a, int b) const {
    std::vector<int> list;
    for (const int t : around(a)) {
        if (has_corner(surface_->triangles[static_cast<std::size_t>(t)], b)) list.push_back(t);
    }
    return list;
}

bool Tangles::has_exempt_pair(std::span<const int> first, std::span<const int> second) const {
    for (const int a : first) {
        for (const int b : second) {
            if (std::binary_search(exempt_.begin(), exempt_.end(), ordered(a, b))) return true;
        }
    }
    return false;
}

bool Tangles::exempts(PairKind kind, const PairPoints& q) const {
    if (pairs_.empty()) return false;
    for (const int p : q) {
        if (!touched_[static_cast<std::size_t>(p)]) return false;
    }
    if (kind == PairKind::edge_edge) return has_exempt_pair(beside(q[0], q[1]), beside(q[2], q[3]));
    std::vector<int> faces;
    for (const int t : beside(q[1], q[2])) {
        if (has_corner(surface_->triangles[static_cast<std::size_t>(t)], q[3])) faces.push_back(t);
    }
    return has_exempt_pair(around(q[0]), faces);
}

bool Tangles::spares(const TrianglePair& pair) const {
    const auto& s = surface_->triangles[static_cast<std::size_t>(pair.a)];
    const auto& t = surface_->triangles[static_cast<std::size_t>(pair.b)];
    for (std::size_t k = 0; k < 3; ++k) {
        if (exempts(PairKind::vertex_face, {s[k], t[0], t[1], t[2]}) ||
            exempts(PairKind::vertex_face, {t[k], s[0], s[1], s[2]}))
            return true;
        for (std::size_t l = 0; l < 3; ++l) {
            if (exempts(PairKind::edge_edge, {s[k], s[(k + 1) % 3], t[l], t[(l + 1) % 3]})) return true;
        }
    }
    return false;
}

}  // namespace taut::collision
