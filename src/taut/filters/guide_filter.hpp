// Sets vertices onto their guides at the end of the step, by the shortest way, and takes out of their
// velocities what leads off them; the last of all filters where a scene has guides. See
// docs/theory/guides.md.
#pragma once

#include "taut/model/interfaces.hpp"

namespace taut::filters {

class GuideFilter final : public VelocityFilter {
public:
    static constexpr const char* type_name = "guides";
    static constexpr double tolerance = 1e-9;  // distance that counts as none [m]

    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    void apply(const StepContext& context, Candidate& c, FilterReport& report) override;
    void measure(const StepContext& context, const Candidate& c, FilterReport& report) const override;
    bool settle_velocity(const StepContext& context, ConstPoints before, const Candidate& c, PointsView v,
                         FilterReport& report) override;
    void apply_end_velocity(const StepContext& context, const Candidate& c, State& end) override;
    Promise promise() const override { return Promise::other; }
};

}  // namespace taut::filters
