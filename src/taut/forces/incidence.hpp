// Which faces touch which vertex of a model.
#pragma once

#include "taut/base/incidence.hpp"
#include "taut/model/model.hpp"

namespace taut::forces {

// Faces around every vertex of the model.
Incidence faces_of_vertices(const Model& model);

}  // namespace taut::forces
