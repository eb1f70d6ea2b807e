// Drag of still or uniformly moving air on every face: pressure on the velocity across the face,
// skin friction on the velocity along it, both quadratic in speed. A face moves with the mean
// velocity of its corners and hands equal parts of its force to them; a quad counts as a whole,
// with its area vector, so that no diagonal is preferred. See docs/theory/air_drag.md.
#pragma once

#include "taut/elements/drag.hpp"
#include "taut/forces/incidence.hpp"
#include "taut/model/interfaces.hpp"

namespace taut::forces {

struct AirDragParams {
    Vec3 wind = Vec3::Zero();  // [m/s]
    double density = 1.2;      // of the air [kg/m^3]
    double normal = 1.0;       // drag coefficient across a face [1]
    double tangential = 0.02;  // skin friction coefficient along a face, both sides together [1]
};

void describe(ParamList& list, AirDragParams& params);

class AirDrag final : public Force {
public:
    using Params = AirDragParams;
    static constexpr const char* type_name = "air_drag";

    explicit AirDrag(Params params);
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    ForceSource source() const override { return ForceSource::air; }
    void add_force(const ForceInput& in, PointsView f) const override;
    void add_damping(const ForceInput& in, std::span<double> damping) const override;

private:
    struct FaceMotion {
        Vec3 area, velocity;  // [m^2], relative to the air [m/s]
        double share;         // of the face's force that each corner takes [1]
    };
    FaceMotion face_motion(const mesh::Face& face, const ForceInput& in) const;

    Params params_;
    elements::DragLaw law_;
    std::vector<mesh::Face> faces_;
    Incidence faces_of_;
};

}  // namespace taut::forces
