// A mesh whose points move over time, each in its own way: recorded frames, a skinned body. Obstacles ask
// where the points are; their velocity within a step follows from the two ends of it.
#pragma once

#include <cstdint>

#include "taut/base/vec.hpp"

namespace taut {

class Deformation {
public:
    virtual ~Deformation() = default;
    // Writes where every point is [m] at a time [s]; before its start and after its end the mesh rests.
    // Continuous in time; may be called from several threads.
    virtual void at(double time, PointsView x) const = 0;
    // A hash of what the motion was made from beyond its parameters, such as the content of files.
    virtual std::uint64_t content() const { return 0; }
};

}  // namespace taut
