// A mesh whose points move over time, each in its own way: recorded frames, a skinned body. Obstacles ask
// where the points are; their velocity within a step follows from the two ends of it.
#pragma once

#include "taut/base/vec.hpp"

namespace taut {

class Deformation {
public:
    virtual ~Deformation() = default;
    // Writes where every point is [m] at a time [s]; before its start and after its end the mesh rests.
    // Continuous in time; may be called from several threads.
    virtual void at(double time, PointsView x) const = 0;
};

}  // namespace taut
