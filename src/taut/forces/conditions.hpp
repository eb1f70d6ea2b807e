// What the condition forces of Baraff and Witkin 1998 share: the triangles of a model with their pattern, and
// loops over them that gather at vertices, so that sums have the same bits for any number of threads.
#pragma once

#include <string>

#include "taut/base/parameter.hpp"
#include "taut/elements/condition.hpp"
#include "taut/elements/material_triangle.hpp"
#include "taut/linalg/element_blocks.hpp"
#include "taut/model/interfaces.hpp"

namespace taut::forces {

// The choice `curvature` of a condition force: what becomes of second derivatives of its conditions, which
// may be indefinite.
void describe_curvature(ParamList& list, std::string& value);
elements::Curvature curvature_of(const std::string& value);

// The directions w_u and w_v of a triangle, or their rates.
struct MaterialFrame {
    Vec3 u, v;
};

class ConditionTriangles {
public:
    void prepare(const Model& model);

    std::size_t size() const { return blocks_.size(); }
    const elements::MaterialTriangle& material(std::size_t t) const { return material_[t]; }
    MaterialFrame frame(std::size_t t, ConstPoints x) const;
    const linalg::ElementBlocks<3>& blocks() const { return blocks_; }

    // f -= gradient at every corner; gradient(t) gives the derivatives of an energy by w_u and w_v.
    template <class Gradient>
    void subtract(Gradient&& gradient, PointsView f) const {
        std::vector<elements::PairGradient> by_frame(size());
        parallel_for(size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t t = begin; t < end; ++t) by_frame[t] = gradient(t);
        });
        parallel_for(f.size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                for (const int place : blocks_.places(i)) {
                    const std::size_t t = static_cast<std::size_t>(place) / 3,
                                      k = static_cast<std::size_t>(place) % 3;
                    f[i] -= material_[t].du[k] * by_frame[t].u + material_[t].dv[k] * by_frame[t].v;
                }
            }
        });
    }

    // matrix += scale times the blocks of hessian(t), second derivatives by w_u and w_v.
    template <class Hessian>
    void add_hessian(Hessian&& hessian, double scale, linalg::BlockMatrix& matrix) const {
        blocks_.add(
            hessian,
            [&](std::size_t t, const elements::PairHessian& h, int row, int column) {
                const elements::MaterialTriangle& m = material_[t];
                return Mat3(scale *
                            (m.du[row] * m.du[column] * h.uu + m.du[row] * m.dv[column] * h.uv +
                             m.dv[row] * m.du[column] * h.uv.transpose() + m.dv[row] * m.dv[column] * h.vv));
            },
            matrix);
    }

    // Triplets of sum_t uu(t) du du^T + vv(t) dv dv^T, both triangles.
    template <class Weights>
    void add_stiffness(Weights&& weights, std::vector<linalg::Triplet>& triplets) const {
        for (std::size_t t = 0; t < size(); ++t) {
            const auto [uu, vv] = weights(t);
            const elements::MaterialTriangle& m = material_[t];
            for (int a = 0; a < 3; ++a) {
                for (int b = 0; b < 3; ++b) {
                    const double value = uu * m.du[a] * m.du[b] + vv * m.dv[a] * m.dv[b];
                    triplets.push_back({blocks_.vertices(t)[a], blocks_.vertices(t)[b], value});
                }
            }
        }
    }

private:
    linalg::ElementBlocks<3> blocks_;
    std::vector<elements::MaterialTriangle> material_;
};

}  // namespace taut::forces
