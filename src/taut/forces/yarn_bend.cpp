#include "taut/forces/yarn_bend.hpp"

#include <utility>

#include "taut/base/parallel.hpp"
#include "taut/forces/yarn_crossings.hpp"

namespace taut::forces {
namespace {

// Steepest slopes are sought up to this curvature [1/m]: a radius of 4 mm, the end of what the Kawabata
// system bends to.
constexpr double sharp_bend = 250;

// Curvatures below this part of 1/length have the tangent of the curve for its secant.
constexpr double straight = 1e-9;

}  // namespace

void describe(ParamList& list, YarnBendParams& params) {
    list.number("weft", params.weft, "N m", between(0, 1e12),
                "Bending stiffness when the weft yarns bend, of cloths without a fabric.");
    list.number("warp", params.warp, "N m", between(0, 1e12),
                "Bending stiffness when the warp yarns bend, of cloths without a fabric.");
    list.flag("hysteresis", params.hysteresis,
              "Whether friction of the fabric is remembered, or taken as elastic.");
}

void YarnBend::prepare(const Model& model) {
    const std::vector<YarnCrossing> crossings = yarn_crossings(model);
    std::vector<std::array<int, 3>> bends;
    std::vector<int> curve_of, members;
    sides_.clear(), length_.clear(), area_.clear();

    // Take the curves of every cloth, weft first.
    std::vector<elements::LoadCurve> curves;
    for (const Cloth& cloth : model.cloths) {
        curves.push_back(cloth.fabric ? cloth.fabric->bend_weft : elements::straight(params_.weft));
        curves.push_back(cloth.fabric ? cloth.fabric->bend_warp : elements::straight(params_.warp));
    }

    // List the bends of every vertex that a yarn passes.
    for (int i = 0; i < model.vertex_count(); ++i) {
        const YarnCrossing& own = crossings[std::size_t(i)];
        for (const bool weft : {true, false}) {
            const auto& [before, after] = own.along(weft);
            if (before < 0 || after < 0 || !(own.area > 0)) continue;
            const auto& across = own.along(!weft);
            const int left = across[0] < 0 ? i : across[0], right = across[1] < 0 ? i : across[1];
            bends.push_back({before, i, after});
            sides_.push_back({left, right});
            length_.push_back(0.5 * ((model.rest[std::size_t(i)] - model.rest[std::size_t(before)]).norm() +
                                     (model.rest[std::size_t(after)] - model.rest[std::size_t(i)]).norm()));
            area_.push_back(own.area);
            curve_of.push_back(2 * own.cloth + (weft ? 0 : 1));
            members.insert(members.end(), {before, i, after, left, right});
        }
    }
    loads_.prepare(std::move(curves), std::move(curve_of), params_.hysteresis);
    blocks_.prepare(model.vertex_count(), std::move(bends));
    places_ = places_of_vertices(model.vertex_count(), members);
}

elements::YarnTurn YarnBend::turn(std::size_t b, ConstPoints x) const {
    const auto [before, at, after] = blocks_.vertices(b);
    return elements::yarn_turn(x[at] - x[before], x[after] - x[at]);
}

elements::SignedTurn YarnBend::side_turn(std::size_t b, const elements::YarnTurn& turn, ConstPoints x) const {
    const auto [before, at, after] = blocks_.vertices(b);
    return elements::signed_turn(turn, x[at] - x[before], x[after] - x[at],
                                 x[sides_[b][1]] - x[sides_[b][0]]);
}

elements::Load YarnBend::load(std::size_t b, double kappa) const {
    return loads_.hysteresis() ? loads_.elastic(b, kappa) : loads_.whole(b, kappa);
}

double YarnBend::energy_of(std::size_t b, ConstPoints x) const {
    const elements::YarnTurn t = turn(b, x);
    if (!t.sound) return 0;
    double density = load(b, t.c.norm() / length_[b]).energy;
    if (loads_.hysteresis()) density += loads_.friction(b, side_turn(b, t, x).value / length_[b]).energy;
    return area_[b] * density;
}

YarnBend::Gradient YarnBend::gradient(std::size_t b, ConstPoints x) const {
    Gradient g;
    g.fill(Vec3::Zero());
    const elements::YarnTurn t = turn(b, x);
    if (!t.sound) return g;

    // Turn the moment into derivatives by both edges.
    const double scale = area_[b] / length_[b], s = t.c.norm();
    Vec3 by_c = Vec3::Zero();
    if (s > 0) by_c = (scale * load(b, s / length_[b]).load / s) * t.c;
    elements::TurnGradient by_edge = elements::turn_gradient(t, by_c);
    Vec3 by_side = Vec3::Zero();
    if (loads_.hysteresis()) {
        const elements::SignedTurn side = side_turn(b, t, x);
        const double moment = scale * loads_.friction(b, side.value / length_[b]).load;
        by_edge.d1 += moment * side.d1;
        by_edge.d2 += moment * side.d2;
        by_side = moment * side.q;
    }
    return {-by_edge.d1, by_edge.d1 - by_edge.d2, by_edge.d2, -by_side, by_side};
}

void YarnBend::add_force(const ForceInput& in, PointsView f) const {
    std::vector<Gradient> gradients(blocks_.size());
    parallel_for(blocks_.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) gradients[b] = gradient(b, in.x);
    });
    parallel_for(f.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            for (const int place : places_.of(i))
                f[i] -= gradients[std::size_t(place) / 5][std::size_t(place) % 5];
        }
    });
}

