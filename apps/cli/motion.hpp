// How a run moves, and how far that is from how a converged one does.
#pragma once

#include <vector>

#include "taut/sim/simulation.hpp"

namespace taut::cli {

// Motion of a run: per step, the start first.
struct MotionTrace {
    std::vector<double> t;       // [s]
    std::vector<Vec3> center;    // of mass [m]
    std::vector<double> energy;  // [J]
    std::vector<double> potential;

    // Between two samples on a straight line; the ends are held.
    Vec3 center_at(double time) const;
    double energy_at(double time) const;
};

class TraceRecorder final : public Observer {
public:
    explicit TraceRecorder(MotionTrace& trace) : trace_(trace) {}
    void begin(const Simulation& simulation) override;
    void step(const Simulation& simulation, const StepReport& report) override;

private:
    void add(double t, const Vec3& center, double energy, double potential);

    MotionTrace& trace_;
};

inline constexpr double path_window = 0.5;  // [s]; later the swing is chaotic
inline constexpr double path_limit = 0.03;  // of the drop

// How far the centre of mass falls below its start within the window [m].
double drop_of(const MotionTrace& trace);

// Largest distance of the centres of mass within the window, as a part of the reference's drop.
double path_error(const MotionTrace& trace, const MotionTrace& reference);

}  // namespace taut::cli
