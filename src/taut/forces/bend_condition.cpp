#include "taut/forces/bend_condition.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

#include "taut/elements/hinge.hpp"
#include "taut/model/fabric_of.hpp"
#include "taut/model/pattern.hpp"

namespace taut::forces {
namespace {

// The nearest positive semi-definite matrix.
void make_positive(elements::HingeHessian& h) {
    Eigen::Matrix<double, 12, 12> m;
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) m.block<3, 3>(3 * i, 3 * j) = h[i][j];
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 12, 12>> eigen(m);
    m = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() *
        eigen.eigenvectors().transpose();
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) h[i][j] = m.block<3, 3>(3 * i, 3 * j);
    }
}

}  // namespace

void describe(ParamList& list, BendConditionParams& params) {
    list.number("weft", params.weft, "N m", between(0, 1e12),
                "Bending stiffness when the weft yarns bend; a fabric has its own.");
    list.number("warp", params.warp, "N m", between(0, 1e12),
                "Bending stiffness when the warp yarns bend; a fabric has its own.");
    list.number("damping", params.damping, "s", non_negative(),
                "Damping of angles, as a time times the stiffness.");
    list.choice("rest", params.rest, {"flat", "shape"},
                "Angles without bending: none, for cloth cut from flat fabric, or those of the rest shape.");
    describe_curvature(list, params.curvature);
}

void BendCondition::prepare(const Model& model) {
    stiffness_.clear();
    rest_angle_.clear();
    flat_.clear();
    const std::vector<const Fabric*> fabrics = fabric_of_vertices(model);
    std::vector<std::array<int, 4>> vertices;
    for (const PatternHinge& hinge : pattern_hinges(model, pattern_triangles(model))) {
        const double square = hinge.along.squaredNorm();
        if (!(hinge.area > 0 && square > 0)) continue;
        const double along_weft = hinge.along.x() * hinge.along.x() / square;
        const Fabric* fabric = fabrics.empty() ? nullptr : fabrics[hinge.vertex[0]];
        const double warp = fabric ? fabric->bending_warp() : params_.warp;
        const double weft = fabric ? fabric->bending_weft() : params_.weft;
        const double bending = along_weft * warp + (1 - along_weft) * weft;
        vertices.push_back(hinge.vertex);
        stiffness_.push_back(bending * square / hinge.area);
        rest_angle_.push_back(params_.rest == "shape" ? hinge.rest_angle : 0);
        const auto& x = model.rest;
        const auto [a, b, c, d] = hinge.vertex;
        const elements::Stencil s = elements::hinge_stencil(x[a], x[b], x[c], x[d]);
        const double length = (x[b] - x[a]).norm();
        std::array<double, 4> flat{};
        for (int k = 0; k < s.size; ++k) flat[k] = s.coefficient[k] / length;
        flat_.push_back(flat);
    }
    blocks_.prepare(model.vertex_count(), std::move(vertices));
}

elements::HingePoints BendCondition::points(std::size_t h, ConstPoints x) const {
    const auto [a, b, c, d] = blocks_.vertices(h);
    return {x[a], x[b], x[c], x[d]};
}

double BendCondition::angle(std::size_t h, const elements::HingePoints& x) const {
    // Beyond half a turn from rest the other way round is shorter.
    return std::remainder(elements::dihedral_angle(x) - rest_angle_[h], 2 * std::numbers::pi);
}

// k C + d C'.
double BendCondition::pull(std::size_t h, const elements::HingePoints& x,
                           const elements::HingeGradient& gradient, ConstPoints v) const {
    double rate = 0;
    for (int k = 0; k < 4; ++k) rate += gradient[k].dot(v[blocks_.vertices(h)[k]]);
    return stiffness_[h] * (angle(h, x) + params_.damping * rate);
}

void BendCondition::add_force(const ForceInput& in, PointsView f) const {
    std::vector<elements::HingeGradient> force(blocks_.size());
    parallel_for(blocks_.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t h = begin; h < end; ++h) {
            const elements::HingePoints x = points(h, in.x);
            force[h] = elements::dihedral_gradient(x);
            const double p = pull(h, x, force[h], in.v);
            for (Vec3& g : force[h]) g *= p;
        }
    });
    parallel_for(f.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            for (const int place : blocks_.places(i)) f[i] -= force[place / 4][place % 4];
        }
    });
}

double BendCondition::energy(ConstPoints x) const {
    return parallel_sum(blocks_.size(), [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t h = begin; h < end; ++h) {
            const double theta = angle(h, points(h, x));
            sum += 0.5 * stiffness_[h] * theta * theta;
        }
        return sum;
    });
}

void BendCondition::add_stiffness(std::vector<linalg::Triplet>& triplets) const {
    for (std::size_t h = 0; h < blocks_.size(); ++h) {
        if (stiffness_[h] == 0) continue;
        for (int a = 0; a < 4; ++a) {
            for (int b = 0; b < 4; ++b) {
                triplets.push_back({blocks_.vertices(h)[a], blocks_.vertices(h)[b],
                                    stiffness_[h] * flat_[h][a] * flat_[h][b]});
            }
        }
    }
}

void BendCondition::add_pattern(std::vector<std::array<int, 2>>& pairs) const { blocks_.add_pattern(pairs); }

// scale * stiffness times the outer products of gradients.
void BendCondition::add_outer(const ForceInput& in, double scale, linalg::BlockMatrix& hessian) const {
    blocks_.add([&](std::size_t h) { return elements::dihedral_gradient(points(h, in.x)); },
                [&](std::size_t h, const elements::HingeGradient& g, int row, int column) {
                    return Mat3(scale * stiffness_[h] * g[row] * g[column].transpose());
                },
                hessian);
}

void BendCondition::add_full(const ForceInput& in, double scale, bool positive,
                             linalg::BlockMatrix& hessian) const {
    blocks_.add(
        [&](std::size_t h) {
            const elements::HingePoints x = points(h, in.x);
            const elements::HingeGradient g = elements::dihedral_gradient(x);
            elements::HingeHessian full = elements::dihedral_hessian(x);
            const double p = pull(h, x, g, in.v);
            for (int i = 0; i < 4; ++i) {
                for (int j = 0; j < 4; ++j)
                    full[i][j] = p * full[i][j] + stiffness_[h] * g[i] * g[j].transpose();
            }
            if (positive) make_positive(full);
            return full;
        },
        [&](std::size_t, const elements::HingeHessian& full, int row, int column) {
            return Mat3(scale * full[row][column]);
        },
        hessian);
}

void BendCondition::add_hessian(const ForceInput& in, double scale, linalg::BlockMatrix& hessian) const {
    const elements::Curvature curvature = curvature_of(params_.curvature);
    if (curvature == elements::Curvature::none) return add_outer(in, scale, hessian);
    add_full(in, scale, curvature == elements::Curvature::positive, hessian);
}

void BendCondition::add_damping_hessian(const ForceInput& in, double scale,
                                        linalg::BlockMatrix& hessian) const {
    if (params_.damping > 0) add_outer(in, scale * params_.damping, hessian);
}

}  // namespace taut::forces
