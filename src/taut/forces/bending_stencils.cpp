#include "taut/forces/bending_stencils.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

#include "taut/elements/drag.hpp"
#include "taut/elements/hinge.hpp"
#include "taut/elements/quad_twist.hpp"
#include "taut/elements/yarn_curvature.hpp"
#include "taut/forces/incidence.hpp"
#include "taut/forces/vertex_fan.hpp"
#include "taut/model/fabric_of.hpp"

namespace taut::forces {
namespace {

using mesh::Direction;

// Two edges count as one yarn passing a vertex when they turn by less than 60 degrees; sharper
// turns are corners of a pattern piece, where a second difference means nothing.
constexpr double straight_cosine = 0.5;

// Rest quads whose mid-lines meet at a right angle within this cosine are treated as orthogonal:
// it changes their bending energy by at most two percent and saves the eight knight's-move
// neighbours that the cross terms of a skewed quad cost in the matrix.
constexpr double orthogonal_cosine = 0.01;

// Bending stiffness along warp and weft [N m].
struct Bending {
    double warp = 0, weft = 0;
    double mean() const { return 0.5 * (warp + weft); }
};

class Cutter {
public:
    Cutter(const Model& model, Bending bending)
        : model_(model), bending_(bending), fabrics_(fabric_of_vertices(model)) {}

    BendingStencils cut() {
        // Make room for a grid: two curvatures of three points and one twist of four per vertex.
        const std::size_t n = model_.rest.size();
        set_.start.reserve(3 * n + 1);
        set_.weight.reserve(3 * n);
        set_.vertex.reserve(10 * n);
        set_.coefficient.reserve(10 * n);

        note_directions();
        find_passing_yarns();
        lacks_.assign(model_.faces.size(), {false, false});
        for (std::size_t f = 0; f < model_.faces.size(); ++f) {
            if (model_.faces[f].size() == 4) cut_quad(f);
        }
        for (const mesh::Edge& edge : model_.edges) {
            if (edge.face[0] >= 0 && edge.face[1] >= 0) cut_hinge(edge);
        }
        return std::move(set_);
    }

private:
    using Passing = std::array<int, 2>;  // curvature stencils centred at a vertex, -1: none

    void note_directions();
    void find_passing_yarns();
    void cut_quad(std::size_t f);
    void cut_skew_corner(std::array<int, 3> stencil, const Mat3& stiffness, double area);
    void merge(int stencil, double factor, std::size_t begin);
    void cut_hinge(const mesh::Edge& edge);
    void add_hinge(int a, int b, int c, int d, double stiffness, double share_c, double share_d);

    int add(const elements::Stencil& s, std::span<const int> vertices, double weight);
    int stencil_along(int vertex, int neighbor) const;
    int stencil_near(int vertex, int neighbor) const;
    std::array<int, 4> corner_stencils(const std::array<int, 4>& c, int direction) const;
    bool bridged(int vertex, int left, int right) const;
    int side_of(std::size_t f, int a, int b) const;
    Mat3 quad_stiffness(std::size_t f, const elements::FlatQuad& quad) const;
    double hinge_stiffness(const mesh::Edge& edge) const;
    Bending bending_at(int vertex) const;

