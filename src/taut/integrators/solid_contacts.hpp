// Contacts with solids as constraints of single vertices (Baraff and Witkin 1998, sections 5 and 6): a vertex
// that touches moves with the surface across it and is set onto it by an alteration of its position; it
// sticks, or slides with Coulomb friction. After a step the constraint forces decide about the next: one that
// pulls is released, one that sticks harder than friction allows slides, one that has come to rest sticks.
// See docs/theory/baraff_witkin.md.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "taut/collision/friction.hpp"
#include "taut/integrators/solid_surfaces.hpp"
#include "taut/linalg/block_rows.hpp"
#include "taut/model/interfaces.hpp"

namespace taut::integrators {

// What one vertex is held by: free directions, velocity and position prescribed across them.
struct Hold {
    Mat3 freedom = Mat3::Identity();
    Vec3 velocity = Vec3::Zero();    // at the end of the step, counts across what is free [m/s]
    Vec3 alteration = Vec3::Zero();  // y, besides the motion [m]
};

struct ContactCounts {
    int held = 0, sticking = 0, made = 0, released = 0;
};

class SolidContacts {
public:
    SolidContacts(std::vector<collision::Obstacle> obstacles, collision::FrictionTable friction,
                  double thickness, double release);
    void prepare(const Model& model);
    bool empty() const { return surfaces_.empty(); }

    // Places obstacles, follows the contacts of the last step and makes new ones where vertices would end
    // inside; those with a flag, which something else holds, are left alone.
    void begin(const StepContext& context, std::span<const std::uint8_t> held);
    // Holds every vertex in contact; adds the friction of those that slide [N], and rows of its h (-df/dv).
    void apply(double h, std::span<Hold> holds, PointsView friction,
               std::vector<linalg::RankOneRow>& rows) const;
    // Looks at the end of a solve: velocities, positions, constraint forces [N]. True: vertices have gone
    // into solids or were turned back by friction, they are held now, and the step should be solved again.
    // noise: what the solve has left of forces, as a size [N]; what does not stand out of it waits for the
    // end.
    bool revise(const StepContext& context, ConstPoints v, ConstPoints x, ConstPoints force, double noise);
    // Keeps the contacts for the next step: those that pull are let go, others begin to slide or to stick.
    void finish(const StepContext& context, ConstPoints x_end);

    ContactCounts counts() const;
    std::vector<double>& memory() { return memory_; }

private:
    using Anchor = SolidSurfaces::Anchor;
    using Foot = SolidSurfaces::Foot;
    struct Contact {
        int vertex = 0, obstacle = 0;
        bool sticking = false;
        double push = 0;            // normal force, of the last solve [N]
        Vec3 slide = Vec3::Zero();  // direction of sliding, unit length
        Anchor anchor;              // of a vertex that sticks
        // Of this step: the surface below the vertex, as it moves.
        Vec3 normal = Vec3::UnitZ(), velocity = Vec3::Zero();  // [m/s]
        Vec3 drift = Vec3::Zero();                             // sliding at the start [m/s]
        double approach = 0;                                   // towards the surface at the start [m/s]
        double gain = 0;                                       // of that within the step, if just met [m/s]
        Vec3 alteration = Vec3::Zero();                        // [m]
        double friction = 0;
        // Of the last solve, if it took part in one.
        bool solved = false;
        bool again = false;           // let go in this step already
        bool turned = false;          // from sticking to sliding or back within the step
        double pull = 0;              // the other way than push [N]
        Vec3 hold = Vec3::Zero();     // force along the surface [N]
        Vec3 sliding = Vec3::Zero();  // at the end [m/s]
    };

    void settle(const StepContext& context, Contact& contact, const Foot& foot) const;
    bool follow(const StepContext& context, Contact& contact) const;  // false: it has left the surface
    std::optional<Contact> meet(const StepContext& context, int vertex, int obstacle, const Vec3& p,
                                const Vec3& v) const;
    bool find(const StepContext& context, ConstPoints x, ConstPoints v);  // true: one of those made is deep
    bool known(int vertex, int obstacle) const;
    void slide_along(const Contact& contact, double h, Hold& hold, PointsView friction,
                     std::vector<linalg::RankOneRow>& rows) const;
    bool measure(const StepContext& context, std::span<Contact> own, const Vec3& x, const Vec3& v,
                 const Vec3& force) const;           // true: one of them slides or sticks instead
    bool drop_dragging(const StepContext& context);  // true: some
    bool decide(const StepContext& context, const Vec3& x_end, Contact& contact) const;

    SolidSurfaces surfaces_;
    collision::FrictionTable table_;
    double thickness_, release_;
    std::vector<double> friction_;  // of cloth c on obstacle o: c * obstacles + o
    std::vector<int> cloth_of_;
    std::vector<Contact> contacts_;            // by vertex
    std::vector<std::pair<int, int>> let_go_;  // in this step: vertex and obstacle
    std::vector<std::uint8_t> held_;           // vertices held by something else
    double noise_ = 0;                         // of the last solve [N]
    int made_ = 0, released_ = 0;
    std::vector<double> memory_;
};

}  // namespace taut::integrators
