// The mannequin at rest as garments see her: outlines of trunk and leg at every height, a chosen ease away
// from the skin, convex and smooth from height to height; and the distance to the skin. Symmetric in x.
#pragma once

#include "taut/base/vec.hpp"
#include "taut/mesh/outline.hpp"

namespace taut::scene {

// Heights the outlines are known for [m]: from above the sole to above the bust; and where the arms begin.
inline constexpr double lowest_outline = 0.07, highest_outline = 1.33, armpit = 1.29;

// A band that sits closer at the upper edge of a garment; it widens to the full ease over 6 cm below.
struct Waistband {
    double ease = 0, top = 0;  // ease at the upper edge, and its height [m]
};

class GarmentBody {
public:
    explicit GarmentBody(double ease);  // [m]
    GarmentBody(double ease, const Waistband& band);

    double ease() const { return ease_; }
    double ease_at(double height) const;
    // Hull of all but the arms, and of the left leg; above the crotch the leg is the left half of the trunk.
    mesh::Support trunk(double height) const;
    mesh::Support left_leg(double height) const;

private:
    struct Levels {
        std::vector<mesh::Support> eased;
        mesh::Support at(double height) const;
    };

    double ease_;
    Waistband band_;
    Levels trunk_, left_leg_;
};

// About the distance of a point to the skin, negative inside; exact near the skin [m].
double distance_to_skin(const Vec3& p);

// The point itself where it is at least the ease away from the skin, else one beside it that is [m].
Vec3 pushed_out(const Vec3& p, double ease);

}  // namespace taut::scene