double YarnBend::energy(ConstPoints x) const {
    return parallel_sum(blocks_.size(), [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t b = begin; b < end; ++b) sum += energy_of(b, x);
        return sum;
    });
}

void YarnBend::remember(const State& end) {
    if (!loads_.hysteresis()) return;
    parallel_for(blocks_.size(), [&](std::size_t begin, std::size_t stop) {
        for (std::size_t b = begin; b < stop; ++b) {
            const elements::SignedTurn side = side_turn(b, turn(b, end.x), end.x);
            if (side.sound) loads_.remember(b, side.value / length_[b]);
        }
    });
}

std::vector<MemoryBlock> YarnBend::memory() {
    if (!params_.hysteresis) return {};
    return {loads_.block("yarn_bend.friction")};
}

void YarnBend::add_stiffness(std::vector<linalg::Triplet>& triplets) const {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        const double l = length_[b];
        const double k = area_[b] * steepest(loads_.curve(b), sharp_bend) / (l * l * l * l);
        if (k == 0) continue;
        // The second difference (1, -2, 1) of nearly equal edges.
        constexpr std::array<double, 3> w{1, -2, 1};
        for (std::size_t r = 0; r < 3; ++r) {
            for (std::size_t c = 0; c < 3; ++c)
                triplets.push_back({blocks_.vertices(b)[r], blocks_.vertices(b)[c], k * w[r] * w[c]});
        }
    }
}

void YarnBend::add_pattern(std::vector<std::array<int, 2>>& pairs) const { blocks_.add_pattern(pairs); }

void YarnBend::add_hessian(const ForceInput& in, double scale, linalg::BlockMatrix& hessian) const {
    blocks_.add(
        [&](std::size_t b) {
            elements::TurnHessian h{Mat3::Zero(), Mat3::Zero(), Mat3::Zero()};
            const elements::YarnTurn t = turn(b, in.x);
            if (!t.sound) return h;
            const double l = length_[b], s = t.c.norm();
            const elements::Load at = load(b, s / l);
            const double secant = s > straight ? at.load * l / s : at.tangent;
            h = elements::turn_hessian(t, area_[b] / (l * l) * secant, area_[b] / (l * l) * at.tangent,
                                       false);
            if (loads_.hysteresis()) {
                const elements::SignedTurn side = side_turn(b, t, in.x);
                const double k = area_[b] / (l * l) * loads_.friction(b, side.value / l).tangent;
                h.d11 += k * side.d1 * side.d1.transpose();
                h.d12 += k * side.d1 * side.d2.transpose();
                h.d22 += k * side.d2 * side.d2.transpose();
            }
            return h;
        },
        [&](std::size_t, const elements::TurnHessian& h, int row, int column) {
            // Edges run from corner 0 to 1 and from 1 to 2.
            constexpr std::array<std::array<double, 2>, 3> w{{{-1, 0}, {1, -1}, {0, 1}}};
            const auto &r = w[std::size_t(row)], &c = w[std::size_t(column)];
            return Mat3(scale * (r[0] * c[0] * h.d11 + r[0] * c[1] * h.d12 + r[1] * c[0] * h.d12.transpose() +
                                 r[1] * c[1] * h.d22));
        },
        hessian);
}

}  // namespace taut::forces
