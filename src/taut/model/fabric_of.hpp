// Which fabric a vertex belongs to, for forces that take their stiffness from it.
#pragma once

#include <algorithm>
#include <vector>

#include "taut/model/model.hpp"

namespace taut {

// By vertex; null where its cloth has none. Valid as long as the model. Empty: no cloth has one.
inline std::vector<const Fabric*> fabric_of_vertices(const Model& model) {
    std::vector<const Fabric*> result;
    for (const Cloth& cloth : model.cloths) {
        if (!cloth.fabric) continue;
        result.resize(model.rest.size(), nullptr);
        const auto first = result.begin() + cloth.first_vertex;
        std::fill(first, first + cloth.vertex_count, cloth.fabric.get());
    }
    return result;
}

}  // namespace taut
