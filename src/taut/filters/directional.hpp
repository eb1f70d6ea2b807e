// Directional constraint enforcement of Ozgen and Kallmann 2011: stretched springs are corrected one by one
// in an order that spreads from fixed vertices along gravity, in one pass, each correction moving only its
// second vertex. Fast, and no bound on strain: it promises nothing. Where we differ: vertices are queued at
// their first visit unless asked otherwise, springs are corrected beyond a threshold and back to it, and
// velocities of neighbours are drawn together, since one-sided corrections feed in energy; several maps
// follow events, or rebuild themselves when what supports the cloth has changed; down may be the pull of all
// outer forces. See docs/theory/directional.md.
#pragma once

#include <span>
#include <string>

#include "taut/filters/correction_order.hpp"
#include "taut/filters/map_events.hpp"
#include "taut/model/interfaces.hpp"

namespace taut::filters {

struct DirectionalParams {
    double threshold = 0.1;
    double target = 1;
    bool compression = false;
    int visits = 3;
    std::string order = "horizontal_vertical_shear";
    std::string expansion = "synchronous";
    std::string queue = "first_visit";
    double level = 30;      // [deg]
    double viscosity = 60;  // [1/s]
    std::string direction = "gravity";
    double turn = 30;  // [deg]
    std::string maps = "named";
    double change = 0.1;
    double response = 0.1;  // [s]
};
void describe(ParamList& list, DirectionalParams& params);

class Directional final : public VelocityFilter {
public:
    using Params = DirectionalParams;
    static constexpr const char* type_name = "directional";

    // start: positions whose slopes count for named maps [m]; empty: the rest shape.
    explicit Directional(Params params, std::vector<MapRule> rules = {}, Points start = {});
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    void apply(const StepContext& context, Candidate& c, FilterReport& report) override;
    void measure(const StepContext& context, const Candidate& c, FilterReport& report) const override;
    void apply_end_velocity(const StepContext& context, const Candidate& c, State& end) override;
    Promise promise() const override { return Promise::other; }
    ContractBreaks breaks() const override;
    const CorrectionMap* correction_map() const override { return used_ ? &used_->map : nullptr; }
    std::vector<MemoryBlock> memory() override;

private:
    // A spring whose ends come together, with the part of the way that either end goes.
    struct Tie {
        int from, to;
        double part_to, part_from;
    };

    // A list with what it was built for: how vertices are fixed, and where down is for each cloth.
    struct Built {
        std::vector<std::uint8_t> fixed;
        std::vector<Vec3> down;
        double stamp = -1;  // of the shape, where maps are automatic
        CorrectionMap map;
        std::vector<int> spring;     // of each correction
        std::vector<double> length;  // of each correction [m]
        std::vector<Tie> ties;       // each spring of the list once
    };

    bool automatic() const { return params_.maps == "automatic"; }
    CorrectionRules rules() const;
    void find_pull(const StepContext& context);
    void choose_map(const StepContext& context, FilterReport& report);
    void choose_automatic(const StepContext& context, FilterReport& report);
    bool support_changed(const StepContext& context) const;
    // The list for these flags, this direction of each cloth and this shape.
    void build(const std::vector<std::uint8_t>& fixed, std::span<const double> down, ConstPoints shape,
               const std::string& name, Built& built);
    long correct();

    Params params_;
    MapEvents events_;
    Points start_;
    ClothSprings springs_;
    std::vector<double> mass_;         // [kg]
    std::vector<int> cloth_of_;        // of each vertex; empty: there is one cloth
    std::vector<Built> built_;         // the map of pins alone or the automatic one, then those of the rules
    const Built* used_ = nullptr;      // in this step
    long next_number_ = 1;             // of the next list
    std::vector<std::uint8_t> fixed_;  // wanted in this step
    std::vector<std::uint8_t> held_flags_;  // pinned, when fixed_ was made
    int held_rule_ = -2;                    // and for which rule

    // Memory: smoothed pull and the direction maps are built for, three numbers per cloth; where maps are
    // automatic how long each vertex still counts as supported [s], and of the map in use stamp, time, shape,
    // fixed flags and direction.
    std::vector<double> pull_, down_, support_, source_;
    Points x_, outer_;
    std::vector<std::uint8_t> moved_;  // by a correction of this step
};

}  // namespace taut::filters
