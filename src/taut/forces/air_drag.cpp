#include "taut/forces/air_drag.hpp"

#include "taut/base/parallel.hpp"

namespace taut::forces {

void describe(ParamList& list, AirDragParams& params) {
    list.vector("wind", params.wind, "m/s", "Velocity of the air, the same everywhere.");
    list.number("density", params.density, "kg/m^3", non_negative(), "Density of the air.");
    list.number("normal", params.normal, "1", non_negative(), "Drag coefficient for motion across a face.");
    list.number("tangential", params.tangential, "1", non_negative(),
                "Skin friction coefficient for motion along a face, both sides together.");
}

AirDrag::AirDrag(Params params)
    : params_(params), law_{0.5 * params.density * params.normal, 0.5 * params.density * params.tangential} {}

void AirDrag::prepare(const Model& model) {
    faces_ = model.faces;
    faces_of_ = faces_of_vertices(model);
}

AirDrag::FaceMotion AirDrag::face_motion(const mesh::Face& face, const ForceInput& in) const {
    const auto& c = face.corner;
    if (face.size() == 3) {
        return {elements::area_vector(in.x[c[0]], in.x[c[1]], in.x[c[2]]),
                (in.v[c[0]] + in.v[c[1]] + in.v[c[2]]) / 3 - params_.wind, 1.0 / 3};
    }
    return {elements::area_vector(in.x[c[0]], in.x[c[1]], in.x[c[2]], in.x[c[3]]),
            0.25 * ((in.v[c[0]] + in.v[c[1]]) + (in.v[c[2]] + in.v[c[3]])) - params_.wind, 0.25};
}

void AirDrag::add_force(const ForceInput& in, PointsView f) const {
    // Gather per vertex; each face is evaluated once per corner, which costs less than storing it.
    parallel_for(f.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            for (int face : faces_of_.of(i)) {
                const FaceMotion m = face_motion(faces_[face], in);
                f[i] += m.share * elements::drag_force(law_, m.area, m.velocity);
            }
        }
    });
}

void AirDrag::add_damping(const ForceInput& in, std::span<double> damping) const {
    // A face with k corners has the Jacobian (1/k^2) 1 1^T (x) J, which (1/k) max J bounds on each.
    parallel_for(damping.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            for (int face : faces_of_.of(i)) {
                const FaceMotion m = face_motion(faces_[face], in);
                damping[i] += m.share * elements::drag_majorant(law_, m.area, m.velocity);
            }
        }
    });
}

}  // namespace taut::forces
