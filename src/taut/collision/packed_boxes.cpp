// Order of the boxes: those that ask first; then by size, in classes of a factor of eight; then along
// the Z-shaped (Morton) curve through their centres. Each class has a curve of its own, over the room
// its own centres take, so that a triangle thrown far away spoils the order of none but its like.
#include "taut/collision/packed_boxes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "taut/base/parallel.hpp"

namespace taut::collision {
namespace {

// Bits of the curve per axis: 2^18 cells across are a kilometre of cells of 4 mm.
constexpr int curve_bits = 18;

// Classes of sizes. Sixteen of a factor of eight reach from 10 km down to the size of an atom; what is
// smaller shares the last.
constexpr int size_classes = 16;

Box empty_box() {
    const double infinity = std::numeric_limits<double>::infinity();
    return {Vec3::Constant(infinity), Vec3::Constant(-infinity)};
}

bool is_empty(const Box& box) { return !(box.low.array() <= box.high.array()).all(); }

int exponent_of_size(const Box& box) {
    return static_cast<int>(std::bit_cast<std::uint64_t>((box.high - box.low).maxCoeff()) >> 52);
}

// Puts two zero bits between any two of the lowest 21.
std::uint64_t spread(std::uint64_t bits) {
    bits = (bits | bits << 32) & 0x1f00000000ffff;
    bits = (bits | bits << 16) & 0x1f0000ff0000ff;
    bits = (bits | bits << 8) & 0x100f00f00f00f00f;
    bits = (bits | bits << 4) & 0x10c30c30c30c30c3;
    return (bits | bits << 2) & 0x1249249249249249;
}

struct KeyedBox {
    std::uint64_t key;
    int id;
};

// By eleven bits at a time, least ones first; digits that all keys share are passed over.
void sort_by_key(std::vector<KeyedBox>& entries) {
    constexpr int digit_bits = 11, digits = 6;
    constexpr std::size_t values = std::size_t{1} << digit_bits;
    const auto digit = [](const KeyedBox& entry, int d) {
        return static_cast<std::size_t>(entry.key >> (d * digit_bits)) & (values - 1);
    };
    std::vector<std::array<std::uint32_t, values>> counts(digits);
    for (const KeyedBox& entry : entries) {
        for (int d = 0; d < digits; ++d) ++counts[static_cast<std::size_t>(d)][digit(entry, d)];
    }
    std::vector<KeyedBox> sorted(entries.size());
    for (int d = 0; d < digits && !entries.empty(); ++d) {
        auto& place = counts[static_cast<std::size_t>(d)];
        if (place[digit(entries[0], d)] == entries.size()) continue;
        std::uint32_t begin = 0;
        for (std::uint32_t& count : place) begin += std::exchange(count, begin);
        for (const KeyedBox& entry : entries) sorted[place[digit(entry, d)]++] = entry;
        entries.swap(sorted);
    }
}

// Keys in the order above; empty boxes are left out.
std::vector<KeyedBox> keys_of(std::span<const Box> boxes, std::span<const std::uint8_t> passive) {
    int largest = 0;
    std::vector<KeyedBox> entries;
    entries.reserve(boxes.size());
    for (std::size_t k = 0; k < boxes.size(); ++k) {
        if (is_empty(boxes[k])) continue;
        largest = std::max(largest, exponent_of_size(boxes[k]));
        entries.push_back({0, static_cast<int>(k)});
    }
    const auto size_class = [&](const Box& box) {
        return static_cast<std::size_t>(std::min((largest - exponent_of_size(box)) / 3, size_classes - 1));
    };
    const auto center = [](const Box& box) -> Vec3 { return 0.5 * box.low + 0.5 * box.high; };

    // Measure the room of each class.
    std::array<Box, size_classes> room;
    room.fill(empty_box());
    for (const KeyedBox& entry : entries) {
        const Box& box = boxes[static_cast<std::size_t>(entry.id)];
        Box& all = room[size_class(box)];
        all = {all.low.cwiseMin(center(box)), all.high.cwiseMax(center(box))};
    }
    std::array<double, size_classes> cells_per_meter{};
    for (std::size_t c = 0; c < size_classes; ++c) {
        const double extent = is_empty(room[c]) ? 0 : (0.5 * room[c].high - 0.5 * room[c].low).maxCoeff();
        if (extent > 0) cells_per_meter[c] = std::min(0.5 * ((1 << curve_bits) - 1) / extent, 0x1p1000);
    }

    parallel_for(entries.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const auto id = static_cast<std::size_t>(entries[k].id);
            const std::size_t c = size_class(boxes[id]);
            const Vec3 cell = (center(boxes[id]) - room[c].low) * cells_per_meter[c];
            std::uint64_t curve = 0;
            for (int axis = 0; axis < 3; ++axis) {
                const double most = (1 << curve_bits) - 1;
                curve |= spread(static_cast<std::uint64_t>(std::clamp(cell[axis], 0.0, most))) << axis;
            }
            const std::uint64_t last = passive[id] != 0 ? 1 : 0;
            entries[k].key = (last * size_classes + c) << (3 * curve_bits) | curve;
        }
    });
    return entries;
}

}  // namespace

void PackedBoxes::set(Lanes& lanes, std::size_t k, const Box& box) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        lanes.low[axis][k] = box.low[static_cast<Eigen::Index>(axis)];
        lanes.high[axis][k] = box.high[static_cast<Eigen::Index>(axis)];
    }
}

