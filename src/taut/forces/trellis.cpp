#include "taut/forces/trellis.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "taut/base/parallel.hpp"
#include "taut/elements/drag.hpp"
#include "taut/forces/yarn_crossings.hpp"

namespace taut::forces {
namespace {

// Signs of the ends of the segments: corner 1 less corner 0 along weft, 3 less 2 along warp.
constexpr std::array<double, 4> along_p{-1, 1, 0, 0}, along_q{0, 0, -1, 1};

// Steepest slopes are sought up to this angle; cloth hardly shears further [rad].
constexpr double far_angle = std::numbers::pi / 4;

// The angle at which an elastic load of this size is reached, by bisection; pi/2 where it is never.
double angle_of(const elements::LoadCurve& curve, double load) {
    double low = 0, high = std::numbers::pi / 2;
    if (elements::load_at(curve, high).load <= load) return high;
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        (elements::load_at(curve, middle).load < load ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

// Segments join the neighbours along both yarns of a crossing; at an edge of the cloth the vertex stands for
// the missing one.
template <class Add>
void add_crossings(const Model& model, Add&& add) {
    const std::vector<YarnCrossing> crossings = yarn_crossings(model);
    for (int i = 0; i < model.vertex_count(); ++i) {
        const YarnCrossing& own = crossings[std::size_t(i)];
        if (std::max(own.weft[0], own.weft[1]) < 0 || std::max(own.warp[0], own.warp[1]) < 0) continue;
        if (!(own.area > 0)) continue;
        const auto end = [i](int neighbor) { return neighbor < 0 ? i : neighbor; };
        add({end(own.weft[0]), end(own.weft[1]), end(own.warp[0]), end(own.warp[1])}, own.area, own.cloth);
    }
}

// Segments are the two sides of a quad at each of its corners, which has a quarter of it.
template <class Add>
void add_corners(const Model& model, Add&& add) {
    for (std::size_t k = 0; k < model.cloths.size(); ++k) {
        const Cloth& cloth = model.cloths[k];
        for (int f = cloth.first_face; f < cloth.first_face + cloth.face_count; ++f) {
            const mesh::Face& face = model.faces[std::size_t(f)];
            if (face.size() != 4) continue;
            const auto& c = face.corner;
            const auto& x = model.rest;
            const double area = elements::area_vector(x[c[0]], x[c[1]], x[c[2]], x[c[3]]).norm();
            if (!(area > 0)) continue;
            for (std::size_t j = 0; j < 4; ++j)
                add({c[j], c[(j + 1) % 4], c[j], c[(j + 3) % 4]}, 0.25 * area, static_cast<int>(k));
        }
    }
}

}  // namespace

void describe(ParamList& list, TrellisParams& params) {
    list.number("stiffness", params.stiffness, "N/m", between(0, 1e12),
                "Shear force per width and angle, of cloths without a fabric.");
    list.choice("rest", params.rest, {"shape", "square"},
                "Angles without load: those of the rest shape, or right angles.");
    list.flag("hysteresis", params.hysteresis,
              "Whether friction of the fabric is remembered, or taken as elastic.");
    list.number("slip", params.slip, "N/m", non_negative(),
                "Shear force per width beyond which yarns slip and the rest angle follows; 0: never.");
    list.choice(
        "angles", params.angles, {"crossings", "corners"},
        "Where angles are taken: at crossings, over two cells as in the paper, or in every corner of quads.");
}

void Trellis::prepare(const Model& model) {
    std::vector<elements::LoadCurve> curves;
    for (const Cloth& cloth : model.cloths)
        curves.push_back(cloth.fabric ? cloth.fabric->shear : elements::straight(params_.stiffness));
    area_.clear();
    std::vector<std::array<int, 4>> ends;
    std::vector<int> curve_of;
    const auto add = [&](const std::array<int, 4>& segments, double area, int cloth) {
        ends.push_back(segments);
        area_.push_back(area);
        curve_of.push_back(cloth);
    };
    if (params_.angles == "corners") {
        add_corners(model, add);
    } else {
        add_crossings(model, add);
    }
    blocks_.prepare(model.vertex_count(), std::move(ends));
    loads_.prepare(std::move(curves), std::move(curve_of), params_.hysteresis);
    length_squared_.clear();
    for (std::size_t c = 0; c < blocks_.size(); ++c) {
        const auto [p, q] = segments(c, model.rest);
        length_squared_.push_back({p.squaredNorm(), q.squaredNorm()});
    }
    rest_.assign(blocks_.size(), 0.0);
    for (std::size_t c = 0; c < rest_.size() && params_.rest == "shape"; ++c) rest_[c] = angle(c, model.rest);
}

Trellis::Segments Trellis::segments(std::size_t c, ConstPoints x) const {
    const auto [left, right, below, above] = blocks_.vertices(c);
    return {x[right] - x[left], x[above] - x[below]};
}

double Trellis::angle(std::size_t c, ConstPoints x) const {
    const auto [p, q] = segments(c, x);
    return elements::trellis_angle(p, q) - rest_[c];
}

elements::Load Trellis::load(std::size_t c, double angle) const {
    if (!loads_.hysteresis()) return loads_.whole(c, angle);
    elements::Load sum = loads_.elastic(c, angle);
    const elements::Load friction = loads_.friction(c, angle);
    sum.load += friction.load, sum.tangent += friction.tangent, sum.energy += friction.energy;
    return sum;
}

double Trellis::energy_of(std::size_t c, ConstPoints x) const {
    return area_[c] * load(c, angle(c, x)).energy;
}

void Trellis::add_force(const ForceInput& in, PointsView f) const {
    std::vector<elements::TrellisGradient> gradients(blocks_.size());
    parallel_for(blocks_.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
            const auto [p, q] = segments(c, in.x);
            gradients[c] = elements::trellis_gradient(p, q);
            const double pull = area_[c] * load(c, elements::trellis_angle(p, q) - rest_[c]).load;
            gradients[c].p *= pull;
            gradients[c].q *= pull;
        }
    });
    parallel_for(f.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            for (const int place : blocks_.places(i)) {
                const elements::TrellisGradient& g = gradients[std::size_t(place) / 4];
                const std::size_t k = std::size_t(place) % 4;
                f[i] -= along_p[k] * g.p + along_q[k] * g.q;
            }
        }
    });
}

