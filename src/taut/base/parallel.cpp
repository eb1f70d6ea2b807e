#include "taut/base/parallel.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace taut {
namespace {

using oneapi::tbb::global_control;

std::vector<double> block_values(std::size_t count, std::size_t block,
                                 const std::function<double(std::size_t, std::size_t)>& body) {
    std::vector<double> values((count + block - 1) / block);
    parallel_for(
        count,
        [&](std::size_t begin, std::size_t end) {
            // One call may cover several blocks when the loop runs serially.
            for (std::size_t b = begin; b < end; b += block) {
                values[b / block] = body(b, std::min(b + block, end));
            }
        },
        block);
    return values;
}

}  // namespace

ThreadLimit::ThreadLimit(int threads)
    : control_(threads > 0 ? new global_control(global_control::max_allowed_parallelism,
                                                static_cast<std::size_t>(threads))
                           : nullptr) {}

ThreadLimit::~ThreadLimit() { delete static_cast<global_control*>(control_); }

int thread_count() {
    const std::size_t allowed = global_control::active_value(global_control::max_allowed_parallelism);
    return std::max(1, std::min(static_cast<int>(allowed), oneapi::tbb::info::default_concurrency()));
}

void detail::run_blocks(std::size_t count, std::size_t block, void* context, RangeBody body) {
    const std::size_t blocks = (count + block - 1) / block;
    // Two blocks are done before a second thread is awake.
    if (blocks <= 2 || thread_count() == 1) {
        for (std::size_t b = 0; b < blocks; ++b) {
            body(context, b * block, std::min(count, (b + 1) * block));
        }
        return;
    }
    oneapi::tbb::parallel_for(std::size_t{0}, blocks, [&](std::size_t b) {
        body(context, b * block, std::min(count, (b + 1) * block));
    });
}

double parallel_sum(std::size_t count, const std::function<double(std::size_t, std::size_t)>& body,
                    std::size_t block) {
    if (count == 0) return 0;
    double total = 0;
    for (double value : block_values(count, block, body)) total += value;
    return total;
}

double parallel_max(std::size_t count, const std::function<double(std::size_t, std::size_t)>& body,
                    std::size_t block) {
    double largest = -std::numeric_limits<double>::infinity();
    if (count == 0) return largest;
    for (double value : block_values(count, block, body)) {
        if (std::isnan(value)) return value;
        largest = std::max(largest, value);
    }
    return largest;
}

}  // namespace taut
