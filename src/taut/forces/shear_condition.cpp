#include "taut/forces/shear_condition.hpp"

#include "taut/model/fabric_of.hpp"

namespace taut::forces {
namespace {

// The largest eigenvalue of g g^T + c [[0, I], [I, 0]] for |w_u| = |w_v| = 1 and c = w_u . w_v between -1 and
// 1 is 1 + sqrt(1 + 3 c^2).
constexpr double largest_share = 3;

}  // namespace

void describe(ParamList& list, ShearConditionParams& params) {
    list.number("stiffness", params.stiffness, "N/m", between(0, 1e12),
                "Stiffness against shear, force per width and cosine of the angle between weft and warp; a "
                "fabric has "
                "its own.");
    list.number("damping", params.damping, "s", non_negative(),
                "Damping of shear, as a time times the stiffness.");
    describe_curvature(list, params.curvature);
}

void ShearCondition::prepare(const Model& model) {
    triangles_.prepare(model);
    const std::vector<const Fabric*> fabrics = fabric_of_vertices(model);
    stiffness_.assign(triangles_.size(), params_.stiffness);
    for (std::size_t t = 0; t < triangles_.size() && !fabrics.empty(); ++t) {
        const Fabric* fabric = fabrics[triangles_.blocks().vertices(t)[0]];
        if (fabric) stiffness_[t] = fabric->shear_stiffness();
    }
    for (std::size_t t = 0; t < triangles_.size(); ++t) stiffness_[t] *= triangles_.material(t).area;
}

elements::ShearCondition ShearCondition::condition(std::size_t t) const {
    return {stiffness_[t], params_.damping * stiffness_[t], 0};
}

void ShearCondition::add_force(const ForceInput& in, PointsView f) const {
    triangles_.subtract(
        [&](std::size_t t) {
            const MaterialFrame w = triangles_.frame(t, in.x), rate = triangles_.frame(t, in.v);
            return elements::shear_gradient(condition(t), w.u, w.v, rate.u, rate.v);
        },
        f);
}

double ShearCondition::energy(ConstPoints x) const {
    return parallel_sum(triangles_.size(), [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t t = begin; t < end; ++t) {
            const MaterialFrame w = triangles_.frame(t, x);
            sum += elements::shear_energy(condition(t), w.u, w.v);
        }
        return sum;
    });
}

void ShearCondition::add_stiffness(std::vector<linalg::Triplet>& triplets) const {
    triangles_.add_stiffness(
        [&](std::size_t t) {
            const double bound = largest_share * condition(t).stiffness;
            return std::pair(bound, bound);
        },
        triplets);
}

void ShearCondition::add_pattern(std::vector<std::array<int, 2>>& pairs) const {
    triangles_.blocks().add_pattern(pairs);
}

void ShearCondition::add_hessian(const ForceInput& in, double scale, linalg::BlockMatrix& hessian) const {
    const elements::Curvature curvature = curvature_of(params_.curvature);
    triangles_.add_hessian(
        [&](std::size_t t) {
            const MaterialFrame w = triangles_.frame(t, in.x), rate = triangles_.frame(t, in.v);
            return elements::shear_hessian(condition(t), w.u, w.v, rate.u, rate.v, curvature);
        },
        scale, hessian);
}

void ShearCondition::add_damping_hessian(const ForceInput& in, double scale,
                                         linalg::BlockMatrix& hessian) const {
    if (params_.damping == 0) return;
    triangles_.add_hessian(
        [&](std::size_t t) {
            const MaterialFrame w = triangles_.frame(t, in.x);
            return elements::shear_damping(condition(t), w.u, w.v);
        },
        scale, hessian);
}

}  // namespace taut::forces
