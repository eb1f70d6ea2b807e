#include "taut/filters/multiplier_rows.hpp"

#include <cmath>

namespace taut::filters {

double dot(std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

double norm(std::span<const double> a) { return std::sqrt(dot(a, a)); }

void MultiplierRows::resize(std::size_t vertices) {
    gradient.assign(ends.size(), Vec3::Zero());
    value.assign(ends.size(), 0.0);
    right.assign(ends.size(), 0.0);
    product_.assign(ends.size(), 0.0);
    inverse_mass.assign(vertices, 0.0);
    held_.clear();
    held_of_.assign(vertices, -1);
    force_.assign(vertices, Vec3::Zero());
}

void MultiplierRows::hold(std::vector<HeldVertex> held) {
    for (const HeldVertex& h : held_) held_of_[h.vertex] = -1;
    held_ = std::move(held);
    for (std::size_t k = 0; k < held_.size(); ++k) held_of_[held_[k].vertex] = static_cast<int>(k);
}

Vec3 MultiplierRows::weighted(int vertex, const Vec3& g) const {
    Vec3 result = g;
    if (held_of_[vertex] >= 0) {
        const HeldVertex& h = held_[held_of_[vertex]];
        for (int k = 0; k < h.count; ++k) result -= h.axis[k].dot(result) * h.axis[k];
    }
    return inverse_mass[vertex] * result;
}

void MultiplierRows::add_forces(std::span<const double> lambda, PointsView f) const {
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const Vec3 force = lambda[i] * gradient[i];
        f[ends[i][0]] -= force;
        f[ends[i][1]] += force;
    }
}

void MultiplierRows::weight(PointsView f) const {
    for (const HeldVertex& h : held_) {
        Vec3& own = f[h.vertex];
        for (int k = 0; k < h.count; ++k) own -= h.axis[k].dot(own) * h.axis[k];
    }
    for (std::size_t i = 0; i < f.size(); ++i) f[i] *= inverse_mass[i];
}

void MultiplierRows::multiply(ConstPoints v, std::span<double> y) const {
    for (std::size_t i = 0; i < ends.size(); ++i) y[i] = gradient[i].dot(v[ends[i][1]] - v[ends[i][0]]);
}

void MultiplierRows::product(std::span<const double> lambda, std::span<double> y) {
    std::fill(force_.begin(), force_.end(), Vec3::Zero());
    add_forces(lambda, force_);
    weight(force_);
    multiply(force_, y);
}

double MultiplierRows::entry(int i, int j) const {
    double sum = 0;
    for (int a = 0; a < 2; ++a) {
        const int vertex = ends[i][a];
        for (int b = 0; b < 2; ++b) {
            if (ends[j][b] != vertex) continue;
            const double along = gradient[j].dot(weighted(vertex, gradient[i]));
            sum += a == b ? along : -along;
        }
    }
    return sum;
}

void MultiplierRows::diagonal(std::span<double> d) const {
    for (int i = 0; i < size(); ++i) d[i] = entry(i, i);
}

double MultiplierRows::residual(std::span<const double> lambda) {
    product(lambda, product_);
    for (std::size_t i = 0; i < product_.size(); ++i) product_[i] = right[i] - product_[i];
    return norm(product_);
}

}  // namespace taut::filters
