// A closed surface of triangles that can be edited: edges are flipped, split and collapsed in place.
// Half edge h = 3 t + k runs from corner k of triangle t to the next one; its twin is the same edge seen
// from the other triangle. Triangles and vertices that were taken away stay as gaps until they are packed.
#pragma once

#include <array>
#include <vector>

#include "taut/base/vec.hpp"

namespace taut::mesh {

// Triangles over points, normals outward by the right hand.
struct TriangleSurface {
    Points points;  // [m]
    std::vector<std::array<int, 3>> triangles;
};

class TriangleNet {
public:
    // Throws InputError where the triangles are not closed and manifold.
    explicit TriangleNet(TriangleSurface surface);

    Points points;  // [m]; those of removed vertices mean nothing

    int vertices() const { return static_cast<int>(out_.size()); }
    int half_edges() const { return static_cast<int>(origin_.size()); }
    bool has_vertex(int v) const { return out_[static_cast<std::size_t>(v)] >= 0; }
    bool has(int h) const { return start(h) >= 0; }
    static int next(int h) { return h % 3 == 2 ? h - 2 : h + 1; }
    static int previous(int h) { return h % 3 == 0 ? h + 2 : h - 1; }
    int start(int h) const { return origin_[static_cast<std::size_t>(h)]; }
    int end(int h) const { return start(next(h)); }
    int apex(int h) const { return start(previous(h)); }  // the corner opposite to the edge
    int twin(int h) const { return twin_[static_cast<std::size_t>(h)]; }
    const Vec3& at(int v) const { return points[static_cast<std::size_t>(v)]; }

    // Calls visit(h) for every half edge that starts at v, in order around it.
    template <class Visit>
    void around(int v, Visit&& visit) const {
        const int first = out_[static_cast<std::size_t>(v)];
        int h = first;
        do {
            visit(h);
            h = twin(previous(h));
        } while (h != first);
    }
    int valence(int v) const;
    bool adjacent(int v, int w) const;

    // Turns the edge within its two triangles; allowed where its new ends are not joined yet.
    bool can_flip(int h) const;
    void flip(int h);
    // Puts a new vertex on the middle of the edge and returns it.
    int split(int h);
    // Draws the start of the edge into its end; allowed where the surface stays manifold.
    bool can_collapse(int h) const;
    void collapse(int h);

    // Without the gaps, vertices and triangles in their order.
    TriangleSurface packed() const;

private:
    void link(int h, int g);
    void set(int h, int v);

    std::vector<int> origin_, twin_;  // per half edge; origin -1 where removed
    std::vector<int> out_;            // per vertex one half edge that starts there; -1 where removed
};

}  // namespace taut::mesh
