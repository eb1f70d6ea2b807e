// The order in which a filter corrects edges one by one, for filters that have one: from vertices that hold
// the cloth outwards, each correction moving its second vertex alone (Ozgen and Kallmann 2011).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace taut {

// Of a spring at a vertex, seen along the pull of gravity or of another force.
enum class SpringKind : std::uint8_t { horizontal, vertical, shear };

struct Correction {
    int from = 0, to = 0;  // global vertices; `to` moves
    SpringKind kind = SpringKind::horizontal;
};

struct CorrectionMap {
    std::string name;
    long number = 0;               // another one whenever another list takes its place
    std::vector<int> fixed;        // vertices the corrections start from
    std::vector<Correction> list;  // in the order they are made
};

}  // namespace taut
