#include "taut/filters/directional.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "taut/elements/edge_limit.hpp"
#include "taut/filters/step_points.hpp"

namespace taut::filters {
namespace {

constexpr double degree = std::numbers::pi / 180;

// A strain that no cloth has on purpose: the run is losing itself. Below it springs alone may get by weight.
constexpr double runaway = 5;

// How a vertex is fixed; 0: it is free.
constexpr std::uint8_t supported = 1, pinned = 2;

std::vector<std::uint8_t> flags_of_pins(const std::vector<std::uint8_t>& pins) {
    std::vector<std::uint8_t> flags(pins.size());
    for (std::size_t i = 0; i < pins.size(); ++i) flags[i] = pins[i] ? pinned : 0;
    return flags;
}

// All orders of the three kinds; some give the same map, see the theory page.
const std::vector<std::string>& order_names() {
    static const std::vector<std::string> names{"horizontal_vertical_shear", "vertical_horizontal_shear",
                                                "horizontal_shear_vertical", "vertical_shear_horizontal",
                                                "shear_horizontal_vertical", "shear_vertical_horizontal"};
    return names;
}

// The kinds in the order in which their names stand in that of the order.
std::array<SpringKind, 3> kinds_of(const std::string& order) {
    std::array<SpringKind, 3> kinds{SpringKind::horizontal, SpringKind::vertical, SpringKind::shear};
    const std::array<const char*, 3> words{"horizontal", "vertical", "shear"};
    const auto place = [&](SpringKind kind) { return order.find(words[static_cast<std::size_t>(kind)]); };
    std::sort(kinds.begin(), kinds.end(), [&](SpringKind a, SpringKind b) { return place(a) < place(b); });
    return kinds;
}

Vec3 vector_at(std::span<const double> numbers, std::size_t k) {
    return {numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2]};
}

void put_vector(const Vec3& value, std::size_t k, std::vector<double>& numbers) {
    for (std::size_t axis = 0; axis < 3; ++axis) numbers[3 * k + axis] = value[static_cast<int>(axis)];
}

}  // namespace

void describe(ParamList& list, DirectionalParams& params) {
    list.number("threshold", params.threshold, "1", between(0, 10),
                "Strain up to which a spring is left alone.");
    list.number("target", params.target, "1", between(0, 1),
                "Where a corrected spring is brought, in thresholds: 0 its rest length, 1 the threshold.");
    list.flag("compression", params.compression, "Also lengthen springs that are compressed beyond it.");
    list.integer("visits", params.visits, "1", between(1, 100), "Corrections of one vertex at most.");
    list.choice("order", params.order, order_names(), "Order of the springs at a vertex, by kind.");
    list.choice("expansion", params.expansion, {"synchronous", "one_by_one"},
                "From all fixed vertices at once, or from one after the other, which shows artefacts.");
    list.choice("queue", params.queue, {"every_visit", "first_visit"},
                "Whether a vertex goes on to its neighbours at each of its visits, or at the first alone.");
    list.number("level", params.level, "deg", between(1, 90),
                "Slope up to which a spring counts as horizontal; steeper upwards it is not corrected.");
    list.number("viscosity", params.viscosity, "1/s", non_negative(),
                "Rate at which velocities at both ends of a corrected spring come together; 0: as in the "
                "paper.");
    list.choice("direction", params.direction, {"gravity", "force"},
                "What down is: the pull of gravity, or of gravity and air together.");
    list.number("turn", params.turn, "deg", between(1, 180),
                "Turn of that pull after which maps are built anew.");
    list.choice("maps", params.maps, {"named", "automatic"},
                "Maps of `correction_maps` and their events, or one that follows what supports the cloth.");
    list.number("change", params.change, "1", between(0, 100),
                "Part of the fixed vertices that must have changed before an automatic map is built anew.");
    list.number(
        "response", params.response, "s", positive(),
        "Time for which a contact counts after it was seen last, between two automatic maps at least, and "
        "over which the pull of the air is averaged.");
}

