// The rows of House et al. 1996, Eq. 19, in one step:  J W J^T lambda = b, one row per edge that keeps its
// length, with a gradient at either end. W is the inverse mass, none of it where pinned. A vertex that
// obstacles hold from some directions has none along those: contact rows have one vertex each, so that they
// are eliminated exactly and never enter the system. See docs/theory/constrained_dynamics.md.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "taut/base/vec.hpp"

namespace taut::filters {

// Directions that a vertex cannot move along.
struct HeldVertex {
    int vertex = 0, count = 0;
    std::array<Vec3, 3> axis{};  // orthonormal
};

class MultiplierRows {
public:
    std::vector<std::array<int, 2>> ends;  // m
    Points gradient;                       // dC/dx of the second end, minus that of the first; m
    std::vector<double> value;             // C, m
    std::vector<double> right;             // b, m
    std::vector<double> inverse_mass;      // [1/kg], n; 0 where pinned

    int size() const { return static_cast<int>(ends.size()); }
    void resize(std::size_t vertices);  // after `ends` is filled

    // Vertices held by obstacles from now on, ascending, each once.
    void hold(std::vector<HeldVertex> held);
    const std::vector<HeldVertex>& held() const { return held_; }

    Vec3 weighted(int vertex, const Vec3& g) const;                       // W g of one vertex
    void add_forces(std::span<const double> lambda, PointsView f) const;  // f += J^T lambda
    void weight(PointsView f) const;                                      // f = W f
    void multiply(ConstPoints v, std::span<double> y) const;              // y = J v
    void product(std::span<const double> lambda, std::span<double> y);    // y = J W J^T lambda
    double entry(int i, int j) const;                                     // of J W J^T
    void diagonal(std::span<double> d) const;
    double residual(std::span<const double> lambda);  // |b - J W J^T lambda|

private:
    std::vector<HeldVertex> held_;
    std::vector<int> held_of_;  // n; -1: free
    Points force_;              // n
    std::vector<double> product_;
};

double norm(std::span<const double> a);
double dot(std::span<const double> a, std::span<const double> b);

}  // namespace taut::filters
