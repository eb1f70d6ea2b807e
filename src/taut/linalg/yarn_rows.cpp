#include "taut/linalg/yarn_rows.hpp"

#include <algorithm>
#include <cmath>

#include "taut/base/parallel.hpp"

namespace taut::linalg {

template <class Real>
void YarnRows<Real>::analyse(const SaddlePattern& pattern) {
    n_ = pattern.vertices;
    place_chains(pattern);
    list_incident_rows();
    gradient_.assign(size(), V{});
    for (auto* array : {&regularization_, &woodbury_, &hinge_, &lower_, &inverse_, &ring_}) {
        array->assign(size(), Real(0));
    }
    diagonal_.assign(size(), 0);
    inverse_mass_.assign(n_ + 1, 0);
    std::vector<int> place(pattern.rows->rows(), -1);
    for (std::size_t k = 0; k < size(); ++k) {
        if (row_[k] >= 0) place[row_[k]] = int(k);
    }
    cross_.analyse(pattern, place);
    folded_.analyse(pattern, place);
    for (auto* array : {&across_, &answer_}) array->assign(size(), Real(0));
}

template <class Real>
void YarnRows<Real>::place_chains(const SaddlePattern& pattern) {
    // Order the chains: open ones first, then rings, each from long to short.
    std::vector<const RowChain*> order;
    for (const RowChain& chain : *pattern.chains) order.push_back(&chain);
    std::stable_sort(order.begin(), order.end(), [](const RowChain* a, const RowChain* b) {
        if (a->closed != b->closed) return b->closed;
        return a->row.size() > b->row.size();
    });

    groups_.clear();
    rings_.clear();
    for (auto* array : {&row_, &vertex_a_, &vertex_b_}) array->clear();
    hinge_base_.clear();
    const auto free_or_spare = [&](int v) { return pattern.pinned[v] ? n_ : v; };
    for (std::size_t first = 0; first < order.size();) {
        const bool closed = order[first]->closed;
        const int length = int(order[first]->row.size());
        const int offset = int(row_.size());
        groups_.push_back({offset, length, closed ? int(rings_.size()) : -1});
        row_.resize(offset + length * width, -1);
        vertex_a_.resize(offset + length * width, n_);
        vertex_b_.resize(offset + length * width, n_);
        hinge_base_.resize(offset + length * width, 0);
        if (closed) rings_.resize(rings_.size() + width);
        int lane = 0;
        for (; lane < width && first + lane < order.size() && order[first + lane]->closed == closed; ++lane) {
            const RowChain& chain = *order[first + lane];
            for (int k = 0; k < int(chain.row.size()); ++k) {
                const int place = offset + k * width + lane;
                const int at = pattern.rows->start[chain.row[k]];
                const int a = pattern.rows->vertex[at], b = pattern.rows->vertex[at + 1];
                if (pattern.pinned[a] && pattern.pinned[b]) continue;
                row_[place] = chain.row[k];
                vertex_a_[place] = free_or_spare(a);
                vertex_b_[place] = free_or_spare(b);
                if (k > 0 && row_[place - width] >= 0 && pattern.stiffness && !pattern.stiffness->empty()) {
                    const int next = chain.vertex[(k + 1) % chain.vertex.size()];
                    const int before = pattern.rows->vertex[pattern.rows->start[chain.row[k - 1]]];
                    const bool alike = (a == chain.vertex[k]) == (before == chain.vertex[k - 1]);
                    hinge_base_[place] =
                        std::max(0.0, pattern.stiffness->coupling(chain.vertex[k - 1], next)) *
                        (alike ? 1 : -1);
                }
            }
            if (closed)
                rings_[rings_.size() - width + lane].last =
                    offset + (int(chain.row.size()) - 1) * width + lane;
        }
        first += lane;
    }
}

template <class Real>
void YarnRows<Real>::list_incident_rows() {
    incident_start_.assign(n_ + 2, 0);
    for (std::size_t k = 0; k < size(); ++k) {
        if (row_[k] < 0) continue;
        ++incident_start_[vertex_a_[k] + 1];
        ++incident_start_[vertex_b_[k] + 1];
    }
    for (int i = 0; i <= n_; ++i) incident_start_[i + 1] += incident_start_[i];
    incident_.resize(incident_start_[n_ + 1]);
    std::vector<int> next(incident_start_.begin(), incident_start_.end() - 1);
    for (std::size_t k = 0; k < size(); ++k) {
        if (row_[k] < 0) continue;
        incident_[next[vertex_a_[k]]++] = int(2 * k);
        incident_[next[vertex_b_[k]]++] = int(2 * k + 1);
    }
}

// Entry of J diag^-1 J^T between two rows that share one free vertex.
template <class Real>
double YarnRows<Real>::coupling(int place, int other) const {
    const auto dot = double(gradient_[place][0]) * gradient_[other][0] +
                     double(gradient_[place][1]) * gradient_[other][1] +
                     double(gradient_[place][2]) * gradient_[other][2];
    double sum = 0;
    const int a = vertex_a_[place], b = vertex_b_[place], c = vertex_a_[other], d = vertex_b_[other];
    if (a == c) sum += inverse_mass_[a];
    if (b == d) sum += inverse_mass_[b];
    if (a == d) sum -= inverse_mass_[a];
    if (b == c) sum -= inverse_mass_[b];
    return sum * dot;
}

template <class Real>
void YarnRows<Real>::assemble(const SaddleSystem& system, double unit) {
    for (int i = 0; i < n_; ++i) inverse_mass_[i] = unit / system.diagonal[i];
    parallel_for(size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            if (row_[k] < 0) continue;
            const Vec3& g = system.rows->gradient[system.rows->start[row_[k]] + 1];
            gradient_[k] = V{Real(g.x()), Real(g.y()), Real(g.z()), Real(0)};
            const double norm2 = std::max(g.squaredNorm(), 1e-30);
            const double diagonal = norm2 * (inverse_mass_[vertex_a_[k]] + inverse_mass_[vertex_b_[k]]);
            regularization_[k] = Real(system.regularization * diagonal);
            // Twice the regularisation in the blocks: a taut row between pins makes them singular.
            diagonal_[k] = diagonal * (1 + 2 * system.regularization);
            woodbury_[k] = system.weight.empty() ? Real(0) : Real(system.weight[row_[k]] / (unit * norm2));
        }
    });
    add_hinges(system.stiffness_scale / unit);
    if (!cross_.empty()) cross_.assemble(system, unit);
    if (folded_.cells() > 0) {
        // Estimate the diagonal of P^-1.
        parallel_for(size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) {
                const Real hinges = hinge_[k] + (k + width < size() ? hinge_[k + width] : Real(0));
                answer_[k] = row_[k] < 0 ? Real(0) : Real(1 / diagonal_[k]) + woodbury_[k] + hinges;
            }
        });
        folded_.assemble(system, unit, answer_, regularization_);
    }
    parallel_for(
        groups_.size(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t g = begin; g < end; ++g) {
                const Group& group = groups_[g];
                for (int lane = 0; lane < width; ++lane) {
                    factor_lane(group, lane, group.closed() ? &rings_[group.first_ring + lane] : nullptr);
                }
            }
        },
        8);
}

