#include "taut/collision/mannequin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "taut/base/error.hpp"
#include "taut/collision/mannequin_body.hpp"
#include "taut/collision/mannequin_motion.hpp"

namespace taut::collision {

void describe(ParamList& list, MannequinParams& params) {
    list.choice("action", params.action, {"stand", "walk", "pirouette", "arm_wave"},
                "What she does; every motion starts from the rest pose.");
    list.number("speed", params.speed, "1", up_to(1000),
                "Pace of the motion; 1 is the pace it was made for.");
    list.number("start", params.start, "s", any_number(), "Time until which she stands in the rest pose.");
    list.integer("cycles", params.cycles, "1", between(0, 1'000'000),
                 "Pairs of steps, turns or waves before she rests again; 0: no end.");
    list.flag("in_place", params.in_place, "Walks without leaving the place: the floor runs backwards.");
    list.vector("position", params.position, "m", coordinates(),
                "Place on the floor between her feet at rest.");
    list.number("heading", params.heading, "deg", turns(),
                "Turn to her left about the vertical; 0: she looks along -y.");
}

Mannequin::Mannequin(Params params) : params_(std::move(params)) {
    ParamList list;
    describe(list, params_);
    for (const Param& entry : list.entries()) {
        bool good = true;
        if (const auto* number = std::get_if<double*>(&entry.target))
            good = std::isfinite(**number) && entry.range.contains(**number);
        if (const auto* integer = std::get_if<int*>(&entry.target)) good = entry.range.contains(**integer);
        if (const auto* vector = std::get_if<Vec3*>(&entry.target)) good = entry.range.contains(**vector);
        if (const auto* text = std::get_if<std::string*>(&entry.target))
            good = std::find(entry.choices.begin(), entry.choices.end(), **text) != entry.choices.end();
        if (good) continue;
        throw InputError({}, "the mannequin has a bad " + entry.name, entry.value_text(),
                         "allowed: " + entry.allowed_text());
    }
    mannequin_body();
}

double Mannequin::duration() const {
    if (params_.action == "stand") return 0;
    if (params_.cycles == 0) return std::numeric_limits<double>::infinity();
    const double own = params_.action == "walk"        ? walk_duration(params_.cycles)
                       : params_.action == "pirouette" ? pirouette_duration(params_.cycles)
                                                       : arm_wave_duration(params_.cycles);
    return own / params_.speed;
}

BonePlaces Mannequin::bones(double time) const {
    // Pose her at the time of the motion.
    const double end = std::min(duration(), std::numeric_limits<double>::max());
    const double own = params_.speed * std::clamp(time - params_.start, 0.0, end);
    Pose pose;
    if (params_.action == "walk") pose = walk_pose(own, params_.cycles, params_.in_place);
    if (params_.action == "pirouette") pose = pirouette_pose(own, params_.cycles);
    if (params_.action == "arm_wave") pose = arm_wave_pose(own, params_.cycles);
    BonePlaces places = place_bones(pose);

    // Put her into the room.
    const Eigen::Quaterniond heading = turn_by({0, 0, params_.heading * degree});
    for (BonePlace& place : places) {
        place.rotation = heading * place.rotation;
        place.translation = heading * place.translation + params_.position;
    }
    return places;
}

void Mannequin::at(double time, PointsView x) const {
    mannequin_body().skin.move(bones(time), rest_points(), x);
}

std::array<Vec3, joint_count> Mannequin::joints(double time) const {
    const BonePlaces places = bones(time);
    std::array<Vec3, joint_count> result;
    for (std::size_t k = 0; k < joint_count; ++k) result[k] = places[k](rest_joint(static_cast<Joint>(k)));
    return result;
}

ConstPoints Mannequin::rest_points() { return mannequin_body().surface.points; }
std::span<const std::array<int, 3>> Mannequin::triangles() { return mannequin_body().surface.triangles; }
std::span<const Joint> Mannequin::parts() { return mannequin_body().parts; }
const MannequinLandmarks& Mannequin::landmarks() { return mannequin_body().landmarks; }

}  // namespace taut::collision
