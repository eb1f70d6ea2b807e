// A mesh that moves through recorded frames, evenly spaced in time. Between them its points go straight,
// or along the cubic of Catmull and Rom, whose velocity is continuous everywhere: it is that of the chord
// over both neighbours at inner frames, and zero at the first and the last, where the mesh comes to rest.
#pragma once

#include <vector>

#include "taut/model/deformation.hpp"
#include "taut/model/motion.hpp"

namespace taut {

class RecordedFrames final : public Deformation {
public:
    using Frame = std::vector<Eigen::Vector3f>;  // [m]; as fine as files of recordings are

    // frames: at least two, all with the same number of points; fps: frames per second; start: time of
    // the first [s]. Throws InputError.
    RecordedFrames(std::vector<Frame> frames, double fps, double start, Interpolation interpolation);

    void at(double time, PointsView x) const override;
    std::uint64_t content() const override;

    double start() const { return start_; }                                                 // [s]
    double end() const { return start_ + static_cast<double>(frames_.size() - 1) / fps_; }  // [s]

private:
    std::vector<Frame> frames_;
    double fps_, start_;
    Interpolation interpolation_;
};

}  // namespace taut
