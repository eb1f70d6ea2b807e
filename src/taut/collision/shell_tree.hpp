// A tree of boxes over the triangles of a shell that answers how far a point is, and on which side. The
// side follows from the generalised winding number (Jacobson et al. 2013), in which far parts of the shell
// count by their area vector alone (Barill et al. 2018, first order): orientation is all it needs, and
// small holes or overlaps do no harm.
#pragma once

#include <limits>
#include <vector>

#include "taut/collision/obstacle.hpp"

namespace taut::collision {

// The nearest point of a shell.
struct ShellFoot {
    Triangle corner{};                                         // of its triangle: indices of points
    Vec3 weight = Vec3::Zero();                                // of the corners, sum 1
    Vec3 offset = Vec3::Zero();                                // p - foot [m]
    double squared = std::numeric_limits<double>::infinity();  // |offset|^2 [m^2]; infinite without triangles
};

class ShellTree {
public:
    ShellTree(const std::vector<Triangle>& triangles, Points points);

    ShellFoot nearest(const Vec3& p) const;
    double distance(const Vec3& p) const;         // from the nearest triangle [m]; infinite without any
    double winding(const Vec3& p) const;          // 1 inside, 0 outside, -1 inside a shell turned inside out
    double signed_distance(const Vec3& p) const;  // negative inside, either way round; NaN for NaN

private:
    struct Node {
        Vec3 low = Vec3::Zero(), high = Vec3::Zero();  // box of its triangles [m]
        Vec3 area = Vec3::Zero();                      // sum of the area vectors [m^2]
        Vec3 middle = Vec3::Zero();                    // of the triangles' centres, by area [m]
        double radius = 0;                             // around the middle, of all corners [m]
        int first = 0, last = 0;                       // range of triangles_
        int child = -1;                                // first of two neighbours, or -1 for a leaf
    };
    void split(std::size_t node);
    void measure(Node& node) const;
    const Vec3& corner(int triangle, int k) const;

    std::vector<Triangle> triangles_;  // sorted into the nodes
    Points points_;
    std::vector<Node> nodes_;
};

}  // namespace taut::collision
