// Collisions of cloth with obstacles, other cloths and itself, the last velocity filter, after Bridson et al.
// 2002: pairs that come too close on the way through the step are pushed apart at its end, with Coulomb
// friction; what no push settles moves as one body. Where a step starts free of intersections and holds, it
// ends so, and nothing crosses on its way. Where we differ: contacts are inequalities solved together, with
// the lengths of edges beside them, not impulses one by one; and what is asked for shrinks from round to
// round, so that this filter and the projection before it agree after a few. See docs/theory/collision.md.
#pragma once

#include <memory>

#include "taut/collision/friction.hpp"
#include "taut/collision/intersections.hpp"
#include "taut/collision/near_pairs.hpp"
#include "taut/filters/contact_rows.hpp"
#include "taut/filters/contact_velocities.hpp"
#include "taut/filters/impact_zones.hpp"
#include "taut/filters/length_bands.hpp"
#include "taut/filters/untangling.hpp"
#include "taut/model/interfaces.hpp"

namespace taut::filters {

struct CollisionParams {
    double thickness = 1e-3;       // distance kept between surfaces [m]
    double floor = 0.1;            // share of the thickness that must be left for a step to hold
    int max_passes = 8;            // finding contacts and solving them, before zones move as one
    int sweeps = 20;               // over all contacts in one pass
    int max_zones = 20;            // times zones may grow
    bool self = true;              // cloth against itself
    std::string tangles = "stop";  // what becomes of surfaces through each other: stop, exempt, untangle
};
void describe(ParamList& list, CollisionParams& params);

class Collision final : public VelocityFilter {
public:
    using Params = CollisionParams;
    static constexpr const char* type_name = "collision";

    // Throws InputError on an obstacle without size.
    Collision(Params params, std::vector<collision::Obstacle> obstacles,
              collision::FrictionTable friction = {});
    std::string_view name() const override { return type_name; }
    std::vector<MemoryBlock> memory() override;
    void prepare(const Model& model) override;
    void apply(const StepContext& context, Candidate& c, FilterReport& report) override;
    void measure(const StepContext& context, const Candidate& c, FilterReport& report) const override;
    bool settles_velocity() const override { return true; }
    bool settle_velocity(const StepContext& context, ConstPoints before, const Candidate& c, PointsView v,
                         FilterReport& report) override;
    std::string mend_start(const StepContext& context, State& start) override;
    Promise promise() const override { return Promise::penetration; }

private:
    void begin(const StepContext& context) const;
    ContactRow row_of(const collision::PairPoints& q, const collision::PairVerdict& verdict) const;
    int add_pair_rows(std::size_t l, double share, bool close);
    int add_plane_rows(const StepContext& context, double share);
    bool settle_contacts(const StepContext& context, FilterReport& report);
    void move_zones(const StepContext& context);
    bool lives_with_tangles() const { return params_.tangles != "stop"; }
    bool leads_out() const { return params_.tangles == "untangle"; }  // of balls, capsules, half spaces
    void pull_apart();
    void keep_touching();
    void mark_impacts(Candidate& c) const;
    void list_touches(Candidate& c) const;
    void let_squeezed_go(const StepContext& context) const;
    void let_pinched_go(const StepContext& context);
    void measure_half_spaces(const StepContext& context, FilterReport& report) const;
    void measure_solids(const StepContext& context, FilterReport& report) const;
    void tell_pinches(FilterReport& report) const;
    void measure_pairs(FilterReport& report) const;
    void measure_intersections(const StepContext& context, FilterReport& report) const;
    bool is_let_go(int cloth, int obstacle) const;
    void mark_faces(std::span<const int> triangles, FilterReport& report) const;
    void mark_pair(collision::PairKind kind, const collision::PairPoints& q, FilterReport& report) const;
    collision::IntersectionSkips skips() const;

    Params params_;
    collision::FrictionTable friction_;
    std::vector<collision::Obstacle> obstacles_;
    std::unique_ptr<collision::NearPairs> near_;  // of the step at hand
    std::vector<double> friction_of_;             // pairs of bodies
    std::vector<double> inverse_mass_;            // of all points, 0 where they are not ours to move [1/kg]
    std::vector<std::vector<ContactRow>> found_rows_;  // one per block of pairs
    ContactRows rows_;
    ContactVelocities velocities_;
    LengthBands bands_;
    ImpactZones zones_;
    Untangling untangling_;
    mutable Points clean_;                  // cloth that was found free of intersections last
    std::vector<std::uint8_t> has_faces_;   // of each point of the surface
    std::vector<int> group_;                // of each triangle of the surface: its cloth, or -1
    std::vector<int> face_of_;              // of each triangle: the face of the model, or -1
    std::vector<std::uint8_t> not_within_;  // of each body: not checked against itself
    Points wanted_;                         // ends of the step as they came in
};

}  // namespace taut::filters
