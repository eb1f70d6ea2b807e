#include "taut/filters/pinches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace taut::filters {
namespace {

// Two pushes with a cosine below this come from opposite sides.
constexpr double opposite = -0.5;

struct Push {
    int point;     // of the cloth
    int obstacle;  // that pushes
    Vec3 direction;
};

// The obstacle on the far side of a row from its k-th point, or -1 where that is cloth.
int obstacle_across(const collision::Surface& surface, const ContactRow& row, std::size_t k) {
    for (std::size_t j = 0; j < row.point.size(); ++j) {
        const int p = row.point[j];
        if (p < -1) return other_point(p);
        if (p >= 0 && row.weight[j] * row.weight[k] < 0 && !surface.is_cloth(p))
            return surface.body_of(p).obstacle;
    }
    return -1;
}

std::vector<Push> pushes_of(const collision::Surface& surface, std::span<const ContactRow> rows) {
    std::vector<Push> list;
    for (const ContactRow& row : rows) {
        if (!(row.push > 0)) continue;
        for (std::size_t k = 0; k < row.point.size(); ++k) {
            const int p = row.point[k];
            if (p < 0 || !surface.is_cloth(p) || row.weight[k] == 0) continue;
            const int obstacle = obstacle_across(surface, row, k);
            if (obstacle >= 0) list.push_back({p, obstacle, row.weight[k] > 0 ? row.normal : -row.normal});
        }
    }
    std::stable_sort(list.begin(), list.end(),
                     [](const Push& a, const Push& b) { return a.point < b.point; });
    return list;
}

using Pushes = std::vector<const Push*>;

// Two of these from different obstacles that oppose each other; null where none do.
std::pair<const Push*, const Push*> opposing(const Pushes& pushes) {
    for (const Push* a : pushes) {
        for (const Push* b : pushes) {
            if (a->obstacle < b->obstacle && a->direction.dot(b->direction) < opposite) return {a, b};
        }
    }
    return {nullptr, nullptr};
}

}  // namespace

Pinches find_pinches(const collision::Surface& surface, std::span<const collision::Obstacle> obstacles,
                     std::span<const ContactRow> rows) {
    Pinches found;
    const std::vector<Push> list = pushes_of(surface, rows);
    if (list.empty()) return found;
    std::vector<std::size_t> first(static_cast<std::size_t>(surface.cloth_points) + 1, 0);
    for (const Push& push : list) ++first[static_cast<std::size_t>(push.point) + 1];
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];

    // A triangle is pinched where two of the pushes on its corners oppose each other.
    Pushes own;
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
        const auto& corners = surface.triangles[t];
        if (!surface.is_cloth(corners[0])) continue;
        own.clear();
        for (const int c : corners) {
            const auto i = static_cast<std::size_t>(c);
            for (std::size_t k = first[i]; k < first[i + 1]; ++k) own.push_back(&list[k]);
        }
        const auto [low, high] = opposing(own);
        if (!low) continue;
        if (found.triangles.empty()) {
            found.first = low->point;
            found.points.assign(static_cast<std::size_t>(surface.cloth_points), 0);
            found.text = fmt::format("cloth '{}' is pinched between obstacles '{}' and '{}'",
                                     surface.body_of(low->point).name,
                                     obstacles[static_cast<std::size_t>(low->obstacle)].name,
                                     obstacles[static_cast<std::size_t>(high->obstacle)].name);
        }
        found.triangles.push_back(static_cast<int>(t));
        for (const int c : corners) found.points[static_cast<std::size_t>(c)] = 1;
    }
    return found;
}

}  // namespace taut::filters
