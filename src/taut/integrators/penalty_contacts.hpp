// Contacts of cloth with cloth as damped springs (Baraff and Witkin 1998, section 6): a vertex near a
// triangle, or two edges near each other, are pushed apart along the line between their closest points, with
// Coulomb friction across it. A pair that goes through each other within a step is pushed back to the side it
// came from, and remembers that side until it is there. Springs enter the solve as rows; after it, springs
// that pull are let go and pairs that came too close get one. Soft: nothing here is exact. See
// docs/theory/penalty_contacts.md.
#pragma once

#include <optional>
#include <vector>

#include "taut/collision/broad_phase.hpp"
#include "taut/collision/friction.hpp"
#include "taut/collision/pair_motion.hpp"
#include "taut/linalg/block_rows.hpp"
#include "taut/model/interfaces.hpp"

namespace taut::integrators {

struct PenaltyParams {
    bool on = true;
    double thickness = 0.002;  // distance below which cloth pushes [m]
    double stiffness = 100;    // of one contact [N/m]
    double damping = 0.005;    // of the stiffness [s]
};

class PenaltyContacts {
public:
    PenaltyContacts(PenaltyParams params, collision::FrictionTable friction);
    void prepare(const Model& model);

    // Finds pairs that come close while vertices go on as they are.
    void begin(const StepContext& context);
    // Adds the force of all springs at the start of the step [N].
    void add_force(const State& start, PointsView f) const;
    // Rows of -df/dx, and of h^2 of it with h times -df/dv.
    const std::vector<linalg::RankOneRow>& elastic_rows() const { return elastic_; }
    const std::vector<linalg::RankOneRow>& system_rows() const { return system_; }
    // Drops springs that would pull at these ends of the step, adds those that are missed. False: nothing
    // changed, and rows stay.
    bool revise(const StepContext& context, ConstPoints x_end, ConstPoints v_end);
    // Remembers the pairs that these ends leave on the wrong side.
    void finish(const StepContext& context, ConstPoints x_end);

    int pushing() const { return static_cast<int>(springs_.size()); }
    std::vector<double>& memory() { return memory_; }

private:
    // A pair that may touch in this step.
    struct Candidate {
        collision::PairKind kind = collision::PairKind::vertex_face;
        collision::PairPoints points{};
        signed char side = 0;  // where it belongs, if it has left that in an earlier step: +1 or -1
        bool dropped = false;
        int spring = -1;
    };
    // How a pair stands at an end of the step.
    struct Stand {
        std::array<double, 4> weight{};
        Vec3 normal = Vec3::Zero();  // towards where the first belongs, seen from the second
        double distance = 0;         // along it, negative on the wrong side [m]
    };
    struct Spring {
        collision::PairPoints points{};
        std::array<double, 4> weight{};
        Vec3 normal = Vec3::UnitZ();  // towards the side the first belongs on
        double thickness = 0;         // [m]
        double push = 0;              // normal force, as far as known [N]
        double friction = 0;          // Coulomb coefficient
        Vec3 drag = Vec3::Zero();     // direction of sliding at the start
        double viscosity = 0;         // across the normal [N s/m]
        std::size_t candidate = 0;
    };

    void collect(collision::PairKind kind, const std::vector<collision::PairPoints>& pairs);
    Stand stand(const Candidate& candidate, ConstPoints x_start, ConstPoints x_end) const;
    bool engage(std::size_t candidate, ConstPoints x_start, ConstPoints x_end, Spring& spring) const;
    bool engage_all(const StepContext& context, ConstPoints x_end);
    void set_rows(const StepContext& context);
    std::optional<std::size_t> remembered(const Candidate& candidate) const;
    void clean_memory();
    void recall();

    PenaltyParams params_;
    collision::FrictionTable table_;
    collision::Surface surface_;
    collision::BroadPhase broad_phase_;
    collision::Pairs pairs_;
    std::vector<double> friction_;  // of pairs of bodies
    std::vector<Candidate> candidates_;
    std::vector<Spring> springs_;
    std::vector<linalg::RankOneRow> elastic_, system_;
    std::vector<double> memory_;
    Points ahead_;
};

}  // namespace taut::integrators