// Bending between neighbours on a chain: where it turns, one of them pulls only in part along the other.
template <class Real>
void YarnRows<Real>::add_hinges(double scale) {
    const auto dot = [&](int k, int l) {
        const V product = gradient_[k] * gradient_[l];
        return double(product[0]) + double(product[1]) + double(product[2]);
    };
    const auto add = [&](const Group& group) {
        for (int k = group.offset + width; k < group.offset + group.length * width; ++k) {
            if (hinge_base_[k] == 0) continue;
            const double bend = scale * std::abs(hinge_base_[k]);
            const double here = std::max(dot(k, k), 1e-30),
                         before = std::max(dot(k - width, k - width), 1e-30);
            const double between = scale * hinge_base_[k] * dot(k, k - width) / (here * before);
            // In differences where the yarn is straight: large terms then do not cancel.
            hinge_[k] = Real(between);
            woodbury_[k] += Real(bend / here - between);
            woodbury_[k - width] += Real(bend / before - between);
        }
    };
    parallel_for(
        groups_.size(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t g = begin; g < end; ++g) add(groups_[g]);
        },
        8);
}

template <class Real>
void YarnRows<Real>::factor_lane(const Group& group, int lane, Ring* ring) {
    // Prepare the rank-one term that closes a ring.
    const int first = group.offset + lane;
    double close = 0, gamma = 0;
    const bool closes = ring && ring->last > first + width && row_[first] >= 0 && row_[ring->last] >= 0;
    if (closes) {
        close = coupling(first, ring->last);
        gamma = -diagonal_[first];
    }

    // Factor the tridiagonal block; a row between pins has diagonal zero and drops out.
    double previous = 1;
    for (int k = 0; k < group.length; ++k) {
        const int place = first + k * width;
        lower_[place] = inverse_[place] = 0;
        if (row_[place] < 0) continue;
        double full = diagonal_[place];
        if (closes && place == first) full -= gamma;
        if (closes && place == ring->last) full -= close * close / gamma;
        const bool coupled = k > 0 && row_[place - width] >= 0;
        const double off = coupled ? coupling(place, place - width) : 0.0;
        const double lower = off / previous;
        const double pivot = std::max(full - lower * off, 1e-7 * full);
        lower_[place] = Real(lower);
        inverse_[place] = Real(1 / pivot);
        previous = pivot;
    }
    if (!closes) return;

    // Solve T q = u with u = (gamma, 0, ..., close) for the ring.
    const int rows = (ring->last - first) / width + 1;
    std::vector<double> q(rows);
    for (int k = 0; k < rows; ++k) {
        const double u = k == 0 ? gamma : k == rows - 1 ? close : 0.0;
        q[k] = u - (k > 0 ? double(lower_[first + k * width]) * q[k - 1] : 0.0);
    }
    for (int k = rows - 1; k >= 0; --k) {
        q[k] = q[k] * double(inverse_[first + k * width]) -
               (k + 1 < rows ? double(lower_[first + (k + 1) * width]) * q[k + 1] : 0.0);
    }
    ring->v_last = Real(close / gamma);
    const double denominator = 1 + q[0] + close / gamma * q[rows - 1];
    ring->scale = std::abs(denominator) > 1e-12 ? Real(1 / denominator) : Real(0);
    for (int k = 0; k < rows; ++k) ring_[first + k * width] = Real(q[k]);
}

