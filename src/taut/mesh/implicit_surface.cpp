#include "taut/mesh/implicit_surface.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <unordered_map>
#include <utility>

#include "taut/base/error.hpp"
#include "taut/base/parameter.hpp"

namespace taut::mesh {
namespace {

// Cut points stay this part of an edge away from its ends: they may not meet in a node of the lattice.
constexpr double end_margin = 0.05;
// Cells along the side of a block that is looked at as a whole before its nodes are.
constexpr int block_cells = 4;
// Edges beyond these parts of the wanted length are split and collapsed. The middle of a split edge and
// the pieces of its neighbours stay within them (Botsch and Kobbelt 2004); narrower bounds never settle.
constexpr double longest_part = 4.0 / 3, shortest_part = 4.0 / 5;
// While vertices slide for the last rounds, only edges below this part of the wanted length are collapsed.
constexpr double stray_part = 0.75;

// Cube corners as bits (x 1, y 2, z 4) on the six paths from corner 0 to corner 7: the tetrahedra of a cell,
// the first three oriented like the axes.
constexpr std::array<std::array<int, 4>, 6> paths{
    {{0, 1, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 4, 6, 7}}};

// The lattice of a box, and the surface cut out of it cell by cell.
class Lattice {
public:
    Lattice(const Field& field, const ImplicitSurfaceParams& params) : field_(field), params_(params) {
        for (int axis = 0; axis < 3; ++axis) {
            const double extent = params.high[axis] - params.low[axis];
            cells_[axis] = std::max(1, static_cast<int>(std::ceil(extent / params.cell)));
        }
        const auto nodes = static_cast<std::size_t>(cells_[0] + 1) * static_cast<std::size_t>(cells_[1] + 1) *
                           static_cast<std::size_t>(cells_[2] + 1);
        value_.assign(nodes, std::numeric_limits<double>::quiet_NaN());
    }

    TriangleSurface cut() {
        for (int k = 0; k < cells_[2]; k += block_cells)
            for (int j = 0; j < cells_[1]; j += block_cells)
                for (int i = 0; i < cells_[0]; i += block_cells) cut_block({i, j, k});
        return std::move(surface_);
    }

private:
    using Index = std::array<int, 3>;
    struct Node {
        Index index;
        double value;
    };

    Vec3 place(const Index& n) const { return params_.low + params_.cell * Vec3(n[0], n[1], n[2]); }
    std::size_t number(const Index& n) const {
        const auto row = static_cast<std::size_t>(n[2]) * static_cast<std::size_t>(cells_[1] + 1) +
                         static_cast<std::size_t>(n[1]);
        return row * static_cast<std::size_t>(cells_[0] + 1) + static_cast<std::size_t>(n[0]);
    }

    void cut_block(const Index& first) {
        // Pass over blocks that the surface cannot reach.
        const Vec3 center = place(first) + Vec3::Constant(0.5 * block_cells * params_.cell);
        const double reach = params_.steepness * 0.5 * std::sqrt(3.0) * block_cells * params_.cell;
        if (std::abs(field_(center)) > reach) return;
        const auto last = [&](std::size_t axis) { return std::min(first[axis] + block_cells, cells_[axis]); };
        for (int k = first[2]; k < last(2); ++k)
            for (int j = first[1]; j < last(1); ++j)
                for (int i = first[0]; i < last(0); ++i) cut_cell({i, j, k});
    }

    void cut_cell(const Index& cell) {
        std::array<Node, 8> corner;
        int inside = 0;
        for (int bits = 0; bits < 8; ++bits) {
            const Index n{cell[0] + (bits & 1), cell[1] + ((bits >> 1) & 1), cell[2] + (bits >> 2)};
            corner[static_cast<std::size_t>(bits)] = {n, value(n)};
            inside += corner[static_cast<std::size_t>(bits)].value < 0 ? 1 : 0;
        }
        if (inside == 0 || inside == 8) return;
        for (std::size_t path = 0; path < paths.size(); ++path) {
            std::array<int, 4> bits = paths[path];
            if (path >= 3) std::swap(bits[2], bits[3]);
            cut_tetrahedron(corner, bits);
        }
    }

    // Values are asked for once; a surface at the border of the box would be open.
    double value(const Index& n) {
        double& known = value_[number(n)];
        if (!std::isnan(known)) return known;
        known = field_(place(n));
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (known < 0 && (n[axis] == 0 || n[axis] == cells_[axis]))
                throw InputError({}, "the surface is cut off by its box", "",
                                 "allowed: a box that holds all of it");
        }
        return known;
    }