Directional::Directional(Params params, std::vector<MapRule> rules, Points start)
    : params_(std::move(params)), events_(std::move(rules)), start_(std::move(start)) {}

ContractBreaks Directional::breaks() const {
    ContractBreaks breaks;
    breaks.twice = breaks.momentum = true;
    return breaks;
}

std::vector<MemoryBlock> Directional::memory() {
    return {{"directional.events", &events_.memory()},
            {"directional.pull", &pull_},
            {"directional.down", &down_},
            {"directional.support", &support_},
            {"directional.source", &source_}};
}

CorrectionRules Directional::rules() const {
    CorrectionRules rules;
    rules.kinds = kinds_of(params_.order);
    rules.visits = params_.visits;
    rules.every_visit = params_.queue == "every_visit";
    rules.synchronous = params_.expansion == "synchronous";
    rules.level = std::sin(degree * params_.level);
    return rules;
}

void Directional::prepare(const Model& model) {
    const std::size_t n = model.rest.size();
    springs_.prepare(model);
    mass_ = model.mass;
    events_.prepare(model.vertex_count());
    if (start_.size() != n) start_ = model.rest;
    cloth_of_.clear();
    for (std::size_t c = 0; model.cloths.size() > 1 && c < model.cloths.size(); ++c)
        cloth_of_.resize(cloth_of_.size() + static_cast<std::size_t>(model.cloths[c].vertex_count),
                         static_cast<int>(c));
    built_.assign(events_.rules().size() + 1, {});
    used_ = nullptr;
    held_rule_ = -2;
    pull_.clear();
    down_.clear();
    source_.clear();
    support_.assign(automatic() ? n : 0, 0.0);
}

// What pulls at each cloth from outside, as a direction: gravity, which may begin but never turns, or all
// outer forces, averaged over the response time and followed in turns that are worth a new map.
void Directional::find_pull(const StepContext& context) {
    const bool all = params_.direction == "force";
    if (!all && std::any_of(down_.begin(), down_.end(), [](double d) { return d != 0; })) return;
    const std::size_t cloths = context.model->cloths.size();
    outer_.assign(context.model->rest.size(), Vec3::Zero());
    for (const auto& force : context.forces) {
        const ForceSource source = force->source();
        if (source == ForceSource::gravity || (all && source != ForceSource::cloth))
            force->add_force({context.start->x, context.start->v, context.start->t}, outer_);
    }
    const bool first = down_.empty();
    pull_.resize(3 * cloths, 0.0);
    down_.resize(3 * cloths, 0.0);
    const double share = first ? 1 : -std::expm1(-context.dt / params_.response);
    for (std::size_t c = 0; c < cloths; ++c) {
        const Cloth& cloth = context.model->cloths[c];
        Vec3 sum = Vec3::Zero();
        for (int i = cloth.first_vertex; i < cloth.first_vertex + cloth.vertex_count; ++i)
            sum += outer_[static_cast<std::size_t>(i)];
        const Vec3 pull = vector_at(pull_, c) + share * (sum - vector_at(pull_, c));
        put_vector(pull, c, pull_);
        const double size = pull.norm();
        const Vec3 now = size > 0 ? Vec3(pull / size) : Vec3::Zero(), old = vector_at(down_, c);
        const bool begun = (now == Vec3::Zero()) != (old == Vec3::Zero());  // or ended
        if (first || begun || now.dot(old) < std::cos(degree * params_.turn)) put_vector(now, c, down_);
    }
}

