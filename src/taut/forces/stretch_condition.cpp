#include "taut/forces/stretch_condition.hpp"

#include <cmath>

namespace taut::forces {

void describe(ParamList& list, StretchConditionParams& params) {
    list.number("weft", params.weft, "N/m", between(0, 1e12),
                "Stiffness along weft, tension per width and strain.");
    list.number("warp", params.warp, "N/m", between(0, 1e12), "Stiffness along warp.");
    list.number("bias", params.bias, "N/m", between(0, 1e12),
                "Stiffness of threads along both diagonals between weft and warp; 0: there are none.");
    list.number("weft_rest", params.weft_rest, "1", between(0.01, 100),
                "Rest length along weft, against the pattern: below 1 shrinks the cloth, above gives ease.");
    list.number("warp_rest", params.warp_rest, "1", between(0.01, 100), "Rest length along warp.");
    list.number("damping", params.damping, "s", non_negative(),
                "Damping of stretch, as a time times the stiffness.");
    describe_curvature(list, params.curvature);
}

StretchCondition::StretchCondition(Params params) : params_(std::move(params)) {
    const double d = params_.damping, half = std::sqrt(0.5);
    const double diagonal = std::hypot(params_.weft_rest, params_.warp_rest) * half;
    const auto add = [&](Vec2 along, double stiffness, double rest) {
        if (stiffness > 0) lines_.push_back({along, {stiffness, d * stiffness, rest}});
    };
    add({1, 0}, params_.weft, params_.weft_rest);
    add({0, 1}, params_.warp, params_.warp_rest);
    add({half, half}, params_.bias, diagonal);
    add({half, -half}, params_.bias, diagonal);
}

void StretchCondition::prepare(const Model& model) { triangles_.prepare(model); }

elements::StretchCondition StretchCondition::scaled(const Line& line, std::size_t t) const {
    const double area = triangles_.material(t).area;
    return {area * line.condition.stiffness, area * line.condition.damping, line.condition.rest};
}

void StretchCondition::add_force(const ForceInput& in, PointsView f) const {
    triangles_.subtract(
        [&](std::size_t t) {
            const MaterialFrame w = triangles_.frame(t, in.x), rate = triangles_.frame(t, in.v);
            elements::PairGradient sum{Vec3::Zero(), Vec3::Zero()};
            for (const Line& line : lines_) {
                const Vec3 g =
                    elements::stretch_gradient(scaled(line, t), line.along[0] * w.u + line.along[1] * w.v,
                                               line.along[0] * rate.u + line.along[1] * rate.v);
                sum.u += line.along[0] * g;
                sum.v += line.along[1] * g;
            }
            return sum;
        },
        f);
}

double StretchCondition::energy(ConstPoints x) const {
    return parallel_sum(triangles_.size(), [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t t = begin; t < end; ++t) {
            const MaterialFrame w = triangles_.frame(t, x);
            for (const Line& line : lines_)
                sum += elements::stretch_energy(scaled(line, t), line.along[0] * w.u + line.along[1] * w.v);
        }
        return sum;
    });
}

// The Hessian of one direction never exceeds its stiffness.
void StretchCondition::add_stiffness(std::vector<linalg::Triplet>& triplets) const {
    // Threads along the bias: (w_u + w_v)^2 / 2 + (w_u - w_v)^2 / 2 = w_u^2 + w_v^2.
    triangles_.add_stiffness(
        [&](std::size_t t) {
            const double area = triangles_.material(t).area;
            return std::pair(area * (params_.weft + params_.bias), area * (params_.warp + params_.bias));
        },
        triplets);
}

void StretchCondition::add_pattern(std::vector<std::array<int, 2>>& pairs) const {
    triangles_.blocks().add_pattern(pairs);
}

// Sums block(line), the derivative by w of one line, over the lines of a triangle.
template <class Block>
elements::PairHessian StretchCondition::hessian_of(Block&& block) const {
    elements::PairHessian sum{Mat3::Zero(), Mat3::Zero(), Mat3::Zero()};
    for (const Line& line : lines_) {
        const Mat3 b = block(line);
        sum.uu += line.along[0] * line.along[0] * b;
        sum.uv += line.along[0] * line.along[1] * b;
        sum.vv += line.along[1] * line.along[1] * b;
    }
    return sum;
}

void StretchCondition::add_hessian(const ForceInput& in, double scale, linalg::BlockMatrix& hessian) const {
    const elements::Curvature curvature = curvature_of(params_.curvature);
    triangles_.add_hessian(
        [&](std::size_t t) {
            const MaterialFrame w = triangles_.frame(t, in.x), rate = triangles_.frame(t, in.v);
            return hessian_of([&](const Line& line) {
                return elements::stretch_hessian(scaled(line, t), line.along[0] * w.u + line.along[1] * w.v,
                                                 line.along[0] * rate.u + line.along[1] * rate.v, curvature);
            });
        },
        scale, hessian);
}

void StretchCondition::add_damping_hessian(const ForceInput& in, double scale,
                                           linalg::BlockMatrix& hessian) const {
    if (params_.damping == 0) return;
    triangles_.add_hessian(
        [&](std::size_t t) {
            const MaterialFrame w = triangles_.frame(t, in.x);
            return hessian_of([&](const Line& line) {
                return elements::stretch_damping(scaled(line, t), line.along[0] * w.u + line.along[1] * w.v);
            });
        },
        scale, hessian);
}

}  // namespace taut::forces
