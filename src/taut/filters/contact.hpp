// Contact of vertices with analytic obstacles, the last velocity filter: at the end of the step
// every free vertex keeps a thickness from every obstacle, and slides on it with Coulomb friction.
// Normals come from the end of the step, or from where the vertex entered when it would have passed
// through; all obstacles are convex, so a tangent plane is a safe side. See docs/theory/contact.md.
#pragma once

#include "taut/collision/obstacle.hpp"
#include "taut/filters/contact_velocities.hpp"
#include "taut/model/interfaces.hpp"

namespace taut::filters {

struct ContactParams {
    double thickness = 1e-3;  // distance kept from every surface [m]
    double tolerance = 1e-6;  // penetration of a surface that still counts as none [m]
    int max_passes = 16;      // rounds of finding and projecting per vertex
};

void describe(ParamList& list, ContactParams& params);

class Contact final : public VelocityFilter {
public:
    using Params = ContactParams;
    static constexpr const char* type_name = "contact";

    // Throws InputError on an obstacle without size, and on meshes: they are not convex.
    Contact(Params params, std::vector<collision::Obstacle> obstacles);
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    void apply(const StepContext& context, Candidate& c, FilterReport& report) override;
    void measure(const StepContext& context, const Candidate& c, FilterReport& report) const override;
    bool settles_velocity() const override { return true; }
    bool settle_velocity(const StepContext& context, ConstPoints before, const Candidate& c, PointsView v,
                         FilterReport& report) override;
    Promise promise() const override { return Promise::penetration; }

    const std::vector<collision::Obstacle>& obstacles() const { return obstacles_; }

private:
    // An obstacle at both ends of the step.
    struct Placed {
        const collision::Obstacle* obstacle;
        RigidTransform start, end;
    };
    struct Planes;
    // What a block of vertices met.
    struct Found {
        int passes = 0;
        std::vector<ContactRow> rows;
    };

    std::vector<Placed> place(const StepContext& context) const;
    double deepest(const StepContext& context, const Candidate& c, bool pinned) const;
    void latch_crossings(std::span<const Placed> placed, const Vec3& x_start, const Vec3& x_end,
                         Planes& planes) const;
    int project(std::span<const Placed> placed, Vec3& x, Planes& planes) const;
    int filter_vertex(std::span<const Placed> placed, double dt, int vertex, const Vec3& x_start, Vec3& v,
                      std::vector<ContactRow>& rows) const;
    void begin(const StepContext& context);

    Params params_;
    std::vector<collision::Obstacle> obstacles_;
    std::vector<Found> found_;
    std::vector<double> inverse_mass_;  // [1/kg], 0 where pinned
    LengthBands bands_;
    ContactVelocities velocities_;
};

}  // namespace taut::filters
