// Velocities after contact. Positions are set right by whatever moves them least, in rounds, and part of that
// is no motion: pairs that were too close open, corrections are made and taken back. So velocities are
// settled once, apart: from the velocity before contact, the smallest change, weighed by mass, after which no
// pair that pushed in this step approaches, with Coulomb friction. Against obstacles at rest that takes
// energy away and never adds any.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "taut/filters/contact_rows.hpp"

namespace taut::filters {

inline constexpr int velocity_sweeps = 20;  // at most in one turn

class ContactVelocities {
public:
    void clear();
    // Keeps those rows that push; of a pair that comes again, the last. has_faces: one flag per point of the
    // surface, whether it belongs to triangles.
    void keep(std::span<const ContactRow> rows, std::span<const std::uint8_t> has_faces);
    // Gives up rows with points that have a flag; points behind the last flag have none.
    void drop(std::span<const std::uint8_t> points);
    int count() const { return static_cast<int>(kept_.size()); }
    std::span<const ContactRow> rows() const { return kept_; }

    // Lengths of these pairs of points do not change by contacts at the positions given.
    void set_edges(std::span<const LengthBand> edges, ConstPoints x, std::span<const double> inverse_mass);

    // Changes velocities [m/s] of all points of the surface where inverse_mass [1/kg] is not 0. Pushes add up
    // over the calls of a step and may be taken back. `tolerance` [m] is the way in one step that approaching
    // pairs may still have. False: nothing was left to do.
    bool settle(double dt, std::span<const double> inverse_mass, double tolerance, int sweeps, PointsView v);
    bool started() const { return started_; }  // settling in this step

    // Pairs of so many points that pushed in the last step and are not kept in this one, as rows without
    // weights but for the second: positive for two edges.
    std::vector<ContactRow> missing(int points) const;
    // Points and kind of the pairs that pushed in the last step, to be saved with the state.
    std::vector<double>& memory() { return memory_; }
    void forget() { memory_.clear(); }

private:
    // A pair of points that neither part nor approach along d.
    struct RateRow {
        int a, b;
        double share;  // 1 / (sum of inverse masses)
        Vec3 d;
    };
    void keep_lengths(std::span<const double> inverse_mass);
    void start();
    void remember();

    std::vector<ContactRow> kept_;
    bool started_ = false;
    std::vector<double> memory_;
    ContactRows rows_;
    std::vector<RateRow> edges_;
    Points way_, none_, first_;
};

}  // namespace taut::filters
