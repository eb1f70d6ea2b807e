// Four lanes per vertex (x, y, z, unused): the vector type of the scalar solvers.
#pragma once

#include <cstdlib>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace taut::linalg {

template <class Real>
struct LaneType;
template <>
struct LaneType<float> {
    typedef float type __attribute__((vector_size(16)));
};
template <>
struct LaneType<double> {
    typedef double type __attribute__((vector_size(32)));
};
template <class Real>
using Lanes = typename LaneType<Real>::type;

// Memory for long vectors in huge pages where the system has them: solves along columns step over a
// whole row at a time, and with small pages every step would miss the translation cache.
template <class T>
struct PageAllocator {
    using value_type = T;
    static constexpr std::size_t page = std::size_t(1) << 21;

    PageAllocator() = default;
    template <class U>
    PageAllocator(const PageAllocator<U>&) {}

    T* allocate(std::size_t count) {
        const std::size_t bytes = count * sizeof(T), alignment = bytes < page ? 64 : page;
        void* const memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
        if (!memory) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
        if (alignment == page) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t) { std::free(memory); }
    bool operator==(const PageAllocator&) const { return true; }
};

template <class Real>
using LaneVector = std::vector<Lanes<Real>, PageAllocator<Lanes<Real>>>;

}  // namespace taut::linalg
