// Deterministic parallel loops: work is cut into blocks of a fixed size, whatever the
// number of threads, and partial sums are added in block order. Hence the same bits for
// any thread count. Loop bodies receive a half-open index range and must not throw.
#pragma once

#include <cstddef>
#include <functional>
#include <type_traits>

namespace taut {

// Limits the threads used by all loops of this process while it lives; 0 means one per core.
class ThreadLimit {
public:
    explicit ThreadLimit(int threads);
    ~ThreadLimit();
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;

private:
    void* control_;
};

int thread_count();  // threads that loops may use now

// 2048 elements of 24 bytes are 48 KiB: large enough to hide the cost of a task, small
// enough that ten thousand vertices still spread over several cores.
inline constexpr std::size_t loop_block = 2048;

namespace detail {
using RangeBody = void (*)(void* context, std::size_t begin, std::size_t end);
void run_blocks(std::size_t count, std::size_t block, void* context, RangeBody body);
}  // namespace detail

// Calls body(begin, end) over [0, count) in blocks; blocks may run at the same time.
template <class Body>
void parallel_for(std::size_t count, Body&& body, std::size_t block = loop_block) {
    if (count == 0) return;
    if (count <= block) {
        body(std::size_t{0}, count);
        return;
    }
    using Plain = std::remove_reference_t<Body>;
    detail::run_blocks(count, block, const_cast<void*>(static_cast<const void*>(&body)),
                       [](void* context, std::size_t begin, std::size_t end) {
                           (*static_cast<Plain*>(context))(begin, end);
                       });
}

// Sum of body(begin, end) -> double over fixed blocks, added in block order.
double parallel_sum(std::size_t count, const std::function<double(std::size_t, std::size_t)>& body,
                    std::size_t block = loop_block);

// Maximum of body(begin, end) -> double over fixed blocks; NaN in any block gives NaN.
double parallel_max(std::size_t count, const std::function<double(std::size_t, std::size_t)>& body,
                    std::size_t block = loop_block);

}  // namespace taut