Box PackedBoxes::get(const Lanes& lanes, std::size_t k) {
    return {{lanes.low[0][k], lanes.low[1][k], lanes.low[2][k]},
            {lanes.high[0][k], lanes.high[1][k], lanes.high[2][k]}};
}

Box PackedBoxes::hull(const Lanes& lanes) {
    Box all = get(lanes, 0);
    for (std::size_t k = 1; k < width; ++k) {
        const Box box = get(lanes, k);
        all = {all.low.cwiseMin(box.low), all.high.cwiseMax(box.high)};
    }
    return all;
}

Box PackedBoxes::hull_of_block(std::size_t block) const {
    return levels_.size() == 1 ? hull(levels_[0][0]) : get(levels_[1][block / width], block % width);
}

// A bit for each lane that meets the box.
unsigned PackedBoxes::meeting(const Lanes& lanes, const Box& box) {
    const auto x = (lanes.low[0] <= box.high[0]) & (lanes.high[0] >= box.low[0]);
    const auto y = (lanes.low[1] <= box.high[1]) & (lanes.high[1] >= box.low[1]);
    const auto z = (lanes.low[2] <= box.high[2]) & (lanes.high[2] >= box.low[2]);
    typedef std::int64_t Bits __attribute__((vector_size(sizeof(Eight))));
    const Bits hit = x & y & z & Bits{1, 2, 4, 8, 16, 32, 64, 128};
    return static_cast<unsigned>(hit[0] | hit[1] | hit[2] | hit[3] | hit[4] | hit[5] | hit[6] | hit[7]);
}

PackedBoxes::PackedBoxes(std::span<const Box> boxes, std::span<const std::uint8_t> passive) {
    fill(boxes, passive);

    // Pack the hulls of blocks as boxes of the next level, up to a single block.
    while (levels_.back().size() > 1) {
        const std::vector<Lanes>& below = levels_.back();
        std::vector<Lanes> above((below.size() + width - 1) / width);
        parallel_for(above.size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t node = begin; node < end; ++node) {
                for (std::size_t k = 0; k < width; ++k) {
                    const std::size_t child = node * width + k;
                    set(above[node], k, child < below.size() ? hull(below[child]) : empty_box());
                }
            }
        });
        levels_.push_back(std::move(above));
    }
}

void PackedBoxes::fill(std::span<const Box> boxes, std::span<const std::uint8_t> passive) {
    std::vector<KeyedBox> entries = keys_of(boxes, passive);
    sort_by_key(entries);

    // Begin the passive ones with a block of their own.
    const auto is_passive = [&](const KeyedBox& entry) {
        return passive[static_cast<std::size_t>(entry.id)] != 0;
    };
    const auto first = std::find_if(entries.begin(), entries.end(), is_passive);
    const auto asking = static_cast<std::size_t>(first - entries.begin());
    asking_blocks_ = (asking + width - 1) / width;
    const std::size_t blocks = asking_blocks_ + (entries.size() - asking + width - 1) / width;
    ids_.assign(std::max<std::size_t>(blocks, 1) * width, -1);
    levels_.emplace_back(ids_.size() / width);
    for (std::size_t k = 0; k < entries.size(); ++k) {
        ids_[k < asking ? k : k - asking + asking_blocks_ * width] = entries[k].id;
    }
    parallel_for(levels_[0].size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t place = begin * width; place < end * width; ++place) {
            const int id = ids_[place];
            set(levels_[0][place / width], place % width,
                id < 0 ? empty_box() : boxes[static_cast<std::size_t>(id)]);
        }
    });
}

void PackedBoxes::append_block_pairs(std::size_t block, std::size_t other,
                                     std::vector<BoxPair>& pairs) const {
    const Lanes &ours = levels_[0][block], &theirs = levels_[0][other];
    unsigned asking = meeting(ours, hull_of_block(other));
    for (; asking != 0; asking &= asking - 1) {
        const auto k = static_cast<std::size_t>(std::countr_zero(asking));
        unsigned found = meeting(theirs, get(ours, k));
        if (other == block) found &= ~0u << (k + 1);
        for (; found != 0; found &= found - 1) {
            const auto j = static_cast<std::size_t>(std::countr_zero(found));
            pairs.push_back({ids_[block * width + k], ids_[other * width + j]});
        }
    }
}

void PackedBoxes::append_pairs(std::size_t block, std::vector<BoxPair>& pairs) const {
    const Box box = hull_of_block(block);
    struct Open {
        std::size_t level, node;
    };
    std::array<Open, 22 * width> stack;  // eight children on each of at most 21 levels
    std::size_t open = 0;
    stack[open++] = {levels_.size() - 1, 0};
    while (open > 0) {
        const auto [level, node] = stack[--open];
        if (level == 0) {
            append_block_pairs(block, node, pairs);
            continue;
        }
        // Go on with children that hold blocks not before this one.
        const std::size_t first = block >> (3 * (level - 1));
        unsigned found = meeting(levels_[level][node], box);
        for (; found != 0; found &= found - 1) {
            const std::size_t child = node * width + static_cast<std::size_t>(std::countr_zero(found));
            if (child >= first) stack[open++] = {level - 1, child};
        }
    }
}

}  // namespace taut::collision
