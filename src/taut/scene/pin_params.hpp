// The plain parameter structs of what holds vertices: pins, their motions, seams, correction maps, and
// selectors by place. Each has a describe() beside it.
#pragma once

#include <limits>
#include <string>
#include <string_view>

#include "taut/base/parameter.hpp"

namespace taut::scene {

// Pins and motions.
struct PinParams {
    std::string name;
    Vec3 offset = Vec3::Zero();                                // [m]
    double release = std::numeric_limits<double>::infinity();  // [s]
    std::string attach;                                        // name of an obstacle, or empty
    bool rigid = false;
};
// The curve or surface that a pin leaves its vertices on.
struct GuideParams {
    std::string type = "line";
    Vec3 point = Vec3::Zero();  // [m]
    Vec3 axis = Vec3::UnitX();
    double radius = 0.1;  // [m]
    bool closed = false;
};
// Whether what is of this type has this key: one of those above, or `points`.
bool guide_has(std::string_view type, std::string_view key);

struct MotionParams {
    Vec3 center = Vec3::Zero();  // [m]
    std::string interpolation = "smooth";
};
struct KeyframeParams {
    double time = 0;                // [s]
    Vec3 translate = Vec3::Zero();  // [m]
    Vec3 rotate = Vec3::Zero();     // rotation vector [deg]
};

struct SeamParams {
    std::string name;
    double length = 0.002;  // [m]
    bool reverse = false;
};

// Correction maps: when one is called by time.
struct MapParams {
    std::string name;
    double from = 0;                                         // [s]
    double until = std::numeric_limits<double>::infinity();  // [s]
    double every = 0;                                        // [s]
};

// Selectors by place.
struct BoxSelector {
    Vec3 min = Vec3::Constant(-1), max = Vec3::Constant(1);  // [m]
};
struct SphereSelector {
    Vec3 center = Vec3::Zero();  // [m]
    double radius = 0.1;         // [m]
};

void describe(ParamList& list, PinParams& params);
void describe(ParamList& list, GuideParams& params);
void describe(ParamList& list, MotionParams& params);
void describe(ParamList& list, KeyframeParams& params);
void describe(ParamList& list, SeamParams& params);
void describe(ParamList& list, MapParams& params);
void describe(ParamList& list, BoxSelector& params);
void describe(ParamList& list, SphereSelector& params);

}  // namespace taut::scene
