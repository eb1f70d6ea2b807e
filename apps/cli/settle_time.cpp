// How long a scene is followed before it is brought to rest.
#include "settle_time.hpp"

#include <algorithm>
#include <cmath>

#include "taut/scene/build.hpp"

namespace taut::cli {

namespace {

bool moves(const PinGroup& pin) { return pin.moving() || std::isfinite(pin.release); }

bool moves(const Guide& guide) { return guide.motion.moving() || std::isfinite(guide.release); }

bool moves(const Seam& seam) { return seam.close_end > 0; }

bool moves(const collision::Obstacle& obstacle) {
    return obstacle.motion.moving() || (obstacle.mesh && obstacle.mesh->deformation);
}

// The sum of all forces on the cloth as it starts.
Points forces_at(const Pipeline& pipeline, const State& start, double time) {
    Points f(start.x.size(), Vec3::Zero());
    for (const auto& force : pipeline.forces) force->add_force({start.x, start.v, time}, f);
    return f;
}

}  // namespace

double settle_time(const scene::Scene& scene) {
    scene::Assembly assembly = scene::assemble(scene);
    const double end = scene.run.duration;
    const auto any = [](const auto& list) {
        return std::any_of(list.begin(), list.end(), [](const auto& item) { return moves(item); });
    };
    const Model& model = assembly.model;
    if (any(model.pins) || any(model.guides) || any(model.seams) || any(assembly.obstacles)) return end;
    if (!scene.maps.empty()) return end;
    const Pipeline pipeline = scene::make_pipeline(scene, assembly);
    for (const auto& force : pipeline.forces) force->prepare(model);
    return forces_at(pipeline, assembly.start, 0) == forces_at(pipeline, assembly.start, end) ? 0 : end;
}

}  // namespace taut::cli