    // Corners of the tetrahedron are ordered like the axes. Those inside come first in an even permutation.
    void cut_tetrahedron(const std::array<Node, 8>& corner, const std::array<int, 4>& bits) {
        static constexpr std::array<std::array<std::size_t, 4>, 16> order{{{0, 1, 2, 3},
                                                                           {0, 1, 2, 3},
                                                                           {1, 0, 3, 2},
                                                                           {0, 1, 2, 3},
                                                                           {2, 0, 1, 3},
                                                                           {2, 0, 1, 3},
                                                                           {1, 2, 0, 3},
                                                                           {3, 0, 2, 1},
                                                                           {3, 0, 2, 1},
                                                                           {0, 3, 1, 2},
                                                                           {1, 3, 2, 0},
                                                                           {2, 0, 1, 3},
                                                                           {2, 3, 0, 1},
                                                                           {1, 0, 3, 2},
                                                                           {0, 1, 2, 3},
                                                                           {0, 1, 2, 3}}};
        std::size_t inside = 0;
        for (std::size_t k = 0; k < 4; ++k)
            inside |= corner[static_cast<std::size_t>(bits[k])].value < 0 ? std::size_t{1} << k : 0;
        const auto& [i, j, k, l] = order[inside];
        const auto cut = [&](std::size_t a, std::size_t b) { return vertex(corner, bits[a], bits[b]); };
        const auto add = [&](int a, int b, int c) { surface_.triangles.push_back({a, b, c}); };
        switch (inside) {
            case 0:
            case 15:
                break;
            case 1:
            case 2:
            case 4:
            case 8:
                add(cut(i, j), cut(i, k), cut(i, l));
                break;
            case 7:
            case 11:
            case 13:
            case 14:
                add(cut(i, j), cut(i, l), cut(i, k));
                break;
            default: {
                const int first = cut(i, k), third = cut(j, l);
                add(first, cut(i, l), third);
                add(first, third, cut(j, k));
            }
        }
    }

    // The point where the surface crosses an edge of the lattice, made once for all its tetrahedra.
    int vertex(const std::array<Node, 8>& corner, int a, int b) {
        if (a > b) std::swap(a, b);
        const Node &from = corner[static_cast<std::size_t>(a)], &to = corner[static_cast<std::size_t>(b)];
        const std::uint64_t key = 8 * number(from.index) + static_cast<std::uint64_t>(a ^ b);
        const auto [place_of, fresh] = vertices_.try_emplace(key, static_cast<int>(surface_.points.size()));
        if (fresh) {
            const double t = std::clamp(from.value / (from.value - to.value), end_margin, 1 - end_margin);
            surface_.points.push_back((1 - t) * place(from.index) + t * place(to.index));
        }
        return place_of->second;
    }

    const Field& field_;
    const ImplicitSurfaceParams& params_;
    std::array<int, 3> cells_{};
    std::vector<double> value_;
    std::unordered_map<std::uint64_t, int> vertices_;
    TriangleSurface surface_;
};

// Makes the triangles of a net even.
class Evening {
public:
    Evening(TriangleNet& net, const Field& field, const ImplicitSurfaceParams& params)
        : net_(net), field_(field), params_(params) {}

    void round() {
        measure();
        split_long();
        collapse_short(shortest_part);
        flip([this](int h) { return valence_gain(h) > 0; });
        slide();
    }
    void finish() {
        measure();
        collapse_short(stray_part);
        flip([this](int h) { return opposite_angles(h) > std::numbers::pi + 1e-6; });
        slide();
    }

private:
    double wanted(const Vec3& p) const { return params_.edge_length ? params_.edge_length(p) : params_.cell; }
    double wanted(int h) const {
        return 0.5 * (size_[static_cast<std::size_t>(net_.start(h))] +
                      size_[static_cast<std::size_t>(net_.end(h))]);
    }
    double length(int h) const { return (net_.at(net_.end(h)) - net_.at(net_.start(h))).norm(); }
    Vec3 area(int a, int b, int c) const { return (net_.at(b) - net_.at(a)).cross(net_.at(c) - net_.at(a)); }

    void measure() {
        size_.resize(net_.points.size());
        for (int v = 0; v < net_.vertices(); ++v) {
            if (net_.has_vertex(v)) size_[static_cast<std::size_t>(v)] = wanted(net_.at(v));
        }
    }

    void split_long() {
        const int count = net_.half_edges();
        for (int h = 0; h < count; ++h) {
            if (!net_.has(h) || net_.twin(h) < h || length(h) <= longest_part * wanted(h)) continue;
            const double size = wanted(h);
            net_.split(h);
            size_.push_back(size);
        }
    }

    // Collapses edges below a part of their wanted length.
    void collapse_short(double part) {
        for (int h = 0; h < net_.half_edges(); ++h) {
            if (!net_.has(h) || length(h) >= part * wanted(h)) continue;
            if (!net_.can_collapse(h)) continue;
            const int a = net_.start(h), b = net_.end(h);
            const Vec3 middle = 0.5 * (net_.at(a) + net_.at(b));
            if (!may_move(a, b, middle) || !may_move(b, a, middle)) continue;
            net_.points[static_cast<std::size_t>(b)] = middle;
            net_.collapse(h);
        }
    }

