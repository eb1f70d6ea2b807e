// A polygonal model of a ball: the faces of an icosahedron are split into frequency^2 triangles each
// and their corners pushed out to the sphere. All of it is about the unit ball at the origin; obstacles
// move and scale the questions. The solid is convex, which every answer below relies on.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "taut/collision/obstacle.hpp"

namespace taut::collision {

class PolygonSphere {
public:
    static constexpr int max_frequency = 32;

    // The plane normal . x = offset bounds the solid from outside.
    struct Face {
        std::array<int, 3> corner;  // counter-clockwise seen from outside
        Vec3 normal;                // outward, unit length
        double offset = 0;          // distance from the centre
    };

    explicit PolygonSphere(int frequency);  // 1 to max_frequency

    const Points& corners() const { return corners_; }         // of length 1
    const std::vector<Face>& faces() const { return faces_; }  // 20 frequency^2
    double height(int face, const Vec3& p) const {             // above the plane of a face
        const Face& f = faces_[static_cast<std::size_t>(face)];
        return f.normal.dot(p) - f.offset;
    }

    // Outside the exact nearest point, inside the foot on the plane that p is least below.
    Nearest nearest(const Vec3& p) const;

    // Where the segment from a point outside first enters; nothing if it stays out.
    std::optional<Nearest> first_entry(const Vec3& from, const Vec3& to) const;

private:
    // A face of the icosahedron; its inverse turns a point into weights of the three corners.
    struct Sector {
        Vec3 normal;
        Mat3 inverse;
    };
    // A range of `order_` with bounds of the planes in it; children are neighbours in `nodes_`.
    struct Node {
        Vec3 axis = Vec3::UnitZ();    // of a cone around the normals
        double cosine = 1, sine = 0;  // of its half angle
        double offset = 0;            // the least
        int first = 0, last = 0;
        int child = -1;  // first of two, or -1 for a leaf
    };
    struct Top {
        int face;
        double height;
    };

    // Where a walk over the surface is: the face of a half edge, the edge itself, or its start.
    enum class Feature { face, edge, corner };
    struct Place {
        Feature feature;
        int h;
        bool operator==(const Place&) const = default;
    };

    void join_faces();
    void split(std::size_t node);
    int face_along(const Vec3& p) const;
    Top highest_plane(const Vec3& p, int guess) const;
    Nearest foot(int face, const Vec3& p) const;
    Place step(const Place& place, const Vec3& p) const;
    Nearest nearest_outside(const Vec3& p, int face) const;

    // Half edge h = 3 face + k runs from corner k of the face to the next one.
    static int next(int h) { return h % 3 == 2 ? h - 2 : h + 1; }
    static int previous(int h) { return h % 3 == 0 ? h + 2 : h - 1; }
    int twin(int h) const { return twin_[static_cast<std::size_t>(h)]; }
    const Vec3& start(int h) const;
    Vec3 along(int h) const { return start(next(h)) - start(h); }
    double beyond(int h, const Vec3& p) const;

    int frequency_;
    Points corners_;
    std::vector<Face> faces_;
    std::vector<int> twin_;  // the same edge seen from the other face, per half edge
    std::array<Sector, 20> sectors_;
    std::vector<int> order_;  // faces, sorted into the nodes
    std::vector<Node> nodes_;
};

// The model of one frequency, made when first asked for and kept; safe from any thread.
const PolygonSphere& unit_polygon_sphere(int frequency);

}  // namespace taut::collision
