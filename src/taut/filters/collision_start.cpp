// Starts that pass through themselves, mended before the first step: the same moves that pull surfaces apart
// in a step, with time standing still.
#include <fmt/format.h>

#include <algorithm>

#include "taut/filters/collision.hpp"

namespace taut::filters {
namespace {

// Moves of one thickness at most, and those after which fewer pairs must intersect to go on.
constexpr int most_moves = 2000, move_patience = 200;

}  // namespace

std::string Collision::mend_start(const StepContext& context, State& start) {
    if (params_.tangles != "untangle") return {};
    const std::size_t n = start.x.size();
    StepContext still = context;
    still.start = &start;
    still.dt = 0;
    still.round = 0;
    bands_.set(still, &near_->surface());
    for (std::size_t i = 0; i < n; ++i) {
        inverse_mass_[i] = still.pinned[i] ? 0 : 1 / still.model->mass[i];
    }
    begin(still);
    const std::size_t first = near_->tangles().pairs().size();
    if (first == 0) return {};

    // Move and look again until nothing intersects and lengths are kept, or nothing gets better.
    std::size_t least = first, left = first;
    int moves = 0, since = 0;
    bool kept = false;
    Points best = start.x;
    while ((left > 0 || !kept) && moves < most_moves && since < move_patience && !context.stopping()) {
        FilterReport report;
        near_->set_ends(start.x);
        pull_apart();
        rows_.clear();
        rows_.solve(near_->starts(), inverse_mass_, bands_.all(), 0, params_.sweeps, near_->ends());
        if (!settle_contacts(still, report)) move_zones(still);
        std::copy_n(near_->ends().begin(), n, start.x.begin());
        begin(still);
        left = near_->tangles().pairs().size();
        kept = bands_.hold(start.x);
        ++moves;
        ++since;
        if (left < least) since = 0;
        if (left <= least) {
            least = left;
            best = start.x;
        }
    }
    untangling_.clear();
    start.x = std::move(best);
    if (least == 0) return fmt::format("{} pairs of triangles untangled in {} moves", first, moves);
    return fmt::format(
        "{} of {} pairs of triangles untangled in {} moves; the rest goes on while the run does",
        first - least, first, moves);
}

}  // namespace taut::filters
