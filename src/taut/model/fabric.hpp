// What a measured fabric says of a cloth: weight, thickness, and its resistance to bending and shear as
// curves. A cloth points to one; forces that resist bending or shear take it in place of their own
// stiffness. Files of fabrics and the fit of curves to measurements are in the room of scenes.
#pragma once

#include <string>

#include "taut/elements/load_curve.hpp"

namespace taut {

struct Fabric {
    std::string name;
    double density = 0.2;  // [kg/m^2]
    double thickness = 0;  // [m]; 0: not known

    // Moment per width [N] over curvature [1/m]: where warp yarns bend, and where weft yarns do.
    elements::LoadCurve bend_warp, bend_weft;
    // Force per width [N/m] over the angle [rad] by which warp and weft leave the right angle.
    elements::LoadCurve shear;

    // The straight lines that stand for these curves in forces that know one stiffness only: slopes as the
    // Kawabata system defines them, of bending between 50 and 150 1/m, of shear between 0.5 and 2.5 degrees.
    double bending_warp() const;  // B [N m]
    double bending_weft() const;
    double shear_stiffness() const;  // G [N/m]
};

}  // namespace taut
