// Guides: vertices that stay on a curve or a surface and are free along it, such as the rings of a curtain
// on its rail. The shape may move rigidly. See docs/theory/guides.md.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "taut/base/vec.hpp"
#include "taut/model/motion.hpp"

namespace taut {

enum class GuideShape { line, circle, polyline, plane, sphere, cylinder };

// Where a guide holds a point.
struct GuideFoot {
    Vec3 point = Vec3::Zero();        // nearest on the guide [m]
    Mat3 freedom = Mat3::Identity();  // projection onto the directions along it; at a corner, between both
    Vec3 velocity = Vec3::Zero();     // of the guide there, over the step [m/s]
};

// Shapes are given at rest of the motion. Line: through `point` along `axis`. Circle: about `point`, `axis`
// across it. Polyline: through `points`, with ends unless closed. Plane: `axis` is its normal. Sphere: about
// `point`. Cylinder: `axis` through `point`, without ends.
struct Guide {
    std::string name;
    std::vector<int> vertices;  // global indices
    GuideShape shape = GuideShape::line;
    Vec3 point = Vec3::Zero();  // [m]
    Vec3 axis = Vec3::UnitX();  // unit length
    double radius = 0;          // [m]
    Points points;              // polyline only, two at least [m]
    bool closed = false;        // polyline only
    Motion motion;
    double release = std::numeric_limits<double>::infinity();  // [s]

    bool holds(double time_start) const { return time_start < release; }
    // Nearest to p at the end of a step.
    GuideFoot foot(const Vec3& p, double time_start, double time_end) const;
    Vec3 nearest(const Vec3& p, double time) const;                                              // [m]
    double distance(const Vec3& p, double time) const { return (nearest(p, time) - p).norm(); }  // [m]

private:
    GuideFoot foot_at_rest(const Vec3& p) const;
};

const char* shape_name(GuideShape shape);

}  // namespace taut
