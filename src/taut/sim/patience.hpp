// When filters that take turns give up: once the strain beyond what is promised has not fallen by a fifth for
// so many rounds; half the step takes less than the rest of them. Penetration is not judged: none is
// permitted, so there is nothing to compare it with.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "taut/model/step_context.hpp"

namespace taut {

// Watches the rounds of one step.
class Patience {
public:
    // False: going on is of no use.
    bool round(std::span<const FilterReport> reports) {
        double missed = 0;
        for (const FilterReport& report : reports) {
            const double share = report.tolerance > 0 ? report.residual / report.tolerance - 1 : 0;
            missed = std::max(missed, std::isfinite(share) ? share : 1e300);
        }
        ++rounds_;
        if (missed <= fall * least_) {
            least_ = missed;
            since_ = rounds_;
        }
        return rounds_ - since_ < most_rounds;
    }

private:
    static constexpr int most_rounds = 10;
    static constexpr double fall = 0.8;

    double least_ = std::numeric_limits<double>::infinity();
    int rounds_ = 0, since_ = 0;
};

}  // namespace taut
