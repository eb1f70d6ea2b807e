// Fabrics that drape under their own weight, as simulations brought to rest: the disc over a pedestal of
// Cusick, told by its shadow, and the strip over an edge of ASTM D1388, told by the overhang at which its tip
// falls to 41.5 degrees. See docs/theory/fabric_bench.md.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "taut/model/model.hpp"
#include "taut/scene/scene.hpp"
#include "taut/sim/settle.hpp"

namespace taut::scene {

// A shadow under parallel light from above, of triangles and quads, on a raster of so many pixels along its
// longer side.
struct Shadow {
    double area = 0;             // [m^2]
    std::vector<double> radius;  // of the outline about an axis, in 360 directions [m]
};
Shadow cast_shadow(const Model& model, ConstPoints x, const Vec3& axis, int pixels = 1500);

struct DrapeResult {
    double coefficient = 0;  // (shadow - clamp) / (disc - clamp)
    int nodes = 0;           // folds of the outline: its strongest wave of 2 to 24
    double depth = 0;        // lowest point below the clamp [m]
    SettleReport settled;
    int vertices = 0;
    State state;
};

// Settles a scene with one woven_disc whose part `clamp` is pinned, such as the built-in cusick, and measures
// it. Starts as the scene has it, or at rest in these positions.
DrapeResult test_drape(const Scene& scene, const SettleSettings& settings, const Points* start = nullptr);

struct CantileverResult {
    double overhang = 0;               // at which the tip is at the angle [m]
    double length = 0;                 // bending length, half the overhang as in the standard [m]
    double peirce = 0;                 // by Peirce's formula without that rounding [m]
    double expected = 0;               // (B / w)^(1/3), with the straight-line stiffness [m]
    double stiffness = 0, weight = 0;  // B [N m], w [N/m^2]
    int strips = 0;                    // settled
    bool at_rest = true;
    std::vector<Vec2> profile;  // of the last strip: along and down, from the edge [m]
};

inline constexpr double cantilever_angle = 41.5;  // [deg]

// A strip of a fabric, so many cells long, along weft or warp.
CantileverResult test_cantilever(std::shared_ptr<const Fabric> fabric, bool weft, int cells);

}  // namespace taut::scene
