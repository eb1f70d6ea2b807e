#include "taut/collision/friction.hpp"

#include <cmath>

namespace taut::collision {
namespace {

const FrictionPair* find(const FrictionTable& table, const std::string& a, const std::string& b) {
    for (const FrictionPair& pair : table) {
        if ((pair.first == a && pair.second == b) || (pair.first == b && pair.second == a)) return &pair;
    }
    return nullptr;
}

}  // namespace

std::vector<double> friction_matrix(const Surface& surface, const FrictionTable& table) {
    const std::size_t n = surface.bodies.size();
    std::vector<double> matrix(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            const Body &a = surface.bodies[i], &b = surface.bodies[j];
            double& entry = matrix[i * n + j];
            if (const FrictionPair* given = find(table, a.name, b.name)) {
                entry = given->coefficient;
            } else if (a.cloth == b.cloth) {
                entry = std::sqrt(a.friction * b.friction);
            } else {
                entry = a.cloth ? b.friction : a.friction;
            }
        }
    }
    return matrix;
}

double friction_on(const Body& cloth, const Obstacle& obstacle, const FrictionTable& table) {
    const FrictionPair* given = find(table, cloth.name, obstacle.name);
    return given ? given->coefficient : obstacle.friction;
}

}  // namespace taut::collision