void Directional::build(const std::vector<std::uint8_t>& fixed, std::span<const double> down,
                        ConstPoints shape, const std::string& name, Built& built) {
    built.fixed = fixed;
    built.down.clear();
    for (std::size_t c = 0; 3 * c < down.size(); ++c) built.down.push_back(vector_at(down, c));
    built.map.name = name;
    built.map.number = next_number_++;
    built.map.fixed.clear();
    for (std::size_t i = 0; i < fixed.size(); ++i) {
        if (fixed[i]) built.map.fixed.push_back(static_cast<int>(i));
    }
    built.map.list = correction_order(springs_, {shape, built.down, fixed, cloth_of_}, rules(), built.spring);
    built.length.clear();
    built.ties.clear();
    std::vector<std::uint8_t> seen(springs_.all().size(), 0);
    for (std::size_t k = 0; k < built.spring.size(); ++k) {
        const auto spring = static_cast<std::size_t>(built.spring[k]);
        built.length.push_back(springs_.all()[spring].length);
        if (seen[spring]) continue;
        seen[spring] = 1;
        const auto [from, to, kind] = built.map.list[k];
        const double part = fixed[from] == pinned ? 1 : mass_[from] / (mass_[from] + mass_[to]);
        built.ties.push_back({from, to, part, fixed[from] == pinned ? 0 : 1 - part});
    }
}

// The map that events call for, built when it is first called and when pins or the pull have changed.
void Directional::choose_map(const StepContext& context, FilterReport& report) {
    const int rule = events_.called(context.start->t);
    if (rule != held_rule_ || context.pinned != held_flags_) {
        held_rule_ = rule;
        held_flags_ = context.pinned;
        fixed_ = flags_of_pins(context.pinned);
        if (rule >= 0) {
            for (const int i : events_.rules()[static_cast<std::size_t>(rule)].fixed) {
                std::uint8_t& flag = fixed_[static_cast<std::size_t>(i)];
                flag = std::max(flag, supported);
            }
        }
    }
    Built& built = built_[rule < 0 ? 0 : static_cast<std::size_t>(rule) + 1];
    bool current = built.map.number > 0 && built.fixed == fixed_;
    for (std::size_t c = 0; current && c < built.down.size(); ++c)
        current = built.down[c] == vector_at(down_, c);
    if (!current) {
        const std::string name = rule < 0 ? "pins" : events_.rules()[static_cast<std::size_t>(rule)].name;
        build(fixed_, down_, start_, name, built);
        ++report.maps;
    }
    used_ = &built;
}

// Whether pins or the pull differ from those of the map in use, or supported vertices do enough.
bool Directional::support_changed(const StepContext& context) const {
    const std::size_t n = fixed_.size();
    if (source_.empty()) return true;
    std::size_t before = 0, differ = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double flag = source_[2 + 3 * n + i];
        if ((flag == pinned) != (context.pinned[i] != 0)) return true;
        const bool was = flag > 0;
        before += was ? 1 : 0;
        differ += was != (fixed_[i] != 0) ? 1 : 0;
    }
    if (context.start->t < source_[1] + params_.response) return false;
    if (static_cast<double>(differ) > params_.change * static_cast<double>(before)) return true;
    for (std::size_t k = 0; k < down_.size(); ++k) {
        if (source_[2 + 4 * n + k] != down_[k]) return true;
    }
    return false;
}

// One map for all that holds the cloth now; built from the shape of the moment when that has changed enough.
void Directional::choose_automatic(const StepContext& context, FilterReport& report) {
    const std::size_t n = support_.size();
    fixed_ = flags_of_pins(context.pinned);
    for (std::size_t i = 0; i < n; ++i) {
        if (support_[i] > 0) fixed_[i] = std::max(fixed_[i], supported);
    }
    Built& built = built_[0];
    if (support_changed(context)) {
        const double stamp = source_.empty() ? 1 : source_[0] + 1;
        source_.resize(2 + 4 * n + down_.size());
        source_[0] = stamp;
        source_[1] = context.start->t;
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t axis = 0; axis < 3; ++axis)
                source_[2 + 3 * i + axis] = context.start->x[i][static_cast<int>(axis)];
            source_[2 + 3 * n + i] = fixed_[i];
        }
        std::copy(down_.begin(), down_.end(), source_.begin() + static_cast<std::ptrdiff_t>(2 + 4 * n));
        built.stamp = -1;
        ++report.maps;
    }

    // Build from memory, so that a step taken back and a resumed run have the same list.
    if (built.stamp != source_[0]) {
        Points shape(n);
        for (std::size_t i = 0; i < n; ++i) {
            shape[i] = {source_[2 + 3 * i], source_[3 + 3 * i], source_[4 + 3 * i]};
            fixed_[i] = static_cast<std::uint8_t>(source_[2 + 3 * n + i]);
        }
        build(fixed_, std::span(source_).subspan(2 + 4 * n), shape, "automatic", built);
        built.stamp = source_[0];
    }
    used_ = &built;
}

