// Constraint rows in yarn order: groups of `width` chains of like length are interleaved, so that
// tridiagonal solves along chains run side by side on contiguous data. Padded places join the spare
// vertex to itself with a zero gradient. Holds J in that order and the yarn preconditioner.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "taut/linalg/cross_yarns.hpp"
#include "taut/linalg/folded_cells.hpp"
#include "taut/linalg/lanes.hpp"
#include "taut/linalg/linear_solver.hpp"

namespace taut::linalg {

template <class Real>
class YarnRows {
public:
    using V = Lanes<Real>;
    static constexpr int width = 8;

    void analyse(const SaddlePattern& pattern);

    // Takes J, factors the yarn blocks of J diag^-1 J^T + E, sets the Woodbury terms. All masses are divided
    // by unit.
    void assemble(const SaddleSystem& system, double unit);

    std::size_t size() const { return vertex_a_.size(); }
    void multiply(const LaneVector<Real>& x, std::vector<Real>& y) const;    // y = J x
    void transposed(const std::vector<Real>& y, LaneVector<Real>& x) const;  // x = J^T y
    void precondition(const std::vector<Real>& r, std::vector<Real>& z);     // z = P^-1 r

    const std::vector<Real>& regularization() const { return regularization_; }
    void gather(std::span<const double> rows, double scale, std::vector<Real>& packed) const;
    void scatter(const std::vector<Real>& packed, double scale, std::span<double> rows) const;

private:
    typedef Real Wide __attribute__((vector_size(sizeof(Real) * width), aligned(sizeof(Real))));
    struct Group {
        int offset, length;
        int first_ring;  // in rings_, -1: the chains are open
        bool closed() const { return first_ring >= 0; }
    };
    // The row that closes a ring, per lane of a closed group: Sherman-Morrison data.
    struct Ring {
        int last = -1;    // place of the last row, -1: lane is empty
        Real v_last = 0;  // v = (1, 0, ..., v_last)
        Real scale = 0;   // 1 / (1 + v^T T^-1 u)
    };
    void solve_chains(const std::vector<Real>& r, std::vector<Real>& z) const;  // z = Y^-1 r
    void add_woodbury(const std::vector<Real>& r, std::vector<Real>& z) const;
    // The k-th rows of all chains of a group.
    static const Wide& at(const std::vector<Real>& array, const Group& group, int k) {
        return *reinterpret_cast<const Wide*>(array.data() + group.offset + k * width);
    }
    static Wide& at(std::vector<Real>& array, const Group& group, int k) {
        return *reinterpret_cast<Wide*>(array.data() + group.offset + k * width);
    }
    void place_chains(const SaddlePattern& pattern);
    void list_incident_rows();
    void add_hinges(double scale);
    void factor_lane(const Group& group, int lane, Ring* ring);
    double coupling(int place, int other) const;

    int n_ = 0;
    std::vector<Group> groups_;
    std::vector<Ring> rings_;               // width per closed group, in group order
    std::vector<int> row_;                  // original row of each place, -1 where padded or between pins
    std::vector<int> vertex_a_, vertex_b_;  // n_ where padded or pinned
    LaneVector<Real> gradient_;             // dC/dx_b
    std::vector<Real> regularization_, woodbury_;
    // Stiffness between the outer ends of a row and the one before; negative: they point against each other
    // [N/m].
    std::vector<double> hinge_base_;
    std::vector<Real> hinge_;                   // Woodbury term of the difference of a row and the one before
    std::vector<Real> lower_, inverse_, ring_;  // factors; T^-1 u for rings
    std::vector<int> incident_start_, incident_;  // at each vertex: place * 2 + (1 if it is the b end)
    std::vector<double> inverse_mass_, diagonal_;
    CrossYarns<Real> cross_;
    FoldedCells<Real> folded_;
    std::vector<Real> across_, answer_;  // rows stiffened from across, and their response; scratch
};

extern template class YarnRows<float>;
extern template class YarnRows<double>;

}  // namespace taut::linalg
