// The obstacles of a run at both ends of a step: the surface below a point, and where its points are carried.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "taut/collision/obstacle.hpp"
#include "taut/collision/shell_tree.hpp"
#include "taut/model/step_context.hpp"

namespace taut::integrators {

class SolidSurfaces {
public:
    // A point of an obstacle: fixed in the frame of its motion, or weights of the corners of a triangle.
    struct Anchor {
        std::array<int, 3> corner{-1, -1, -1};
        Vec3 place = Vec3::Zero();
    };
    struct Foot {
        double distance = 0;  // signed [m]
        Vec3 normal = Vec3::UnitZ();
        Anchor anchor;
    };

    explicit SolidSurfaces(std::vector<collision::Obstacle> obstacles);
    bool empty() const { return obstacles_.empty(); }
    std::size_t size() const { return obstacles_.size(); }
    const std::vector<collision::Obstacle>& obstacles() const { return obstacles_; }
    bool is_mesh(int obstacle) const {
        return obstacles_[static_cast<std::size_t>(obstacle)].shape == collision::Shape::mesh;
    }

    void place(const StepContext& context);
    // Of an obstacle at the end of the step: the surface below p, and a cheap bound of the distance [m].
    Foot foot(int obstacle, const Vec3& p) const;
    double at_least_away(int obstacle, const Vec3& p) const;
    // Whether obstacle and corners are there, as numbers from a file need not be. After place().
    bool has(double obstacle, std::span<const double, 3> corner) const;
    // Where a point of the surface is at an end of the step [m].
    Vec3 at(int obstacle, const Anchor& anchor, bool end) const;

private:
    struct Placed {
        RigidTransform start, end;
        Points points_start, points_end;                   // of a mesh [m]
        std::shared_ptr<const collision::ShellTree> tree;  // at the end
    };
    std::vector<collision::Obstacle> obstacles_;
    std::vector<Placed> placed_;
};

}  // namespace taut::integrators
