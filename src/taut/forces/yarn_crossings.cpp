#include "taut/forces/yarn_crossings.hpp"

#include "taut/elements/drag.hpp"

namespace taut::forces {
namespace {

double face_area(const Model& model, const mesh::Face& face) {
    const auto& c = face.corner;
    const auto& x = model.rest;
    return face.size() == 4 ? elements::area_vector(x[c[0]], x[c[1]], x[c[2]], x[c[3]]).norm()
                            : elements::area_vector(x[c[0]], x[c[1]], x[c[2]]).norm();
}

}  // namespace

std::vector<double> patch_areas(const Model& model) {
    std::vector<double> area(model.rest.size(), 0.0);
    for (const mesh::Face& face : model.faces) {
        const double whole = face_area(model, face);
        for (int k = 0; k < face.size(); ++k) area[std::size_t(face.corner[k])] += whole / face.size();
    }
    return area;
}

std::vector<double> edge_strips(const Model& model) {
    std::vector<double> strip;
    for (std::size_t e = 0; e < model.edges.size(); ++e) {
        double area = 0;
        for (const int f : model.edges[e].face) {
            if (f < 0) continue;
            const mesh::Face& face = model.faces[std::size_t(f)];
            area += (face.size() == 4 ? 0.5 : 1) * face_area(model, face);
        }
        strip.push_back(area > 0 ? area : model.rest_length[e] * model.rest_length[e]);
    }
    return strip;
}

std::vector<YarnCrossing> yarn_crossings(const Model& model) {
    std::vector<YarnCrossing> crossings(model.rest.size());
    const std::vector<double> area = patch_areas(model);
    for (std::size_t i = 0; i < crossings.size(); ++i) crossings[i].area = area[i];
    for (std::size_t c = 0; c < model.cloths.size(); ++c) {
        const Cloth& cloth = model.cloths[c];
        for (int i = cloth.first_vertex; i < cloth.first_vertex + cloth.vertex_count; ++i)
            crossings[std::size_t(i)].cloth = static_cast<int>(c);
    }

    // Walk every yarn; the ends of a closed one meet.
    for (const mesh::Yarn& yarn : model.yarns) {
        if (yarn.direction == mesh::Direction::none) continue;
        const std::size_t n = yarn.vertex.size();
        for (std::size_t k = 0; k < n; ++k) {
            YarnCrossing& own = crossings[std::size_t(yarn.vertex[k])];
            auto& ends = yarn.direction == mesh::Direction::weft ? own.weft : own.warp;
            if (ends[0] >= 0 || ends[1] >= 0) continue;
            if (k > 0 || yarn.closed) ends[0] = yarn.vertex[(k + n - 1) % n];
            if (k + 1 < n || yarn.closed) ends[1] = yarn.vertex[(k + 1) % n];
        }
    }
    return crossings;
}

}  // namespace taut::forces