    const Model& model_;
    Bending bending_;                     // of cloths without a fabric
    std::vector<const Fabric*> fabrics_;  // by vertex; empty: there are none
    BendingStencils set_;
    std::vector<std::array<Direction, 4>> side_;  // direction of every side of every face
    std::vector<Passing> passing_;
    std::vector<std::array<bool, 2>> lacks_;  // quads without any yarn curvature in a direction
};

int Cutter::add(const elements::Stencil& s, std::span<const int> vertices, double weight) {
    for (int k = 0; k < s.size; ++k) {
        set_.vertex.push_back(vertices[k]);
        set_.coefficient.push_back(s.coefficient[k]);
    }
    set_.start.push_back(static_cast<int>(set_.vertex.size()));
    set_.weight.push_back(weight);
    return set_.count() - 1;
}

int Cutter::side_of(std::size_t f, int a, int b) const {
    const mesh::Face& face = model_.faces[f];
    for (int k = 0; k < face.size(); ++k) {
        const int p = face.corner[k], q = face.corner[(k + 1) % face.size()];
        if ((p == a && q == b) || (p == b && q == a)) return k;
    }
    return -1;
}

void Cutter::note_directions() {
    side_.assign(model_.faces.size(), {Direction::none, Direction::none, Direction::none, Direction::none});
    for (const mesh::Edge& edge : model_.edges) {
        for (int f : edge.face) {
            const int side = f >= 0 ? side_of(f, edge.a, edge.b) : -1;
            if (side >= 0) side_[f][side] = edge.direction;
        }
    }
}

// One curvature stencil per pair of opposite edges at a vertex, without weight until a quad asks.
void Cutter::find_passing_yarns() {
    const Incidence faces_of = faces_of_vertices(model_);
    passing_.assign(model_.rest.size(), {-1, -1});
    for (int v = 0; v < model_.vertex_count(); ++v) {
        const VertexFan fan = vertex_fan(model_, faces_of.of(v), v);
        int found = 0;
        for (int k = 0; k + 2 < fan.size; ++k) {
            const int left = k + 1, right = (k + 3) % 4;
            elements::YarnCrossing c{fan.position[k], fan.position[k + 2], fan.position[left], Vec2::Zero(),
                                     right < fan.size && right != left};
            if (c.has_right) c.right = fan.position[right];
            if (-c.next.dot(c.previous) < straight_cosine * c.next.norm() * c.previous.norm()) continue;
            const elements::Stencil s = elements::curvature_stencil(c);
            if (s.size == 0) continue;
            const std::array<int, 5> vertices{v, fan.neighbor[k], fan.neighbor[k + 2], fan.neighbor[left],
                                              c.has_right ? fan.neighbor[right] : -1};
            passing_[v][found++] = add(s, vertices, 0);
        }
    }
}

// The curvature stencil centred at `vertex` on the yarn that comes from `neighbor`.
int Cutter::stencil_along(int vertex, int neighbor) const {
    for (int s : passing_[vertex]) {
        if (s < 0) continue;
        const int* v = &set_.vertex[set_.start[s]];
        if (v[1] == neighbor || v[2] == neighbor) return s;
    }
    return -1;
}

// The same, or where the yarn ends at `vertex`, the next one inside.
int Cutter::stencil_near(int vertex, int neighbor) const {
    const int s = stencil_along(vertex, neighbor);
    return s >= 0 ? s : stencil_along(neighbor, vertex);
}

bool Cutter::bridged(int vertex, int left, int right) const {
    const int s = stencil_along(vertex, left);
    return s >= 0 && s == stencil_along(vertex, right);
}

Bending Cutter::bending_at(int vertex) const {
    const Fabric* fabric = fabrics_.empty() ? nullptr : fabrics_[vertex];
    return fabric ? Bending{fabric->bending_warp(), fabric->bending_weft()} : bending_;
}

// Stiffness against (h11, h22, h12), the second derivatives along the mid-lines: the orthotropic
// law diag(B1, B2, B1 + B2) of the material axes, carried over to oblique directions.
Mat3 Cutter::quad_stiffness(std::size_t f, const elements::FlatQuad& quad) const {
    const auto& side = side_[f];
    const bool weft_first = side[0] == Direction::weft || side[2] == Direction::weft ||
                            side[1] == Direction::warp || side[3] == Direction::warp;
    const bool warp_first = side[0] == Direction::warp || side[2] == Direction::warp ||
                            side[1] == Direction::weft || side[3] == Direction::weft;
    const Bending bending = bending_at(model_.faces[f].corner[0]);
    double b1 = bending.mean(), b2 = b1;
    if (weft_first != warp_first) {
        b1 = weft_first ? bending.weft : bending.warp;
        b2 = weft_first ? bending.warp : bending.weft;
    }
    Mat3 law = Vec3(b1, b2, b1 + b2).asDiagonal();
    if (std::abs(quad.t1.dot(quad.t2)) < orthogonal_cosine) return law;

    // Place the material axes symmetrically between the mid-lines.
    const Vec2 axis = (quad.t1 + Vec2(quad.t2.y(), -quad.t2.x())).normalized();
    const Vec2 cross(-axis.y(), axis.x());
    const double c1 = quad.t1.dot(axis), s1 = quad.t1.dot(cross);
    const double c2 = quad.t2.dot(axis), s2 = quad.t2.dot(cross);
    Mat3 to_oblique;
    to_oblique << c1 * c1, s1 * s1, 2 * c1 * s1, c2 * c2, s2 * s2, 2 * c2 * s2, c1 * c2, s1 * s2,
        c1 * s2 + s1 * c2;
    const Mat3 inverse = to_oblique.inverse();
    return inverse.transpose() * law * inverse;
}

void Cutter::cut_quad(std::size_t f) {
    const auto& c = model_.faces[f].corner;
    const elements::FlatQuad quad =
        elements::flatten({model_.rest[c[0]], model_.rest[c[1]], model_.rest[c[2]], model_.rest[c[3]]});
    if (!(quad.area > 0)) return;
    const Mat3 stiffness = quad_stiffness(f, quad);
    const bool skew = stiffness(0, 2) != 0 || stiffness(0, 1) != 0;

    // Take the twist; a quad without one (a dart) folds along the diagonal inside it.
    const elements::Stencil twist = elements::twist_stencil(quad);
    if (twist.size == 0) {
        const Vec3 n =
            elements::area_vector(model_.rest[c[0]], model_.rest[c[1]], model_.rest[c[2]], model_.rest[c[3]]);
        const auto inside = [&](int k) {
            return n.dot(elements::area_vector(model_.rest[c[k]], model_.rest[c[(k + 1) % 4]],
                                               model_.rest[c[(k + 2) % 4]])) > 0 &&
                   n.dot(elements::area_vector(model_.rest[c[k]], model_.rest[c[(k + 2) % 4]],
                                               model_.rest[c[(k + 3) % 4]])) > 0;
        };
        const int k = inside(0) ? 0 : 1;
        add_hinge(c[k], c[k + 2], c[k + 1], c[(k + 3) % 4], bending_at(c[k]).mean(), 1, 1);
    }
    const int twist_id = twist.size == 0 ? -1 : add(twist, c, skew ? 0 : quad.area * stiffness(2, 2));

    // Give each corner a quarter of the area, with the curvature of both yarns there.
    const std::array<int, 4> first = corner_stencils(c, 0), second = corner_stencils(c, 1);
    lacks_[f] = {first[0] < 0, second[0] < 0};
    for (int k = 0; k < 4; ++k) {
        if (skew) {
            cut_skew_corner({first[k], second[k], twist_id}, stiffness, 0.25 * quad.area);
            continue;
        }
        if (first[k] >= 0) set_.weight[first[k]] += 0.25 * quad.area * stiffness(0, 0);
        if (second[k] >= 0) set_.weight[second[k]] += 0.25 * quad.area * stiffness(1, 1);
    }
}

// The curvature stencils nearest to the corners of a quad, along sides 0 and 2 (direction 0) or 1
// and 3 (direction 1). A corner without one borrows it from across the quad; all -1 if none has.
std::array<int, 4> Cutter::corner_stencils(const std::array<int, 4>& c, int direction) const {
    std::array<int, 4> found;
    for (int k = 0; k < 4; ++k)
        found[k] = stencil_near(c[k], c[k % 2 == direction ? (k + 1) % 4 : (k + 3) % 4]);
    std::array<int, 4> result = found;
    for (int k = 0; k < 4; ++k) {
        const int across = k % 2 == direction ? (k + 3) % 4 : (k + 1) % 4;
        for (int other : {across, (k + 2) % 4, (across + 2) % 4}) {
            if (result[k] < 0) result[k] = found[other];
        }
    }
    return result;
}

// Splits area/2 h^T C h with coupled components into squares by the eigenvectors of C.
void Cutter::cut_skew_corner(std::array<int, 3> stencil, const Mat3& stiffness, double area) {
    Mat3 c = stiffness;
    for (int k = 0; k < 3; ++k) {
        if (stencil[k] >= 0) continue;
        c.row(k).setZero();
        c.col(k).setZero();
    }
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(c);
    for (int r = 0; r < 3; ++r) {
        if (!(eigen.eigenvalues()[r] > 1e-12 * eigen.eigenvalues()[2])) continue;
        const std::size_t begin = set_.vertex.size();
        for (int k = 0; k < 3; ++k) {
            if (stencil[k] >= 0) merge(stencil[k], eigen.eigenvectors()(k, r), begin);
        }
        set_.start.push_back(static_cast<int>(set_.vertex.size()));
        set_.weight.push_back(area * eigen.eigenvalues()[r]);
    }
}

// Adds factor times a stencil to the one being written from entry `begin` on.
void Cutter::merge(int stencil, double factor, std::size_t begin) {
    for (int e = set_.start[stencil]; e < set_.start[stencil + 1]; ++e) {
        const int vertex = set_.vertex[e];
        const double value = factor * set_.coefficient[e];
        std::size_t at = begin;
        while (at < set_.vertex.size() && set_.vertex[at] != vertex) ++at;
        if (at == set_.vertex.size()) {
            set_.vertex.push_back(vertex);
            set_.coefficient.push_back(0);
        }
        set_.coefficient[at] += value;
    }
}

// Curvature runs across the hinge: weft stiffness where that is the weft direction, and in between
// B = B_weft cos^2 + B_warp sin^2.
double Cutter::hinge_stiffness(const mesh::Edge& edge) const {
    const Bending bending = bending_at(edge.a);
    if (edge.direction == Direction::weft) return bending.warp;
    if (edge.direction == Direction::warp) return bending.weft;
    const Vec3 along = (model_.rest[edge.b] - model_.rest[edge.a]).normalized();
    for (int f : edge.face) {
        const mesh::Face& face = model_.faces[f];
        for (int k = 0; k < face.size(); ++k) {
            if (side_[f][k] == Direction::none) continue;
            const Vec3 yarn =
                (model_.rest[face.corner[(k + 1) % face.size()]] - model_.rest[face.corner[k]]).normalized();
            const double sine = std::min(1.0, yarn.dot(along) * yarn.dot(along));
            const bool weft = side_[f][k] == Direction::weft;
            return (1 - sine) * (weft ? bending.weft : bending.warp) +
                   sine * (weft ? bending.warp : bending.weft);
        }
    }
    return bending.mean();
}

// A hinge over ab with apexes c and d that stands for a share of the areas of its two triangles.
void Cutter::add_hinge(int a, int b, int c, int d, double stiffness, double share_c, double share_d) {
    const auto& x = model_.rest;
    const elements::Stencil s = elements::hinge_stencil(x[a], x[b], x[c], x[d]);
    if (s.size == 0) return;
    const double area_c = elements::area_vector(x[a], x[b], x[c]).norm();
    const double area_d = elements::area_vector(x[b], x[a], x[d]).norm();
    const double area = area_c + area_d;
    add(s, std::array<int, 4>{a, b, c, d}, stiffness * (share_c * area_c + share_d * area_d) / (area * area));
}

void Cutter::cut_hinge(const mesh::Edge& edge) {
    // Find what lies across the edge on both sides: next to a and next to b.
    std::array<int, 2> at_a{}, at_b{};
    std::array<bool, 2> quad{}, lacking{};
    for (int i = 0; i < 2; ++i) {
        const mesh::Face& face = model_.faces[edge.face[i]];
        const int n = face.size(), side = side_of(edge.face[i], edge.a, edge.b);
        if (side < 0) return;
        const bool forward = face.corner[side] == edge.a;
        const int before = face.corner[(side + n - 1) % n], after = face.corner[(side + 2) % n];
        at_a[i] = forward ? before : after;
        at_b[i] = forward ? after : before;
        quad[i] = n == 4;
        lacking[i] = n == 3 || lacks_[edge.face[i]][1 - side % 2];
    }
    const bool open =
        quad[0] && quad[1] && !bridged(edge.a, at_a[0], at_a[1]) && !bridged(edge.b, at_b[0], at_b[1]);

    // Count the area of triangles, of quads without yarns across, and of quads that would fold freely.
    const double share_0 = open || lacking[0] ? 0.5 : 0.0, share_1 = open || lacking[1] ? 0.5 : 0.0;
    if (share_0 + share_1 == 0) return;
    const double stiffness = hinge_stiffness(edge);
    add_hinge(edge.a, edge.b, at_a[0], at_a[1], stiffness, share_0, share_1);
    add_hinge(edge.a, edge.b, at_b[0], at_b[1], stiffness, share_0, share_1);
}

}  // namespace

BendingStencils bending_stencils(const Model& model, double warp, double weft) {
    return Cutter(model, {warp, weft}).cut();
}

}  // namespace taut::forces
