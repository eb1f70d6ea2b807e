#include "taut/linalg/yarn_cg.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "taut/base/error.hpp"
#include "taut/base/parallel.hpp"
#include "taut/linalg/extra_rows.hpp"
#include "taut/linalg/lane_sums.hpp"
#include "taut/linalg/yarn_rows.hpp"

namespace taut::linalg {

void describe(ParamList& list, YarnCgParams& params) {
    list.integer("max_iterations", params.max_iterations, "1", between(1, 100000),
                 "Most dual CG iterations for one linear system.");
    list.number("inner_tolerance", params.inner_tolerance, "1", between(1e-7, 0.5),
                "Relative residual of each nested solve with the metric.");
    list.integer("inner_max_iterations", params.inner_max_iterations, "1", between(1, 10000),
                 "Most iterations of each nested solve.");
    list.choice("precision", params.precision, {"single", "double"},
                "Arithmetic of the linear solve; the Newton residual is always double.");
}

class YarnCg::Engine {
public:
    virtual ~Engine() = default;
    virtual void analyse(const SaddlePattern& pattern) = 0;
    virtual SolveReport solve(const SaddleSystem& system, std::span<double> dmu, PointsView dx) = 0;
};

template <class Real>
class YarnCg::EngineOf final : public YarnCg::Engine {
public:
    explicit EngineOf(const Params& params) : params_(params) {}
    void analyse(const SaddlePattern& pattern) override;
    SolveReport solve(const SaddleSystem& system, std::span<double> dmu, PointsView dx) override;

private:
    void start(const SaddleSystem& system, double unit, SolveReport& report);
    bool share(const LineCg<Real>& solver, std::span<const std::array<int, 2>> edges);
    int respond(const LaneVector<Real>& force, LaneVector<Real>& response);
    void multiply(const LaneVector<Real>& x, std::vector<Real>& y) const {
        rows_.multiply(x, y);
        extra_.multiply(x, y.data() + rows_.size());
    }
    void precondition(const std::vector<Real>& r, std::vector<Real>& z) {
        rows_.precondition(r, z);
        extra_.precondition(r.data() + rows_.size(), z.data() + rows_.size());
    }
    bool iterate(const SaddleSystem& system, SolveReport& report);

    Params params_;
    YarnRows<Real> rows_;
    ExtraRows<Real> extra_;
    LineCg<Real> own_;
    LineCg<Real>* metric_ = &own_;  // own, or one shared with the integrator
    std::vector<int> edge_row_;     // row of each edge of a shared solver, -1: not constrained
    std::vector<double> edge_weight_;
    std::vector<std::uint8_t> pinned_;
    std::vector<Real> r_, z_, p_, q_, nu_;  // dual vectors, in yarn order, extra rows behind
    LaneVector<Real> force_, response_, dx_;
};

template <class Real>
void YarnCg::EngineOf<Real>::analyse(const SaddlePattern& pattern) {
    // The yarns of each family are the lines of the nested solve; weighted edges are the rows.
    std::vector<LineFamily> families(2);
    for (const RowChain& chain : *pattern.chains) {
        if (chain.of_yarn()) families[std::size_t(chain.family)].push_back(chain.vertex);
    }
    std::erase_if(families, [](const LineFamily& lines) { return lines.empty(); });
    std::vector<std::array<int, 2>> edges(std::size_t(pattern.rows->rows()));
    for (std::size_t e = 0; e < edges.size(); ++e) {
        const int at = pattern.rows->start[e];
        if (pattern.rows->start[e + 1] - at != 2) {
            throw InputError({}, "solver yarn_cg needs constraints between two points each", "",
                             "choose solver ldlt");
        }
        edges[e] = {pattern.rows->vertex[at], pattern.rows->vertex[at + 1]};
    }
    pinned_.assign(pattern.pinned.begin(), pattern.pinned.end());
    rows_.analyse(pattern);
    metric_ = &own_;
    if constexpr (std::is_same_v<Real, float>) {
        if (pattern.nested && share(*pattern.nested, edges)) metric_ = pattern.nested;
    }
    if (metric_ == &own_) {
        own_.analyse(pattern.vertices, pattern.stiffness, edges, families, pattern.pinned);
    } else {
        own_ = {};
    }
    for (auto* vector : {&r_, &z_, &p_, &q_, &nu_}) vector->assign(rows_.size(), Real(0));
    for (auto* vector : {&force_, &response_, &dx_})
        vector->assign(std::size_t(pattern.vertices) + 1, Lanes<Real>{});
}

// Finds the row of every edge of a solver; false if a row has no edge there.
template <class Real>
bool YarnCg::EngineOf<Real>::share(const LineCg<Real>& solver, std::span<const std::array<int, 2>> edges) {
    const auto ordered = [](std::span<const std::array<int, 2>> list) {
        std::vector<std::array<int, 3>> result;
        result.reserve(list.size());
        for (std::size_t k = 0; k < list.size(); ++k) {
            result.push_back({std::min(list[k][0], list[k][1]), std::max(list[k][0], list[k][1]), int(k)});
        }
        std::sort(result.begin(), result.end());
        return result;
    };
    const auto theirs = ordered(solver.matrix().edges()), ours = ordered(edges);
    edge_row_.assign(theirs.size(), -1);
    edge_weight_.assign(theirs.size(), 0.0);
    std::size_t k = 0;
    for (const auto& [a, b, row] : ours) {
        while (k < theirs.size() && (theirs[k][0] < a || (theirs[k][0] == a && theirs[k][1] < b))) ++k;
        if (k == theirs.size() || theirs[k][0] != a || theirs[k][1] != b) return false;
        edge_row_[std::size_t(theirs[k++][2])] = row;
    }
    return true;
}

// response = H^-1 force, nearly. One cycle is as good as an inexact solve and, being a fixed operator,
// keeps the dual iteration exact.
template <class Real>
int YarnCg::EngineOf<Real>::respond(const LaneVector<Real>& force, LaneVector<Real>& response) {
    if (!metric_->stiff())
        return metric_->solve(force, response, params_.inner_tolerance, params_.inner_max_iterations);
    metric_->precondition(force, response);
    return 1;
}

// p = H^-1 F and the dual right-hand side C - J p.
template <class Real>
void YarnCg::EngineOf<Real>::start(const SaddleSystem& system, double unit, SolveReport& report) {
    using V = Lanes<Real>;
    const std::size_t n = system.diagonal.size();
    parallel_for(n, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Vec3 f = pinned_[i] ? Vec3(Vec3::Zero()) : Vec3(system.f[i] / unit);
            force_[i] = V{Real(f.x()), Real(f.y()), Real(f.z()), Real(0)};
        }
    });
    report.inner_iterations += respond(force_, dx_);
    rows_.gather(system.c, 1.0, r_);
    for (std::size_t k = 0; k < extra_.size(); ++k) r_[rows_.size() + k] = Real(system.extra_c[k]);
    multiply(dx_, q_);
    parallel_for(r_.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) r_[k] -= q_[k];
    });
}