    // Whether v may move without long edges and without turning a triangle over; `partner` moves along.
    bool may_move(int v, int partner, const Vec3& to) const {
        bool good = true;
        net_.around(v, [&](int h) {
            const int b = net_.end(h), c = net_.apex(h);
            if (b == partner) return;
            good = good && (net_.at(b) - to).norm() < longest_part * wanted(h);
            if (c == partner) return;
            const Vec3 before = area(v, b, c), after = (net_.at(b) - to).cross(net_.at(c) - to);
            good = good && before.dot(after) > 0.5 * before.norm() * after.norm();
        });
        return good;
    }

    // How much nearer to six the valences come, in squares.
    int valence_gain(int h) const {
        const auto off = [&](int v, int change) {
            const int d = net_.valence(v) + change - 6;
            return d * d;
        };
        const int a = net_.start(h), b = net_.end(h), c = net_.apex(h), d = net_.apex(net_.twin(h));
        return off(a, 0) + off(b, 0) + off(c, 0) + off(d, 0) - off(a, -1) - off(b, -1) - off(c, 1) -
               off(d, 1);
    }

    // Sum of the two angles that look at the edge; above pi it is not Delaunay's.
    double opposite_angles(int h) const {
        const auto angle = [&](int g) {
            const Vec3 &p = net_.at(net_.apex(g)), a = net_.at(net_.start(g)) - p,
                       b = net_.at(net_.end(g)) - p;
            return std::atan2(a.cross(b).norm(), a.dot(b));
        };
        return angle(h) + angle(net_.twin(h));
    }

    // Flips where it helps and the new triangles look the way the old ones did.
    template <class Helps>
    void flip(Helps&& helps) {
        for (int h = 0; h < net_.half_edges(); ++h) {
            if (!net_.has(h) || net_.twin(h) < h || !helps(h) || !net_.can_flip(h)) continue;
            const int a = net_.start(h), b = net_.end(h), c = net_.apex(h), d = net_.apex(net_.twin(h));
            const Vec3 normal = (area(a, b, c) + area(b, a, d)).normalized();
            const Vec3 first = area(d, c, a), second = area(c, d, b);
            if (first.dot(normal) < 0.5 * first.norm() || second.dot(normal) < 0.5 * second.norm()) continue;
            net_.flip(h);
        }
    }

    // Moves every vertex to the middle of its neighbours along the surface, and back onto it.
    void slide() {
        const Points old = net_.points;
        for (int v = 0; v < net_.vertices(); ++v) {
            if (!net_.has_vertex(v)) continue;
            Vec3 middle = Vec3::Zero(), normal = Vec3::Zero();
            int count = 0;
            net_.around(v, [&](int h) {
                const Vec3 &p = old[static_cast<std::size_t>(net_.end(h))],
                           &q = old[static_cast<std::size_t>(net_.apex(h))];
                middle += p;
                normal += p.cross(q);
                ++count;
            });
            const Vec3& p = old[static_cast<std::size_t>(v)];
            normal.normalize();
            const Vec3 step = middle / count - p;
            net_.points[static_cast<std::size_t>(v)] = onto_surface(p + step - normal.dot(step) * normal);
        }
    }

    // Two Newton steps along the gradient, none longer than half an edge.
    Vec3 onto_surface(Vec3 p) const {
        const double size = wanted(p), h = 1e-3 * size;
        for (int step = 0; step < 2; ++step) {
            const double value = field_(p);
            const Vec3 slope(field_(p + h * Vec3::UnitX()) - value, field_(p + h * Vec3::UnitY()) - value,
                             field_(p + h * Vec3::UnitZ()) - value);
            const double steep = slope.norm() / h;
            if (!(steep > 1e-3)) break;
            p -= std::clamp(value / steep, -0.5 * size, 0.5 * size) * slope.normalized();
        }
        return p;
    }

    TriangleNet& net_;
    const Field& field_;
    const ImplicitSurfaceParams& params_;
    std::vector<double> size_;  // wanted edge length per vertex [m]
};

}  // namespace

TriangleSurface implicit_surface(const Field& field, const ImplicitSurfaceParams& params) {
    const Vec3 extent = params.high - params.low;
    if (!(params.cell > 0) || !(extent.minCoeff() > 0) || !(extent.maxCoeff() / params.cell < 2000))
        throw InputError({}, "the lattice has no size or too many cells", number_text(params.cell),
                         "allowed: 1 to 2000 cells along each side");
    TriangleSurface cut = Lattice(field, params).cut();
    if (cut.triangles.empty()) throw InputError({}, "the box holds no surface");
    TriangleNet net(std::move(cut));
    Evening evening(net, field, params);
    for (int k = 0; k < params.rounds; ++k) evening.round();
    for (int k = 0; k < params.finish; ++k) evening.finish();
    return net.packed();
}

}  // namespace taut::mesh
