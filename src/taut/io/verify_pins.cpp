#include "taut/io/verify_pins.hpp"

#include <algorithm>

namespace taut::io::verify {

void PinPlaces::Skin::at(double, PointsView x) const { std::copy(points.begin(), points.end(), x.begin()); }

PinPlaces::PinPlaces(const CacheHeader& header, const CacheFrame& start) : header_(header) {
    if (!header.pins) return;
    for (const PinGroup& pin : *header.pins) {
        Carried& carried = carried_.emplace_back();
        if (pin.body < 0) continue;
        const auto body = static_cast<std::size_t>(pin.body);
        carried.skin = std::make_shared<Skin>();
        carried.skin->points = start.deformed[body];

        // Frames hold the points as they are: there is no motion on top.
        collision::Obstacle obstacle = header.obstacles[body];
        obstacle.motion = {};
        obstacle.mesh = std::make_shared<collision::ObstacleMesh>(
            collision::ObstacleMesh{obstacle.mesh->triangles, obstacle.mesh->rest, carried.skin});
        carried.vertices =
            std::make_unique<collision::AttachedPoints>(std::move(obstacle), pin.anchor, 0, pin.rigid);
    }
}

Points PinPlaces::targets(std::size_t p, const CacheFrame& frame) const {
    const PinGroup& pin = (*header_.pins)[p];
    const Carried& carried = carried_[p];
    if (!carried.vertices) return pin.targets(frame.t);
    carried.skin->points = frame.deformed[static_cast<std::size_t>(pin.body)];
    Points places(pin.vertices.size());
    carried.vertices->at(frame.t, places);
    return places;
}

}  // namespace taut::io::verify
