// Points that a mesh obstacle carries along while it moves and deforms: each keeps its place relative to the
// triangle that was nearest at the start, by weights of the corners and an offset in the triangle's own
// frame. Skin stretches and cloth does not: where distances must stay, all points move as one body that
// fits best to where the skin would carry each (Kabsch 1976). For pins of garments on a body.
#pragma once

#include "taut/collision/obstacle.hpp"

namespace taut::collision {

class AttachedPoints final : public Deformation {
public:
    // Points x [m] as they are at a time [s]; the obstacle must be a mesh.
    AttachedPoints(Obstacle obstacle, ConstPoints x, double time, bool rigid = false);

    void at(double time, PointsView x) const override;
    std::uint64_t content() const override;

private:
    struct Place {
        Triangle corner{};
        Vec3 weight = Vec3::Zero();  // of the corners
        Vec3 offset = Vec3::Zero();  // in the frame of the triangle [m]
    };
    // Where the skin carries each point, and behind them one above each along the normal, for the turn.
    void carry(double time, Points& x) const;

    Obstacle obstacle_;
    std::vector<Place> places_;
    Points start_;  // as carried at the start, where they move as one body; else empty
};

}  // namespace taut::collision
