// Random numbers that are the same everywhere: a seed means one sequence on any machine.
#pragma once

#include <cstdint>

namespace taut {

// splitmix64: one step of a counter through a mixing function.
inline std::uint64_t next_random(std::uint64_t& state) {
    state += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

// Evenly spread from -1 to 1.
inline double next_signed(std::uint64_t& state) {
    return static_cast<double>(next_random(state) >> 11) * 0x1p-52 - 1;
}

}  // namespace taut
