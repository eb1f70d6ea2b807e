// Contacts as constraints (House et al. 1996, section 4): one row n . (x - p) per vertex that would come
// through a surface within the step, with the plane p, n at the nearest point of a convex obstacle, which
// takes it along. A row that would pull is released. Friction is a force along the surface, bounded by the
// push of the last solve. The rows of one vertex are solved by themselves and held exactly; what they leave
// free of the vertex goes into the system of the edges.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "taut/collision/obstacle.hpp"
#include "taut/filters/multiplier_rows.hpp"
#include "taut/model/interfaces.hpp"

namespace taut::filters {

class MultiplierContacts {
public:
    // Throws InputError on an obstacle without size, and on meshes; `filter` is named in the text.
    MultiplierContacts(const char* filter, double thickness, std::vector<collision::Obstacle> obstacles);

    bool any_obstacle() const { return !obstacles_.empty(); }
    // Forgets the last step; `recovery`: part of a penetration that a step takes back.
    void begin(const StepContext& context, std::span<const double> inverse_mass, double recovery);
    // Looks who would come through with this velocity; true if somebody does who was not held.
    bool find(const StepContext& context, ConstPoints v);
    // The directions that are held now.
    const std::vector<HeldVertex>& held() const { return held_; }
    // Adds friction, and puts the velocity in held directions to what the surfaces ask for.
    void prescribe(PointsView v) const;
    // Pushes and friction from the velocity with and without them; true if rows were released or friction
    // still changes.
    bool update(ConstPoints with, ConstPoints without);
    // Adds the velocity that friction made.
    void add_friction(PointsView v) const;
    // Stops alone what still comes through: the last thing a step does.
    void stop_rest(const StepContext& context, PointsView v);

    int count() const;  // rows that push
    void list(Candidate& c) const;
    double deepest(const StepContext& context, ConstPoints v) const;  // free vertices at the end [m]

private:
    struct Placed {
        const collision::Obstacle* obstacle;
        RigidTransform start, end;
    };
    struct Row {
        int vertex, obstacle;
        Vec3 normal;
        double wanted;  // velocity along the normal at least [m/s]
        double friction;
        Vec3 carried;               // velocity of the surface [m/s]
        double push = 0;            // [m/s]
        Vec3 slide = Vec3::Zero();  // velocity that friction made [m/s]
        bool active = true;
    };

    void place(const StepContext& context);
    bool meets(const Placed& placed, const StepContext& context, const Vec3& x, const Vec3& v,
               Row& row) const;
    void rebuild();

    double thickness_, recovery_ = 1;
    std::vector<collision::Obstacle> obstacles_;
    std::vector<Placed> placed_;
    std::vector<double> inverse_mass_;
    std::vector<Row> rows_;  // ascending by vertex, then obstacle
    std::vector<HeldVertex> held_;
    std::vector<std::vector<int>> held_rows_;      // rows behind the axes of each
    std::vector<std::array<double, 9>> triangle_;  // n_k = sum_j triangle[3 j + k] axis_j
};

}  // namespace taut::filters
