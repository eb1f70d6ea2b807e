// Which particles are closer to each other than a distance: space is cut into cells of that size and
// particles are sorted by their cells, so that each has to look at its own and the cells around it only.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "taut/base/vec.hpp"

namespace taut::forces {

class NearParticles {
public:
    // Particles that are not finite are nobody's neighbours.
    NearParticles(ConstPoints x, double distance);

    // Calls use(j) for every j != i with |x_j - x_i| < distance, in one order whatever the threads.
    template <class Use>
    void around(std::size_t i, Use&& use) const {
        if (!x_[i].allFinite()) return;
        const std::array<std::int64_t, 3> home = cell_of(x_[i]);
        for (std::int64_t dz = -1; dz <= 1; ++dz) {
            for (std::int64_t dy = -1; dy <= 1; ++dy) {
                // Cells next to each other along x follow each other.
                const auto [first, last] = row(home, dy, dz);
                for (std::size_t k = first; k < last; ++k) {
                    const int j = entries_[k].particle;
                    if (j == static_cast<int>(i)) continue;
                    if ((x_[std::size_t(j)] - x_[i]).squaredNorm() < distance_ * distance_) use(j);
                }
            }
        }
    }

private:
    struct Entry {
        std::array<std::int64_t, 3> cell;  // z, y, x
        int particle;
    };
    std::array<std::int64_t, 3> cell_of(const Vec3& p) const;
    std::array<std::size_t, 2> row(const std::array<std::int64_t, 3>& home, std::int64_t dy,
                                   std::int64_t dz) const;

    ConstPoints x_;
    double distance_;
    std::vector<Entry> entries_;
};

}  // namespace taut::forces
