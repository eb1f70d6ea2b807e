// One interface for the saddle system of a projection,
//     H dx + J^T dmu = -F,     J dx - E dmu = -C,
// with H = diag + scale K + L(w): a scalar matrix that acts alike on x, y and z, where L(w) is the
// graph Laplacian of the two-point rows with weights w >= 0 (geometric stiffness). J H^-1 J^T with
// H = M is the case of Goldenthal 2007, Eq. 7. E is a diagonal regularisation, relative to the
// diagonal of J diag^-1 J^T, so that rank-deficient rows (taut rows between pins) stay solvable.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "taut/linalg/sparse.hpp"

namespace taut::linalg {

template <class Real>
class LineCg;

// A path of rows: neighbours share vertex[k]; rows[k] joins vertex[k] and vertex[k+1] (cyclically if closed).
struct RowChain {
    int family = 0;  // 0 and 1 are yarns, chains of one share no inner vertex; 2: single edges of no yarn
    bool closed = false;
    std::vector<int> row;
    std::vector<int> vertex;

    bool of_yarn() const { return family < 2; }
};

// What stays the same while pins do: sizes, pattern of J, chains, stiffness pattern, pinned vertices.
struct SaddlePattern {
    int vertices = 0;
    const RowBlocks* rows = nullptr;  // pattern only
    const std::vector<RowChain>* chains = nullptr;
    const SymmetricCsr* stiffness = nullptr;  // or none
    std::span<const std::uint8_t> pinned;     // n flags: dx = 0 there
    LineCg<float>* nested = nullptr;          // analysed for K and pins, to be shared; or none
};

struct SaddleSystem {
    std::span<const double> diagonal;       // n [kg]
    double stiffness_scale = 0;             // h^2 [s^2]
    std::span<const double> weight;         // m, >= 0 [kg]; empty: none
    const RowBlocks* rows = nullptr;        // J
    double regularization = 0;              // E_i = regularization * (J diag^-1 J^T)_ii
    ConstPoints f;                          // F, n x 3
    std::span<const double> c;              // C, m
    double tolerance = 0.1;                 // relative residual asked of iterative solvers
    const RowBlocks* force_rows = nullptr;  // J of the first equation where it is another one; else none
    bool same_matrix = false;               // only c and f differ from the last solve: factors may be kept
    const RowBlocks* extra = nullptr;       // further rows beside J, for solvers that take them; or none
    std::span<const double> extra_c;        // their C
    std::span<double> extra_dmu;            // where the change of their multipliers goes
};

struct SolveReport {
    int iterations = 0;        // outer Krylov iterations, 1 for direct solvers
    int inner_iterations = 0;  // iterations of nested solves with H
    bool converged = true;     // false: breakdown or cap; the solution is the best found
};

class LinearSolver {
public:
    virtual ~LinearSolver() = default;
    virtual std::string_view name() const = 0;
    // True if the solver handles H = M + scale K + L(w); false if it needs H = diag.
    virtual bool general_metric() const { return true; }
    // True if weights of either sign are allowed, so that H may be indefinite.
    virtual bool signed_weights() const { return false; }
    // True if extra rows are taken.
    virtual bool extra_rows() const { return false; }
    // True if force_rows may differ from rows, which makes the system unsymmetric.
    virtual bool unsymmetric() const { return false; }
    virtual void analyse(const SaddlePattern& pattern) = 0;
    virtual SolveReport solve(const SaddleSystem& system, std::span<double> dmu, PointsView dx) = 0;
};

}  // namespace taut::linalg
