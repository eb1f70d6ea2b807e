// How the skin of the mannequin follows its bones: weights per vertex, and dual quaternions blended with
// them (Kavan et al. 2008), which bend joints without the collapse of blended matrices.
#pragma once

#include <span>
#include <vector>

#include "taut/collision/mannequin_shape.hpp"
#include "taut/collision/mannequin_skeleton.hpp"
#include "taut/mesh/triangle_net.hpp"

namespace taut::collision {

class Skin {
public:
    struct Weight {
        Joint joint;
        double value;  // positive; those of a vertex add up to one
    };

    // Weights fall off smoothly across joints, in bands of a designed width, and are evened along edges.
    Skin(const MannequinShape& shape, const mesh::TriangleSurface& surface);

    std::span<const Weight> weights(int vertex) const {
        const auto v = static_cast<std::size_t>(vertex);
        return std::span(weights_).subspan(first_[v], first_[v + 1] - first_[v]);
    }
    // Where the bones carry the skin [m]; one point per vertex.
    void move(const BonePlaces& bones, ConstPoints rest, PointsView x) const;

private:
    std::vector<std::size_t> first_;  // per vertex, and the end
    std::vector<Weight> weights_;
};

}  // namespace taut::collision
