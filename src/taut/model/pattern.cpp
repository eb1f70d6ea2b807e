#include "taut/model/pattern.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <tuple>

#include "taut/elements/dihedral.hpp"
#include "taut/mesh/topology.hpp"

namespace taut {
namespace {

using Axis = Vec3;  // direction of u in space, in the plane of a triangle; zero where it is not known

// A shorter projection of a direction says nothing about it.
constexpr double flat_share = 0.1;

struct Side {
    int a, b;      // ascending
    int triangle;  // and its corner opposite to the side
    int apex;
};

// Sides of all triangles, those of one edge behind each other.
std::vector<Side> sorted_sides(const std::vector<PatternTriangle>& triangles) {
    std::vector<Side> sides;
    sides.reserve(3 * triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const auto& v = triangles[t].vertex;
        for (int k = 0; k < 3; ++k) {
            const int a = v[k], b = v[(k + 1) % 3];
            sides.push_back({std::min(a, b), std::max(a, b), static_cast<int>(t), v[(k + 2) % 3]});
        }
    }
    std::sort(sides.begin(), sides.end(), [](const Side& p, const Side& q) {
        return std::tie(p.a, p.b, p.triangle) < std::tie(q.a, q.b, q.triangle);
    });
    return sides;
}

class Layout {
public:
    explicit Layout(const Model& model) : model_(model) {
        for (const auto& v : mesh::split_faces(model.faces)) triangles_.push_back({v, {}});
        axis_.assign(triangles_.size(), Vec3::Zero());
        side_.assign(triangles_.size(), 1);
        normal_.reserve(triangles_.size());
        for (const auto& t : triangles_) {
            const Vec3 n = (at(t, 1) - at(t, 0)).cross(at(t, 2) - at(t, 0));
            normal_.push_back(n.normalized());
        }
    }

    std::vector<PatternTriangle> lay() {
        take_uv();
        take_edges();
        unfold();
        for (const Cloth& cloth : model_.cloths) lay_cloth(cloth);
        if (model_.cloths.empty()) lay_range(0, triangles_.size(), 0);
        return std::move(triangles_);
    }

private:
    const Vec3& at(const PatternTriangle& t, int k) const {
        return model_.rest[static_cast<std::size_t>(t.vertex[k])];
    }
    Vec3 across(std::size_t t, const Vec3& u) const { return normal_[t].cross(u); }
    void take_uv();
    void take_edges();
    void unfold();
    void seed(std::size_t t);
    void lay_cloth(const Cloth& cloth);
    void lay_range(std::size_t first, std::size_t last, double grain);
    std::size_t first_triangle(int face) const;

    const Model& model_;
    std::vector<PatternTriangle> triangles_;
    std::vector<Axis> axis_;
    std::vector<double> side_;  // -1 where the pattern is mirrored: v runs to the right of u
    Points normal_;
};

std::size_t Layout::first_triangle(int face) const {
    std::size_t count = 0;
    for (int f = 0; f < face; ++f) count += model_.faces[static_cast<std::size_t>(f)].size() == 4 ? 2 : 1;
    return count;
}

// Puts texture coordinates where there are some, and takes the direction of u from them.
void Layout::take_uv() {
    if (model_.pattern.empty()) return;
    std::size_t t = 0;
    for (std::size_t f = 0; f < model_.faces.size(); ++f) {
        const auto& uv = model_.pattern[f];
        for (int half = 0; half < model_.faces[f].size() - 2; ++half, ++t) {
            PatternTriangle& triangle = triangles_[t];
            triangle.uv = {uv[0], uv[1 + half], uv[2 + half]};
            const Vec2 p = triangle.uv[1] - triangle.uv[0], q = triangle.uv[2] - triangle.uv[0];
            const double det = p.x() * q.y() - q.x() * p.y();
            if (!(std::abs(det) > 0)) continue;
            const Vec3 e = at(triangle, 1) - at(triangle, 0), g = at(triangle, 2) - at(triangle, 0);
            const Vec3 u = (q.y() * e - p.y() * g) / det, v = (p.x() * g - q.x() * e) / det;
            if (!(u.norm() > 0 && v.norm() > 0)) continue;
            // Give both directions the same say; a mirrored pattern turns v around.
            const Vec3 turned = -across(t, v.normalized());
            const double sign = turned.dot(u) < 0 ? -1 : 1;
            axis_[t] = (u.normalized() + sign * turned).normalized();
            side_[t] = sign;
        }
    }
}

// Takes the direction from warp and weft edges.
void Layout::take_edges() {
    std::map<std::array<int, 2>, mesh::Direction> direction;
    for (const mesh::Edge& edge : model_.edges) {
        if (edge.direction != mesh::Direction::none)
            direction[{std::min(edge.a, edge.b), std::max(edge.a, edge.b)}] = edge.direction;
    }
    if (direction.empty()) return;
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
        if (!axis_[t].isZero(0)) continue;
        const auto& v = triangles_[t].vertex;
        Vec3 sum = Vec3::Zero();
        for (int k = 0; k < 3; ++k) {
            const int a = v[k], b = v[(k + 1) % 3];
            const auto found = direction.find({std::min(a, b), std::max(a, b)});
            if (found == direction.end()) continue;
            Vec3 u = (at(triangles_[t], (k + 1) % 3) - at(triangles_[t], k)).normalized();
            if (found->second == mesh::Direction::warp) u = -across(t, u);
            sum += sum.dot(u) < 0 ? Vec3(-u) : u;
        }
        if (!sum.isZero(0)) axis_[t] = sum.normalized();
    }
}

// Chooses for a part that says nothing: warp runs up, or along y where the triangle lies flat.
void Layout::seed(std::size_t t) {
    for (const Vec3& up : {Vec3(Vec3::UnitZ()), Vec3(Vec3::UnitY())}) {
        const Vec3 v = up - normal_[t].dot(up) * normal_[t];
        if (v.norm() < flat_share) continue;
        axis_[t] = -across(t, v.normalized());
        return;
    }
}

// Passes directions on over common edges, from all that are known at once.
void Layout::unfold() {
    const std::vector<Side> sides = sorted_sides(triangles_);
    std::vector<std::array<int, 3>> neighbor(triangles_.size(), {-1, -1, -1});
    std::vector<std::uint8_t> count(triangles_.size(), 0);
    for (std::size_t k = 0; k + 1 < sides.size(); ++k) {
        if (sides[k].a != sides[k + 1].a || sides[k].b != sides[k + 1].b) continue;
        const int s = sides[k].triangle, t = sides[k + 1].triangle;
        if (count[s] < 3) neighbor[s][count[s]++] = t;
        if (count[t] < 3) neighbor[t][count[t]++] = s;
    }
    std::deque<int> queue;
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
        if (!axis_[t].isZero(0)) queue.push_back(static_cast<int>(t));
    }
    for (std::size_t next = 0; next <= triangles_.size(); ++next) {
        while (!queue.empty()) {
            const int t = queue.front();
            queue.pop_front();
            for (const int s : neighbor[t]) {
                if (s < 0 || !axis_[s].isZero(0)) continue;
                // Turn with the fold between the two planes.
                const bool opposed = normal_[t].dot(normal_[s]) < -0.999;
                const Vec3 turned =
                    opposed ? axis_[t]
                            : Vec3(Eigen::Quaterniond::FromTwoVectors(normal_[t], normal_[s]) * axis_[t]);
                axis_[s] = (turned - normal_[s].dot(turned) * normal_[s]).normalized();
                side_[s] = side_[t];
                if (!axis_[s].isZero(0)) queue.push_back(s);
            }
        }
        if (next == triangles_.size()) break;
        if (!axis_[next].isZero(0)) continue;
        // A triangle without area has no direction to pass on.
        seed(next);
        if (!axis_[next].isZero(0)) queue.push_back(static_cast<int>(next));
    }
}

