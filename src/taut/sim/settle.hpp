// Coming to rest: what Simulation::settle is asked for, and what it tells. It makes steps as a run does and
// takes the motion out of the cloth on the way, so that any integrator and any chain of filters can be
// settled. See docs/theory/settle.md.
#pragma once

#include <array>
#include <limits>
#include <string>

#include "taut/sim/step_report.hpp"

namespace taut {

enum class SettleDamping {
    kinetic,  // every cloth is stopped where its kinetic energy passes a peak
    viscous   // velocities fade at a rate
};

struct SettleSettings {
    double at = 0;  // the scene moves until then; then its clock stands [s]
    double tolerance =
        1e-3;  // of the residual: mean unbalanced acceleration of a step from rest over 9.81 m/s^2 [1]
    double still = 1e-2;  // most that a vertex may move in such a step, part of the mean edge [1]
    int calm = 3;         // steps from rest in a row that must keep to both
    SettleDamping damping = SettleDamping::kinetic;
    double rate = 4;     // of viscous damping [1/s]
    double probe = 0.1;  // the cloth is let go for so long, and steps grow to this where any step will do [s]
    long max_steps = 20000;                                        // after which it gives up
    double max_seconds = std::numeric_limits<double>::infinity();  // of computing [s]
    double max_time = 600;                                         // of the cloth's motion [s]
    int frame_steps = 4;                                           // observers get a frame so often
};

enum class SettleOutcome { at_rest, gave_up, interrupted, failed };

struct SettleReport {
    SettleOutcome outcome = SettleOutcome::gave_up;
    double residual = std::numeric_limits<double>::infinity();  // of the last step from rest, rms by mass [1]
    double residual_most = std::numeric_limits<double>::infinity();  // of a single vertex [1]
    int residual_vertex = -1;                                        // which
    double moved = 0;                // most that a vertex moved in that step [m]
    double speed = 0;                // largest at the end of the last step [m/s]
    double kinetic = 0, energy = 0;  // at the end, energy with that of all forces [J]
    double strain = 0;               // largest of warp and weft at the end [1]
    long steps = 0, retries = 0;     // while settling; those before its clock stood are not among them
    long stops = 0;                  // of cloths, at peaks of their kinetic energy
    double time = 0;                 // of the cloth's motion while settling [s]
    double seconds = 0;              // of computing, while settling [s]
    std::string note;                // why it is not at rest, in words; empty where it is

    bool at_rest() const { return outcome == SettleOutcome::at_rest; }
};

}  // namespace taut
