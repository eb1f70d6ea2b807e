#include "taut/forces/near_particles.hpp"

#include <algorithm>
#include <cmath>

namespace taut::forces {
namespace {

// Cells further out than this are one: coordinates in cells stay exact integers.
constexpr double farthest_cell = 1e15;

}  // namespace

NearParticles::NearParticles(ConstPoints x, double distance) : x_(x), distance_(distance) {
    entries_.reserve(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (x[i].allFinite()) entries_.push_back({cell_of(x[i]), static_cast<int>(i)});
    }
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
        return a.cell != b.cell ? a.cell < b.cell : a.particle < b.particle;
    });
}

std::array<std::int64_t, 3> NearParticles::cell_of(const Vec3& p) const {
    const auto place = [&](double value) {
        return static_cast<std::int64_t>(
            std::clamp(std::floor(value / distance_), -farthest_cell, farthest_cell));
    };
    return {place(p.z()), place(p.y()), place(p.x())};
}

std::array<std::size_t, 2> NearParticles::row(const std::array<std::int64_t, 3>& home, std::int64_t dy,
                                              std::int64_t dz) const {
    const auto before = [](const Entry& entry, const std::array<std::int64_t, 3>& cell) {
        return entry.cell < cell;
    };
    const auto begin = entries_.begin();
    const auto first = std::lower_bound(
        begin, entries_.end(), std::array<std::int64_t, 3>{home[0] + dz, home[1] + dy, home[2] - 1}, before);
    const auto last = std::lower_bound(
        first, entries_.end(), std::array<std::int64_t, 3>{home[0] + dz, home[1] + dy, home[2] + 2}, before);
    return {std::size_t(first - begin), std::size_t(last - begin)};
}

}  // namespace taut::forces