double Trellis::energy(ConstPoints x) const {
    return parallel_sum(blocks_.size(), [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t c = begin; c < end; ++c) sum += energy_of(c, x);
        return sum;
    });
}

// Lets the rest angle follow where the load is beyond its bound, then notes the angle.
void Trellis::remember(const State& end) {
    if (!loads_.hysteresis() && params_.slip == 0) return;
    parallel_for(blocks_.size(), [&](std::size_t begin, std::size_t stop) {
        for (std::size_t c = begin; c < stop; ++c) {
            double beyond = angle(c, end.x);
            if (params_.slip > 0 && std::abs(loads_.whole(c, beyond).load) > params_.slip) {
                const double kept = std::copysign(angle_of(loads_.curve(c), params_.slip), beyond);
                rest_[c] += beyond - kept;
                beyond = kept;
            }
            if (loads_.hysteresis()) loads_.remember(c, beyond);
        }
    });
}

std::vector<MemoryBlock> Trellis::memory() {
    std::vector<MemoryBlock> blocks;
    if (params_.hysteresis) blocks.push_back(loads_.block("trellis.friction"));
    if (params_.slip > 0) blocks.push_back({"trellis.rest_angle", &rest_});
    return blocks;
}

void Trellis::add_stiffness(std::vector<linalg::Triplet>& triplets) const {
    for (std::size_t c = 0; c < blocks_.size(); ++c) {
        // (u + v)^2 <= 2 u^2 + 2 v^2 of the turns of both segments, and what the load itself adds.
        const elements::LoadCurve& curve = loads_.curve(c);
        const double k =
            area_[c] * (2 * steepest(curve, far_angle) + elements::load_at(curve, far_angle).load);
        if (k == 0) continue;
        for (const int side : {0, 2}) {
            const int a = blocks_.vertices(c)[std::size_t(side)],
                      b = blocks_.vertices(c)[std::size_t(side) + 1];
            const double w = k / length_squared_[c][side > 0 ? 1 : 0];
            triplets.push_back({a, a, w});
            triplets.push_back({b, b, w});
            triplets.push_back({a, b, -w});
            triplets.push_back({b, a, -w});
        }
    }
}

void Trellis::add_pattern(std::vector<std::array<int, 2>>& pairs) const { blocks_.add_pattern(pairs); }

void Trellis::add_hessian(const ForceInput& in, double scale, linalg::BlockMatrix& hessian) const {
    blocks_.add(
        [&](std::size_t c) {
            const auto [p, q] = segments(c, in.x);
            elements::TrellisGradient g = elements::trellis_gradient(p, q);
            const double root =
                std::sqrt(area_[c] * load(c, elements::trellis_angle(p, q) - rest_[c]).tangent);
            g.p *= root;
            g.q *= root;
            return g;
        },
        [&](std::size_t, const elements::TrellisGradient& g, int row, int column) {
            const auto side = [&](int k) {
                return Vec3(along_p[std::size_t(k)] * g.p + along_q[std::size_t(k)] * g.q);
            };
            return Mat3(scale * side(row) * side(column).transpose());
        },
        hessian);
}

}  // namespace taut::forces
