#include "taut/filters/quadrants.hpp"

#include <algorithm>
#include <array>

namespace taut::filters {
namespace {

// The two axes along which a rest shape is largest, and its middle.
struct Cut {
    std::array<int, 2> axis;
    Vec3 middle;

    int quadrant(const Vec3& p) const {
        return (p[axis[0]] > middle[axis[0]] ? 1 : 0) + (p[axis[1]] > middle[axis[1]] ? 2 : 0);
    }
};

Cut cut_of(ConstPoints rest) {
    Vec3 low = rest[0], high = rest[0];
    for (const Vec3& p : rest) {
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
    }
    std::array<int, 3> axes{0, 1, 2};
    std::stable_sort(axes.begin(), axes.end(),
                     [&](int a, int b) { return high[a] - low[a] > high[b] - low[b]; });
    return {{axes[0], axes[1]}, (low + high) / 2};
}

}  // namespace

void Quadrants::prepare(const Model& model, const MultiplierRows& rows) {
    groups_.clear();
    for (const Cloth& cloth : model.cloths) {
        const int first = cloth.first_vertex, last = first + cloth.vertex_count;
        const Cut cut = cut_of(ConstPoints(model.rest).subspan(first, cloth.vertex_count));
        std::array<Group, 4> parts;
        for (int r = 0; r < rows.size(); ++r) {
            const auto [a, b] = rows.ends[r];
            if (a < first || a >= last) continue;
            Group& part = parts[cut.quadrant((model.rest[a] + model.rest[b]) / 2)];
            part.row.push_back(r);
            part.rows.ends.push_back({a, b});
        }
        for (Group& part : parts) {
            if (part.row.empty()) continue;
            part.rows.resize(model.rest.size());
            part.lambda.assign(part.row.size(), 0.0);
            groups_.push_back(std::move(part));
        }
    }
}

int Quadrants::solve(const MultiplierRows& rows, std::span<double> lambda, const KrylovSettings& settings) {
    int iterations = 0;
    for (Group& group : groups_) {
        group.rows.inverse_mass = rows.inverse_mass;
        group.rows.hold(rows.held());
        for (std::size_t k = 0; k < group.row.size(); ++k) {
            group.rows.gradient[k] = rows.gradient[group.row[k]];
            group.rows.right[k] = rows.right[group.row[k]];
            group.lambda[k] = lambda[group.row[k]];
        }
        krylov_.product = [&](std::span<const double> x, std::span<double> y) { group.rows.product(x, y); };
        iterations += krylov_.conjugate_gradient(group.rows.right, group.lambda, settings).iterations;
        for (std::size_t k = 0; k < group.row.size(); ++k) lambda[group.row[k]] = group.lambda[k];
    }
    return iterations;
}

}  // namespace taut::filters
