// Words for places on a surface, for messages: which face of which cloth, which pair, where. Numbers are
// those of the cloth or obstacle itself, from 0.
#pragma once

#include <string>

#include "taut/collision/pair_motion.hpp"
#include "taut/collision/surface.hpp"

namespace taut::collision {

// "face 12 of cloth 'sheet'", "link 3 of cloth 'rope'", "triangle 7 of obstacle 'body'". Halves of a quad
// have one name.
std::string triangle_name(const Surface& surface, const Model& model, int triangle);

// "vertex 4 of cloth 'sheet' and triangle 1-2-3 of obstacle 'body'", "edge 4-5 of ... and edge 7-8 of ...",
// "... and obstacle 'ball'".
std::string pair_name(const Surface& surface, PairKind kind, const PairPoints& pair);

// "(0.1, -0.25, 1.002)" [m].
std::string place_name(const Vec3& x);

}  // namespace taut::collision
