// Four lanes per vertex (x, y, z, unused): the vector type of the scalar solvers.
#pragma once

#include <vector>

namespace taut::linalg {

template <class Real>
struct LaneType;
template <>
struct LaneType<float> {
    typedef float type __attribute__((vector_size(16)));
};
template <>
struct LaneType<double> {
    typedef double type __attribute__((vector_size(32)));
};
template <class Real>
using Lanes = typename LaneType<Real>::type;
template <class Real>
using LaneVector = std::vector<Lanes<Real>>;

}  // namespace taut::linalg