void Layout::lay_cloth(const Cloth& cloth) {
    const std::size_t first = first_triangle(cloth.first_face);
    const std::size_t last = first_triangle(cloth.first_face + cloth.face_count);
    if (!cloth.cut) return lay_range(first, last, cloth.grain);
    const Eigen::Rotation2Dd turn(-cloth.grain);
    for (std::size_t t = first; t < last; ++t) {
        for (Vec2& uv : triangles_[t].uv) uv = turn * uv;
    }
}

void Layout::lay_range(std::size_t first, std::size_t last, double grain) {
    for (std::size_t t = first; t < last; ++t) {
        PatternTriangle& triangle = triangles_[t];
        const Vec3 u = std::cos(grain) * axis_[t] + side_[t] * std::sin(grain) * across(t, axis_[t]);
        const Vec3 v = side_[t] * across(t, u);
        for (int k = 0; k < 3; ++k) {
            const Vec3 p = at(triangle, k) - at(triangle, 0);
            triangle.uv[k] = Vec2(p.dot(u), p.dot(v));
        }
    }
}

double area_of(const PatternTriangle& t) {
    const Vec2 p = t.uv[1] - t.uv[0], q = t.uv[2] - t.uv[0];
    return 0.5 * std::abs(p.x() * q.y() - q.x() * p.y());
}

const Vec2& uv_of(const PatternTriangle& t, int vertex) {
    return t
        .uv[static_cast<std::size_t>(std::find(t.vertex.begin(), t.vertex.end(), vertex) - t.vertex.begin())];
}

}  // namespace

std::vector<PatternTriangle> pattern_triangles(const Model& model) { return Layout(model).lay(); }

std::vector<PatternHinge> pattern_hinges(const Model& model, const std::vector<PatternTriangle>& triangles) {
    const std::vector<Side> sides = sorted_sides(triangles);
    std::vector<PatternHinge> hinges;
    for (std::size_t k = 0; k + 1 < sides.size(); ++k) {
        const Side &s = sides[k], &t = sides[k + 1];
        if (s.a != t.a || s.b != t.b) continue;
        PatternHinge hinge;
        // Name the ends so that the first triangle runs from a to b.
        const PatternTriangle &first = triangles[s.triangle], &second = triangles[t.triangle];
        const auto& v = first.vertex;
        const bool forward =
            (v[0] == s.a && v[1] == s.b) || (v[1] == s.a && v[2] == s.b) || (v[2] == s.a && v[0] == s.b);
        hinge.vertex = {forward ? s.a : s.b, forward ? s.b : s.a, s.apex, t.apex};
        hinge.along = uv_of(first, hinge.vertex[1]) - uv_of(first, hinge.vertex[0]);
        hinge.area = area_of(first) + area_of(second);
        elements::HingePoints x;
        for (int i = 0; i < 4; ++i) x[i] = model.rest[static_cast<std::size_t>(hinge.vertex[i])];
        hinge.rest_angle = elements::dihedral_angle(x);
        hinges.push_back(hinge);
    }
    return hinges;
}

}  // namespace taut
