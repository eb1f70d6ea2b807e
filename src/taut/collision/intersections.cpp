// Boxes are compared as doubles, so no pair is lost to rounding. Blocks of triangles are searched in
// parallel, each into a list of its own; the lists are joined in the order of the blocks.
#include "taut/collision/intersections.hpp"

#include <algorithm>
#include <cassert>

#include "taut/base/parallel.hpp"
#include "taut/collision/packed_boxes.hpp"
#include "taut/elements/triangle_overlap.hpp"

namespace taut::collision {
namespace {

// Blocks of eight triangles that one task searches: some 100 us of work.
constexpr std::size_t task_blocks = 32;

// Tasks between two looks at the limit, whatever the number of threads.
constexpr std::size_t round_tasks = 16;

using Triangle = std::array<int, 3>;

struct CheckedSurface {
    ConstPoints x;
    std::span<const Triangle> triangles;
    const IntersectionSkips& skips;

    const Vec3& at(int corner) const { return x[static_cast<std::size_t>(corner)]; }
    const Triangle& triangle(int k) const { return triangles[static_cast<std::size_t>(k)]; }
    int group(int k) const { return skips.group.empty() ? 0 : skips.group[static_cast<std::size_t>(k)]; }

    bool is_finite(const Triangle& t) const {
        return at(t[0]).allFinite() && at(t[1]).allFinite() && at(t[2]).allFinite();
    }

    // Empty for a triangle that is not finite.
    Box box(const Triangle& t) const {
        if (!is_finite(t)) return {Vec3::Ones(), Vec3::Zero()};
        return {at(t[0]).cwiseMin(at(t[1])).cwiseMin(at(t[2])),
                at(t[0]).cwiseMax(at(t[1])).cwiseMax(at(t[2]))};
    }

    bool intersect(const TrianglePair& pair) const {
        if (!skips.not_within.empty() && group(pair.a) == group(pair.b)) {
            // A negative group is beyond the end.
            const auto g = static_cast<std::size_t>(group(pair.a));
            if (g < skips.not_within.size() && skips.not_within[g] != 0) return false;
        }
        return elements::triangles_overlap(x, triangle(pair.a), triangle(pair.b)) &&
               !std::binary_search(skips.exempt.begin(), skips.exempt.end(), pair);
    }
};

PackedBoxes pack(const CheckedSurface& surface) {
    const std::size_t count = surface.triangles.size();
    std::vector<Box> boxes(count);
    std::vector<std::uint8_t> prescribed(count);
    parallel_for(count, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            boxes[k] = surface.box(surface.triangles[k]);
            prescribed[k] = surface.group(static_cast<int>(k)) < 0 ? 1 : 0;
        }
    });
    return PackedBoxes(boxes, prescribed);
}

// Calls found(task, pair) for every intersection, and go_on() after each round until it says no.
template <class Found, class GoOn>
void search(const CheckedSurface& surface, const PackedBoxes& boxes, Found&& found, GoOn&& go_on) {
    const std::size_t blocks = boxes.asking_blocks(), round = task_blocks * round_tasks;
    for (std::size_t start = 0; start < blocks; start += round) {
        parallel_for(
            std::min(round, blocks - start),
            [&](std::size_t begin, std::size_t end) {
                std::vector<BoxPair> candidates;
                for (std::size_t block = begin; block < end; ++block) {
                    candidates.clear();
                    boxes.append_pairs(start + block, candidates);
                    for (const auto& [a, b] : candidates) {
                        const TrianglePair pair{std::min(a, b), std::max(a, b)};
                        if (surface.intersect(pair)) found((start + begin) / task_blocks, pair);
                    }
                }
            },
            task_blocks);
        if (!go_on()) return;
    }
}

std::size_t task_count(const PackedBoxes& boxes) { return boxes.asking_blocks() / task_blocks + 1; }

void assert_sizes([[maybe_unused]] std::span<const Triangle> triangles,
                  [[maybe_unused]] const IntersectionSkips& skips) {
    assert(skips.group.empty() || skips.group.size() == triangles.size());
    assert(std::is_sorted(skips.exempt.begin(), skips.exempt.end()));
}

}  // namespace

std::vector<TrianglePair> find_intersections(ConstPoints x, std::span<const Triangle> triangles,
                                             const IntersectionSkips& skips, std::size_t limit) {
    assert_sizes(triangles, skips);
    if (limit == 0) return {};
    const CheckedSurface surface{x, triangles, skips};
    const PackedBoxes boxes = pack(surface);
    std::vector<std::vector<TrianglePair>> lists(task_count(boxes));
    search(
        surface, boxes,
        [&](std::size_t task, const TrianglePair& pair) {
            if (lists[task].size() < limit) lists[task].push_back(pair);
        },
        [&] {
            std::size_t total = 0;
            for (const auto& list : lists) total += list.size();
            return total < limit;
        });

    std::vector<TrianglePair> pairs;
    for (const auto& list : lists) pairs.insert(pairs.end(), list.begin(), list.end());
    if (pairs.size() > limit) pairs.resize(limit);
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

std::size_t count_intersections(ConstPoints x, std::span<const Triangle> triangles,
                                const IntersectionSkips& skips) {
    assert_sizes(triangles, skips);
    const CheckedSurface surface{x, triangles, skips};
    const PackedBoxes boxes = pack(surface);
    std::vector<std::size_t> counts(task_count(boxes));
    search(
        surface, boxes, [&](std::size_t task, const TrianglePair&) { ++counts[task]; }, [] { return true; });
    std::size_t total = 0;
    for (const std::size_t count : counts) total += count;
    return total;
}

std::vector<int> triangles_not_finite(ConstPoints x, std::span<const Triangle> triangles) {
    const IntersectionSkips none;
    const CheckedSurface surface{x, triangles, none};
    std::vector<int> list;
    for (std::size_t k = 0; k < triangles.size(); ++k) {
        if (!surface.is_finite(triangles[k])) list.push_back(static_cast<int>(k));
    }
    return list;
}

}  // namespace taut::collision
