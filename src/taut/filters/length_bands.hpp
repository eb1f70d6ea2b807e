// Lengths that contacts may not take out of a band: seams, warp and weft within the strain that is promised,
// and diagonals of cells, which stop shearing before their opposite sides touch.
#pragma once

#include <span>
#include <vector>

#include "taut/collision/surface.hpp"
#include "taut/model/step_context.hpp"

namespace taut::filters {

// Two points whose distance stays between two lengths [m].
struct LengthBand {
    int a = -1, b = -1;
    double low = 0, high = 0;
};

class LengthBands {
public:
    void clear();
    // For the end of a step; none where no strain is promised. Diagonals only for a surface.
    void set(const StepContext& context, const collision::Surface* surface);
    std::span<const LengthBand> all() const { return bands_; }
    // True if every length is in its band.
    bool hold(ConstPoints x) const;

private:
    void add_edges(const Model& model);
    void add_diagonals(const Model& model, const collision::Surface& surface);
    void set_seams(const Model& model, double time);

    std::vector<LengthBand> bands_;  // seams first, in the order of the model
    double strain_ = -1;             // they were made for
};

}  // namespace taut::filters
