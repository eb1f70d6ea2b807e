// Which boxes of a set meet? Boxes are put in order along a Z-shaped curve, large ones apart from small
// ones, and packed eight to a block, blocks eight to a node and so on up: a tree without pointers, made
// by sorting. Each block then asks the tree for blocks that come after it. A floor among cloth costs one
// more visit, not a tree of large boxes, and a sheet along an axis is like any other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "taut/base/vec.hpp"

namespace taut::collision {

// Closed, axis-aligned [m]; empty where low exceeds high, and then it meets nothing.
struct Box {
    Vec3 low, high;
};

struct BoxPair {
    int a, b;  // indices into the boxes
};

class PackedBoxes {
public:
    // Passive boxes (flags as many as boxes) are found by others but do not ask: no pair of two of them.
    PackedBoxes(std::span<const Box> boxes, std::span<const std::uint8_t> passive);

    // Blocks of boxes that ask; their pairs together are all pairs, each once.
    std::size_t asking_blocks() const { return asking_blocks_; }

    // Appends the pairs of a block with itself and with those after it.
    void append_pairs(std::size_t block, std::vector<BoxPair>& pairs) const;

private:
    static constexpr std::size_t width = 8;

    // Boxes of a block side by side, so that one is compared with all of them at once.
    typedef double Eight __attribute__((vector_size(width * sizeof(double))));
    struct Lanes {
        std::array<Eight, 3> low, high;
    };

    void fill(std::span<const Box> boxes, std::span<const std::uint8_t> passive);
    void append_block_pairs(std::size_t block, std::size_t other, std::vector<BoxPair>& pairs) const;
    static void set(Lanes& lanes, std::size_t k, const Box& box);
    static Box get(const Lanes& lanes, std::size_t k);
    static Box hull(const Lanes& lanes);
    Box hull_of_block(std::size_t block) const;
    static unsigned meeting(const Lanes& lanes, const Box& box);

    std::vector<int> ids_;                    // box in each place, -1 for none
    std::vector<std::vector<Lanes>> levels_;  // blocks of boxes, blocks of their hulls, and so on to one
    std::size_t asking_blocks_ = 0;
};

}  // namespace taut::collision
