#include "taut/forces/incidence.hpp"

namespace taut::forces {

Incidence groups_of_vertices(int n, std::span<const int> group_start, std::span<const int> members) {
    Incidence rows;
    rows.start.assign(static_cast<std::size_t>(n) + 1, 0);
    rows.item.resize(members.size());

    // Count, sum up, and fill group by group, so that rows come out ascending.
    for (int vertex : members) ++rows.start[vertex + 1];
    for (int i = 0; i < n; ++i) rows.start[i + 1] += rows.start[i];
    std::vector<int> next(rows.start.begin(), rows.start.end() - 1);
    for (std::size_t g = 0; g + 1 < group_start.size(); ++g) {
        for (int k = group_start[g]; k < group_start[g + 1]; ++k) {
            rows.item[next[members[k]]++] = static_cast<int>(g);
        }
    }
    return rows;
}

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
