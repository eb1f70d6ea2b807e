#include "taut/linalg/extra_rows.hpp"

#include "taut/base/parallel.hpp"

namespace taut::linalg {
namespace {

// E relative to the diagonal.
constexpr double softness = 0.1;

}  // namespace

template <class Real>
void ExtraRows<Real>::assemble(const RowBlocks* rows, const MetricMatrix<Real>& metric,
                               std::span<const std::uint8_t> pinned) {
    start_.assign(1, 0);
    vertex_.clear();
    gradient_.clear();
    row_.clear();
    inverse_.clear();
    if (!rows) return;
    for (int k = 0; k < rows->rows(); ++k) {
        double diagonal = 0;
        for (int e = rows->start[std::size_t(k)]; e < rows->start[std::size_t(k) + 1]; ++e) {
            const int i = rows->vertex[std::size_t(e)];
            if (pinned[std::size_t(i)]) continue;
            const Vec3& g = rows->gradient[std::size_t(e)];
            vertex_.push_back(i);
            gradient_.push_back(V{Real(g.x()), Real(g.y()), Real(g.z()), Real(0)});
            row_.push_back(k);
            diagonal += g.squaredNorm() / double(metric.diagonal(i));
        }
        start_.push_back(int(vertex_.size()));
        inverse_.push_back(diagonal > 0 ? Real(1 / diagonal) : Real(0));
    }
    incident_ = places_of_vertices(metric.size(), vertex_);
}

template <class Real>
void ExtraRows<Real>::multiply(const LaneVector<Real>& x, Real* y) const {
    for (std::size_t k = 0; k < size(); ++k) {
        V sum{};
        for (int e = start_[k]; e < start_[k + 1]; ++e) {
            sum += gradient_[std::size_t(e)] * x[std::size_t(vertex_[std::size_t(e)])];
        }
        y[k] = sum[0] + sum[1] + sum[2];
    }
}

template <class Real>
void ExtraRows<Real>::add_transposed(const Real* y, LaneVector<Real>& x) const {
    if (size() == 0) return;
    parallel_for(incident_.start.size() - 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            for (const int e : incident_.of(i)) x[i] += y[row_[std::size_t(e)]] * gradient_[std::size_t(e)];
        }
    });
}

template <class Real>
void ExtraRows<Real>::add_regularization(const Real* p, Real* q) const {
    for (std::size_t k = 0; k < size(); ++k) {
        if (inverse_[k] > 0) q[k] += Real(softness) / inverse_[k] * p[k];
    }
}

template <class Real>
void ExtraRows<Real>::precondition(const Real* r, Real* z) const {
    for (std::size_t k = 0; k < size(); ++k) z[k] = inverse_[k] * r[k];
}

template class ExtraRows<float>;
template class ExtraRows<double>;

}  // namespace taut::linalg