// Goes through the list once; returns how many springs it corrected.
long Directional::correct() {
    const double high = 1 + params_.threshold, low = std::max(0.0, 1 - params_.threshold);
    const double aim = std::min(params_.target, elements::limit_inside) * params_.threshold;
    const double stretched = 1 + aim, compressed = 1 - aim;
    const std::vector<Correction>& list = used_->map.list;
    long count = 0;
    for (std::size_t k = 0; k < list.size(); ++k) {
        const Vec3& from = x_[list[k].from];
        Vec3& to = x_[list[k].to];
        const double length = used_->length[k], most = high * length, least = low * length;
        const Vec3 d = to - from;
        const double square = d.squaredNorm();
        if (square > most * most) {
            to = from + (stretched * length / std::sqrt(square)) * d;
        } else if (params_.compression && square < least * least && square > 0) {
            to = from + (compressed * length / std::sqrt(square)) * d;
        } else {
            continue;
        }
        moved_[list[k].to] = 1;
        ++count;
    }
    return count;
}

void Directional::apply(const StepContext& context, Candidate& c, FilterReport& report) {
    if (context.round > 0) return;  // once a step
    find_pull(context);
    if (automatic()) {
        choose_automatic(context, report);
    } else {
        choose_map(context, report);
    }
    if (springs_.advance(*context.model, context.time_end())) {
        for (Built& built : built_) {
            for (std::size_t k = 0; k < built.spring.size(); ++k)
                built.length[k] = springs_.all()[static_cast<std::size_t>(built.spring[k])].length;
        }
    }
    end_positions(context, c, x_);
    moved_.assign(x_.size(), 0);
    report.corrections += correct();
    ++report.iterations;
    if (!all_finite(x_)) return;
    for (std::size_t i = 0; i < x_.size(); ++i) {
        if (moved_[i]) c.v[i] = (x_[i] - context.start->x[i]) / context.dt;
    }
}

void Directional::measure(const StepContext& context, const Candidate& c, FilterReport& report) const {
    Points x;
    end_positions(context, c, x);
    report.tolerance = std::numeric_limits<double>::infinity();
    report.residual = springs_.strain(x);
    report.held = report.residual <= runaway;
    if (!report.held)
        report.note = fmt::format(
            "a spring is stretched by {:.3g} %: one-sided corrections feed in energy, so raise 'threshold' "
            "or 'viscosity', or shorten run/dt",
            100 * report.residual);
}

void Directional::apply_end_velocity(const StepContext& context, const Candidate& c, State& end) {
    // Draw velocities together over each spring of the list, by equal and opposite impulses; what is pinned
    // stays.
    const double share = -std::expm1(-context.dt * params_.viscosity);
    if (share > 0 && used_) {
        int from = -1;
        Vec3 v_from = Vec3::Zero();
        for (const Tie& tie : used_->ties) {
            if (tie.from != from) {
                if (from >= 0) end.v[from] = v_from;
                from = tie.from;
                v_from = end.v[from];
            }
            const Vec3 change = share * (end.v[tie.to] - v_from);
            end.v[tie.to] -= tie.part_to * change;
            v_from += tie.part_from * change;
        }
        if (from >= 0) end.v[from] = v_from;
    }

    // Remember what touches.
    events_.add(c.touches, context.dt, params_.response);
    if (!automatic()) return;
    for (double& support : support_) support = std::max(0.0, support - context.dt);
    for (const Touch& touch : c.touches)
        support_[static_cast<std::size_t>(touch.vertex)] = params_.response + context.dt;
}

}  // namespace taut::filters
