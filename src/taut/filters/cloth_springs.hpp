// The springs that edge-by-edge corrections know, after Ozgen and Kallmann 2011: stretch springs along warp
// and weft, shear springs across the cells. General meshes: both diagonals of every quad and every edge that
// is neither warp nor weft are shear springs; where a cloth has no warp and weft at all, all its edges are
// stretch springs. Pairs of seams are stretch springs whose length may change over time.
#pragma once

#include <vector>

#include "taut/base/incidence.hpp"
#include "taut/model/model.hpp"

namespace taut::filters {

struct ClothSpring {
    int a = 0, b = 0;   // vertices
    double length = 0;  // at rest, or of a seam at this time [m]
    bool shear = false;
};

class ClothSprings {
public:
    void prepare(const Model& model);
    // Puts seams to a time [s]; true if a length has changed.
    bool advance(const Model& model, double time);

    // Stretch springs in the order of edges, then seams, then shear springs.
    const std::vector<ClothSpring>& all() const { return springs_; }
    // Ends of springs at each vertex: 2 s for the first end of spring s, 2 s + 1 for the second.
    const Incidence& ends() const { return ends_; }
    int other(int end) const {
        const ClothSpring& spring = springs_[static_cast<std::size_t>(end) / 2];
        return end % 2 == 0 ? spring.b : spring.a;
    }
    // Largest |l/l0 - 1| of stretch springs of the cloth, seams apart [1].
    double strain(ConstPoints x) const;

private:
    std::vector<ClothSpring> springs_;
    std::size_t first_seam_ = 0;
    Incidence ends_;
};

}  // namespace taut::filters
