#include "taut/filters/map_events.hpp"

#include <algorithm>
#include <cmath>

namespace taut::filters {

bool MapRule::is_time(double t) const {
    const double local = every > 0 ? std::fmod(t, every) : t;
    return local >= from && local < until;
}

void MapEvents::prepare(int vertices) {
    counts_.assign(rules_.size(), 0.0);
    watched_.assign(rules_.size(), {});
    for (std::size_t r = 0; r < rules_.size(); ++r) {
        if (rules_[r].obstacle == MapRule::no_touch) continue;
        watched_[r].assign(static_cast<std::size_t>(vertices), 0);
        for (const int v : rules_[r].watched) watched_[r][static_cast<std::size_t>(v)] = 1;
    }
}

void MapEvents::add(std::span<const Touch> touches, double dt, double response) {
    for (std::size_t r = 0; r < rules_.size(); ++r) {
        const int wanted = rules_[r].obstacle;
        if (wanted == MapRule::no_touch) continue;
        bool now = false;
        for (const Touch& touch : touches) {
            const bool other = wanted != MapRule::any_obstacle && touch.obstacle != wanted;
            now = now || (!other && watched_[r][static_cast<std::size_t>(touch.vertex)]);
        }
        counts_[r] = now ? response + dt : std::max(0.0, counts_[r] - dt);
    }
}

int MapEvents::called(double t) const {
    for (std::size_t r = 0; r < rules_.size(); ++r) {
        const bool touches = rules_[r].obstacle == MapRule::no_touch || counts_[r] > 0;
        if (touches && rules_[r].is_time(t)) return static_cast<int>(r);
    }
    return -1;
}

}  // namespace taut::filters