template <class Real>
bool YarnCg::EngineOf<Real>::iterate(const SaddleSystem& system, SolveReport& report) {
    const std::size_t m = r_.size(), n = system.diagonal.size();
    std::fill(nu_.begin(), nu_.end(), Real(0));
    precondition(r_, z_);
    std::copy(z_.begin(), z_.end(), p_.begin());
    double rz = plain_dot(r_.data(), z_.data(), m);
    const double stop = system.tolerance * system.tolerance * rz;
    while (report.iterations < params_.max_iterations) {
        if (!(rz > 0)) return rz == 0;
        ++report.iterations;

        // Apply J H^-1 J^T + E to the search direction, keeping the response of the vertices.
        rows_.transposed(p_, force_);
        extra_.add_transposed(p_.data() + rows_.size(), force_);
        report.inner_iterations += respond(force_, response_);
        multiply(response_, q_);
        const auto& epsilon = rows_.regularization();
        parallel_for(rows_.size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) q_[k] += epsilon[k] * p_[k];
        });
        extra_.add_regularization(p_.data() + rows_.size(), q_.data() + rows_.size());
        const double pq = plain_dot(p_.data(), q_.data(), m);
        if (!(pq > 0)) return false;
        const Real alpha = Real(rz / pq);

        // Move along it, dual and primal.
        parallel_for(m, [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) {
                nu_[k] += alpha * p_[k];
                r_[k] -= alpha * q_[k];
            }
        });
        parallel_for(n, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) dx_[i] += alpha * response_[i];
        });
        precondition(r_, z_);
        const double next = plain_dot(r_.data(), z_.data(), m);
        if (next <= stop) return true;
        const Real beta = Real(next / rz);
        rz = next;
        parallel_for(m, [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) p_[k] = z_[k] + beta * p_[k];
        });
    }
    return false;
}

template <class Real>
SolveReport YarnCg::EngineOf<Real>::solve(const SaddleSystem& system, std::span<double> dmu, PointsView dx) {
    // Scale masses to order one, so that single precision neither overflows nor vanishes.
    double unit = 0;
    for (double d : system.diagonal) unit += d;
    unit /= double(system.diagonal.size());
    SolveReport report;
    std::span<const double> weight = system.weight;
    if (metric_ != &own_ && !weight.empty()) {
        for (std::size_t e = 0; e < edge_row_.size(); ++e) {
            edge_weight_[e] = edge_row_[e] < 0 ? 0.0 : weight[std::size_t(edge_row_[e])];
        }
        weight = edge_weight_;
    }
    metric_->assemble(system.diagonal, system.stiffness_scale, weight, unit);
    rows_.assemble(system, unit);
    extra_.assemble(system.extra, metric_->matrix(), pinned_);
    for (auto* vector : {&r_, &z_, &p_, &q_, &nu_}) vector->resize(rows_.size() + extra_.size());
    start(system, unit, report);
    report.converged = iterate(system, report);

    rows_.scatter(nu_, unit, dmu);
    for (std::size_t k = 0; k < extra_.size(); ++k)
        system.extra_dmu[k] = unit * double(nu_[rows_.size() + k]);
    parallel_for(dx.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            dx[i] = pinned_[i] ? Vec3(Vec3::Zero())
                               : Vec3(-double(dx_[i][0]), -double(dx_[i][1]), -double(dx_[i][2]));
        }
    });
    return report;
}

YarnCg::YarnCg(Params params) : params_(std::move(params)) {
    if (params_.precision == "double") {
        engine_ = std::make_unique<EngineOf<double>>(params_);
    } else {
        engine_ = std::make_unique<EngineOf<float>>(params_);
    }
}

YarnCg::~YarnCg() = default;

void YarnCg::analyse(const SaddlePattern& pattern) { engine_->analyse(pattern); }

SolveReport YarnCg::solve(const SaddleSystem& system, std::span<double> dmu, PointsView dx) {
    return engine_->solve(system, dmu, dx);
}

}  // namespace taut::linalg
