#include "taut/model/recorded_frames.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "taut/base/error.hpp"
#include "taut/base/hash.hpp"
#include "taut/base/parameter.hpp"

namespace taut {
namespace {

// Weights of the frames before, at, after and two after a place s in [0, 1) between two frames. Frames
// beyond the ends do not count: the velocity there is zero.
std::array<double, 4> weights(double s, Interpolation interpolation, bool first, bool last) {
    if (interpolation == Interpolation::linear) return {0, 1 - s, s, 0};
    const double r = 1 - s;
    const double leave = first ? 0 : 0.5 * s * r * r, arrive = last ? 0 : -0.5 * s * s * r;
    const double share = s * s * (3 - 2 * s);
    return {-leave, 1 - share - arrive, share + leave, arrive};
}

}  // namespace

RecordedFrames::RecordedFrames(std::vector<Frame> frames, double fps, double start,
                               Interpolation interpolation)
    : frames_(std::move(frames)), fps_(fps), start_(start), interpolation_(interpolation) {
    if (frames_.size() < 2) {
        throw InputError({}, "a recording needs at least two frames", std::to_string(frames_.size()),
                         "leave the recording out for a mesh that does not deform");
    }
    if (!std::isfinite(fps_) || !(fps_ > 0))
        throw InputError({}, "a recording needs a frame rate", number_text(fps_), "allowed: > 0");
    if (!std::isfinite(start_)) throw InputError({}, "the start of a recording is not finite");
    for (std::size_t k = 1; k < frames_.size(); ++k) {
        if (frames_[k].size() == frames_[0].size()) continue;
        throw InputError({{}, "frame " + std::to_string(k)}, "a frame has another number of points",
                         std::to_string(frames_[k].size()), "allowed: " + std::to_string(frames_[0].size()));
    }
}

void RecordedFrames::at(double time, PointsView x) const {
    assert(x.size() == frames_[0].size());

    // Rest before the first frame and after the last.
    const std::size_t last = frames_.size() - 1;
    const double place = (time - start_) * fps_;
    if (!(place > 0) || place >= static_cast<double>(last)) {
        const Frame& frame = place > 0 ? frames_[last] : frames_[0];
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = frame[i].cast<double>();
        return;
    }

    // Sum the frames around the place.
    const auto k = std::min(static_cast<std::size_t>(place), last - 1);
    const auto [w0, w1, w2, w3] =
        weights(place - static_cast<double>(k), interpolation_, k == 0, k + 1 == last);
    const Frame &a = frames_[k == 0 ? k : k - 1], &b = frames_[k], &c = frames_[k + 1],
                &d = frames_[std::min(k + 2, last)];
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = w0 * a[i].cast<double>() + w1 * b[i].cast<double>() + w2 * c[i].cast<double>() +
               w3 * d[i].cast<double>();
    }
}

std::uint64_t RecordedFrames::content() const {
    std::uint64_t hash = frames_.size();
    for (const Frame& frame : frames_)
        hash = hash_bytes(frame.data(), frame.size() * sizeof(Eigen::Vector3f), hash);
    return hash;
}

}  // namespace taut
