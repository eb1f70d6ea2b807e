#include "taut/forces/incidence.hpp"

namespace taut::forces {

Incidence faces_of_vertices(const Model& model) {
    std::vector<int> start{0}, members;
    start.reserve(model.faces.size() + 1);
    members.reserve(4 * model.faces.size());
    for (const mesh::Face& face : model.faces) {
        for (int k = 0; k < face.size(); ++k) members.push_back(face.corner[k]);
        start.push_back(static_cast<int>(members.size()));
    }
    return groups_of_vertices(model.vertex_count(), start, members);
}

}  // namespace taut::forces
