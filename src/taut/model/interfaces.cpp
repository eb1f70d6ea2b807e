#include "taut/model/interfaces.hpp"

namespace taut {

double Force::energy(ConstPoints) const { return 0; }

void Force::add_stiffness(std::vector<linalg::Triplet>&) const {}

void Force::add_damping(const ForceInput&, std::span<double>) const {}

}  // namespace taut
