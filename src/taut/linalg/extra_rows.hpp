// Rows beside those of the yarns, which come and go from system to system: contacts, each with the gradients
// of a few vertices. Their block of J H^-1 J^T is preconditioned by the diagonal of H; rows at one vertex
// depend on each other and need not agree, so a share of that diagonal is added to the block.
#pragma once

#include <span>
#include <vector>

#include "taut/base/incidence.hpp"
#include "taut/linalg/lanes.hpp"
#include "taut/linalg/metric_matrix.hpp"
#include "taut/linalg/sparse.hpp"

namespace taut::linalg {

template <class Real>
class ExtraRows {
public:
    using V = Lanes<Real>;

    // rows: none where null. Vertices that are pinned drop out of them.
    void assemble(const RowBlocks* rows, const MetricMatrix<Real>& metric,
                  std::span<const std::uint8_t> pinned);

    std::size_t size() const { return start_.size() - 1; }
    void multiply(const LaneVector<Real>& x, Real* y) const;        // y = J x
    void add_transposed(const Real* y, LaneVector<Real>& x) const;  // x += J^T y
    void precondition(const Real* r, Real* z) const;                // z = P^-1 r
    void add_regularization(const Real* p, Real* q) const;          // q += E p

private:
    std::vector<int> start_{0};
    std::vector<int> vertex_;
    LaneVector<Real> gradient_;
    std::vector<int> row_;       // of each entry
    Incidence incident_;         // entries at each vertex
    std::vector<Real> inverse_;  // of the diagonal of the block, 0 where nothing moves
};

extern template class ExtraRows<float>;
extern template class ExtraRows<double>;

}  // namespace taut::linalg
