#include "taut/base/incidence.hpp"

namespace taut {

Incidence places_of_vertices(int n, std::span<const int> members) {
    Incidence rows;
    rows.start.assign(static_cast<std::size_t>(n) + 1, 0);
    rows.item.resize(members.size());

    // Count, sum up, and fill in order, so that rows come out ascending.
    for (int vertex : members) ++rows.start[vertex + 1];
    for (int i = 0; i < n; ++i) rows.start[i + 1] += rows.start[i];
    std::vector<int> next(rows.start.begin(), rows.start.end() - 1);
    for (std::size_t k = 0; k < members.size(); ++k) rows.item[next[members[k]]++] = static_cast<int>(k);
    return rows;
}

Incidence groups_of_vertices(int n, std::span<const int> group_start, std::span<const int> members) {
    std::vector<int> group(members.size());
    for (std::size_t g = 0; g + 1 < group_start.size(); ++g) {
        for (int k = group_start[g]; k < group_start[g + 1]; ++k) group[k] = static_cast<int>(g);
    }
    Incidence rows = places_of_vertices(n, members);
    for (int& item : rows.item) item = group[item];
    return rows;
}

}  // namespace taut
