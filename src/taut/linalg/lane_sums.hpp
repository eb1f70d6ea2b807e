// Dot products of lane vectors and of plain arrays in double precision, in fixed block order.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "taut/base/parallel.hpp"
#include "taut/linalg/lanes.hpp"

namespace taut::linalg {

// Lane by lane: sum over i < count of a[i] * b[i]; the fourth lane is not used.
template <class Real>
std::array<double, 4> lane_dot(const LaneVector<Real>& a, const LaneVector<Real>& b, std::size_t count) {
    std::vector<std::array<double, 4>> partial((count + loop_block - 1) / loop_block);
    parallel_for(count, [&](std::size_t begin, std::size_t end) {
        // Four independent accumulators keep the adder busy; their order is fixed.
        Lanes<double> sum[4] = {};
        std::size_t i = begin;
        for (; i + 4 <= end; i += 4) {
            for (std::size_t u = 0; u < 4; ++u) {
                sum[u] += __builtin_convertvector(a[i + u], Lanes<double>) *
                          __builtin_convertvector(b[i + u], Lanes<double>);
            }
        }
        for (; i < end; ++i) {
            sum[0] +=
                __builtin_convertvector(a[i], Lanes<double>) * __builtin_convertvector(b[i], Lanes<double>);
        }
        const Lanes<double> total = (sum[0] + sum[1]) + (sum[2] + sum[3]);
        for (int c = 0; c < 4; ++c) partial[begin / loop_block][c] = total[c];
    });
    std::array<double, 4> result{};
    for (const auto& p : partial) {
        for (int c = 0; c < 4; ++c) result[c] += p[c];
    }
    return result;
}

// Sum over i < count of a[i] * b[i].
template <class Real>
double plain_dot(const Real* a, const Real* b, std::size_t count) {
    std::vector<double> partial((count + loop_block - 1) / loop_block);
    parallel_for(count, [&](std::size_t begin, std::size_t end) {
        double sum[8] = {};
        std::size_t i = begin;
        for (; i + 8 <= end; i += 8) {
            for (std::size_t u = 0; u < 8; ++u) sum[u] += double(a[i + u]) * double(b[i + u]);
        }
        for (; i < end; ++i) sum[0] += double(a[i]) * double(b[i]);
        partial[begin / loop_block] =
            ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
    });
    double total = 0;
    for (double p : partial) total += p;
    return total;
}

}  // namespace taut::linalg
