// Where pins hold their vertices in a frame, from the cache alone: along the path of the pin, or carried by
// an obstacle that deforms, whose points the frames hold. Private to the verification.
#pragma once

#include <memory>
#include <vector>

#include "taut/collision/attached_points.hpp"
#include "taut/io/cache.hpp"

namespace taut::io::verify {

class PinPlaces {
public:
    // start: the first frame of the run, in which carried vertices lie on their body.
    PinPlaces(const CacheHeader& header, const CacheFrame& start);

    // Of all vertices of pin number p of the header [m].
    Points targets(std::size_t p, const CacheFrame& frame) const;

private:
    // The points of an obstacle as the frame at hand has them.
    struct Skin final : Deformation {
        void at(double, PointsView x) const override;
        Points points;
    };
    struct Carried {
        std::shared_ptr<Skin> skin;
        std::unique_ptr<collision::AttachedPoints> vertices;
    };

    const CacheHeader& header_;
    std::vector<Carried> carried_;  // one per pin, empty where nothing carries it
};

}  // namespace taut::io::verify
