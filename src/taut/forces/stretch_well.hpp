// Stretching of House, DeVaul and Breen 1996 (Eq. 3 and 5): every warp or weft edge longer than its rest
// length pulls its ends together, by the energy  C A ((r - s)/s)^5,  with A the patch of cloth that the edge
// stands for. Together with `repel` a well that is flat at its bottom and steep a few percent away: it bounds
// stretch, and promises nothing. See docs/theory/stretch_well.md.
#pragma once

#include <array>
#include <vector>

#include "taut/base/incidence.hpp"
#include "taut/model/interfaces.hpp"

namespace taut::forces {

struct StretchWellParams {
    double stiffness = 1e6;  // C [N/m]
};
void describe(ParamList& list, StretchWellParams& params);

class StretchWell final : public Force {
public:
    using Params = StretchWellParams;
    static constexpr const char* type_name = "stretch_well";

    explicit StretchWell(Params params) : params_(params) {}
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    void add_force(const ForceInput& in, PointsView f) const override;
    bool has_energy() const override { return true; }
    double energy(ConstPoints x) const override;
    // For linearised steps: that of a stretch of 3 %; the well is steeper beyond.
    void add_stiffness(std::vector<linalg::Triplet>& triplets) const override;
    bool has_hessian() const override { return true; }
    void add_pattern(std::vector<std::array<int, 2>>& pairs) const override;
    void add_hessian(const ForceInput& in, double scale, linalg::BlockMatrix& hessian) const override;

private:
    StretchWellParams params_;
    std::vector<std::array<int, 2>> ends_;
    std::vector<double> rest_length_, area_;  // [m], [m^2]
    Incidence incident_;                      // ends of edges at each vertex: 2 e for the first, 2 e + 1
};

}  // namespace taut::forces