template <class Real>
void YarnRows<Real>::multiply(const LaneVector<Real>& x, std::vector<Real>& y) const {
    parallel_for(size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const V product = gradient_[k] * (x[vertex_b_[k]] - x[vertex_a_[k]]);
            y[k] = product[0] + product[1] + product[2];
        }
    });
}

template <class Real>
void YarnRows<Real>::transposed(const std::vector<Real>& y, LaneVector<Real>& x) const {
    parallel_for(n_, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            V sum{};
            for (int k = incident_start_[i]; k < incident_start_[i + 1]; ++k) {
                const int place = incident_[k] >> 1;
                const Real value = (incident_[k] & 1) ? y[place] : -y[place];
                sum += value * gradient_[place];
            }
            x[i] = sum;
        }
    });
    x[n_] = V{};
}

template <class Real>
void YarnRows<Real>::precondition(const std::vector<Real>& r, std::vector<Real>& z) {
    solve_chains(r, z);
    if (!cross_.empty()) {
        cross_.apply(gradient_, z, across_);
        solve_chains(across_, answer_);
        parallel_for(size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) z[k] += answer_[k];
        });
    }
    add_woodbury(r, z);
    folded_.add(r, z);
}

template <class Real>
void YarnRows<Real>::solve_chains(const std::vector<Real>& r, std::vector<Real>& z) const {
    parallel_for(
        groups_.size(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t g = begin; g < end; ++g) {
                const Group& group = groups_[g];
                Wide y{};
                for (int k = 0; k < group.length; ++k) {
                    at(z, group, k) = y = at(r, group, k) - at(lower_, group, k) * y;
                }
                Wide x{}, next{};
                for (int k = group.length - 1; k >= 0; --k) {
                    x = at(z, group, k) * at(inverse_, group, k) - next * x;
                    next = at(lower_, group, k);
                    at(z, group, k) = x;
                }
                for (int lane = 0; group.closed() && lane < width; ++lane) {
                    const Ring& ring = rings_[group.first_ring + lane];
                    if (ring.last < 0 || ring.scale == 0) continue;
                    const int first = group.offset + lane;
                    const Real s = (z[first] + ring.v_last * z[ring.last]) * ring.scale;
                    for (int place = first; place <= ring.last; place += width) z[place] -= s * ring_[place];
                }
            }
        },
        8);
}

// Geometric stiffness, and bending between neighbours on a chain.
template <class Real>
void YarnRows<Real>::add_woodbury(const std::vector<Real>& r, std::vector<Real>& z) const {
    parallel_for(
        groups_.size(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t g = begin; g < end; ++g) {
                const Group& group = groups_[g];
                Wide before{};
                for (int k = 0; k < group.length; ++k) {
                    const Wide here = at(r, group, k);
                    at(z, group, k) += at(woodbury_, group, k) * here;
                    if (k > 0) {
                        const Wide jump = at(hinge_, group, k) * (here - before);
                        at(z, group, k) += jump;
                        at(z, group, k - 1) -= jump;
                    }
                    before = here;
                }
            }
        },
        8);
}

template <class Real>
void YarnRows<Real>::gather(std::span<const double> rows, double scale, std::vector<Real>& packed) const {
    for (std::size_t k = 0; k < size(); ++k) packed[k] = row_[k] < 0 ? Real(0) : Real(scale * rows[row_[k]]);
}

template <class Real>
void YarnRows<Real>::scatter(const std::vector<Real>& packed, double scale, std::span<double> rows) const {
    std::fill(rows.begin(), rows.end(), 0.0);
    for (std::size_t k = 0; k < size(); ++k) {
        if (row_[k] >= 0) rows[row_[k]] = scale * double(packed[k]);
    }
}

template class YarnRows<float>;
template class YarnRows<double>;

}  // namespace taut::linalg
