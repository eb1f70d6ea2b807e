#include "taut/filters/contact_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut::filters {
namespace {

// Adds an impulse [kg m] to the points of a row.
void push_points(const ContactRow& row, std::span<const double> inverse_mass, const Vec3& impulse,
                 PointsView x) {
    for (std::size_t k = 0; k < 4; ++k) {
        if (row.point[k] < 0 || row.weight[k] == 0) continue;
        const auto p = static_cast<std::size_t>(row.point[k]);
        if (inverse_mass[p] > 0) x[p] += row.weight[k] * inverse_mass[p] * impulse;
    }
}

// Sum of squared weights over masses [1/kg].
double compliance_of(const ContactRow& row, std::span<const double> inverse_mass) {
    double sum = 0;
    for (std::size_t k = 0; k < 4; ++k) {
        if (row.point[k] >= 0)
            sum += row.weight[k] * row.weight[k] * inverse_mass[static_cast<std::size_t>(row.point[k])];
    }
    return sum;
}

// Weighted sum of the points of a row.
Vec3 weighted(const ContactRow& row, ConstPoints x) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = 0; k < 4; ++k) {
        if (row.point[k] >= 0) sum += row.weight[k] * x[static_cast<std::size_t>(row.point[k])];
    }
    return sum;
}

// Settles one row, whose points were at `start`, weighted; returns by how much it missed its target [m].
double settle(ContactRow& row, double compliance, double grip, const Vec3& start,
              std::span<const double> inverse_mass, PointsView x) {
    if (compliance <= 0) return 0;
    const Vec3 place = weighted(row, x);
    const double miss = row.target - row.normal.dot(place);
    if (miss <= 0 && row.push <= 0) return miss;

    // Push, never pull; then hold it back across, as far as the push allows.
    const double push = std::max(0.0, row.push + miss / compliance);
    Vec3 impulse = (push - row.push) * row.normal;
    row.push = push;
    if (const double friction = grip * row.friction; friction > 0) {
        const Vec3 way = place - start - row.carried;
        Vec3 slide = row.slide - (way - row.normal.dot(way) * row.normal) / compliance;
        const double limit = friction * push, size = slide.norm();
        if (size > limit) slide *= limit / size;
        impulse += slide - row.slide;
        row.slide = slide;
    }
    push_points(row, inverse_mass, impulse, x);
    return miss;
}

// Corrections aim so much inside a band, relative to its width, that the next sweep finds it kept.
constexpr double inside = 0.05;

// And go further by this factor: sweeps then reach far along a yarn in fewer turns. Tried on tight trousers:
// half of the sweeps at 1.5, a third at 1.8, but energy rises there.
constexpr double beyond = 1.5;

// Rows that push nothing and are clear by so many tolerances are passed over in the same way.
constexpr double clear_tolerances = 10;

// Lengths as near the end of their band as this, relative to its width, are looked at in every sweep, the
// others only in every so many.
constexpr double near_end = 0.25;
constexpr int look_at_all = 8;

// Contacts that contradict each other get no better: sweeps end once the worst miss has not fallen by this
// share in so many of them.
constexpr double least_progress = 0.01;
constexpr int patient_sweeps = 100;

// Where all contacts have held for so many sweeps only lengths are left to mend, from neighbour to neighbour:
// the projection does that better.
constexpr int held_sweeps = 64;

double width(const LengthBand& band) { return std::min(band.high - band.low, 0.01 * band.high); }

// True where a length is close to an end of its band, or outside.
bool is_near(const LengthBand& band, PointsView x) {
    const double squared =
        (x[static_cast<std::size_t>(band.b)] - x[static_cast<std::size_t>(band.a)]).squaredNorm();
    const double low = band.low + near_end * width(band), high = band.high - near_end * width(band);
    return squared > high * high || squared < low * low;
}

// Moves two points back into their band along their line; false if they were in it.
bool mend(const LengthBand& band, std::span<const double> inverse_mass, PointsView x) {
    const auto a = static_cast<std::size_t>(band.a), b = static_cast<std::size_t>(band.b);
    const Vec3 d = x[b] - x[a];
    const double squared = d.squaredNorm();
    const bool is_long = squared > band.high * band.high;
    if (!is_long && !(squared < band.low * band.low)) return false;
    const double compliance = inverse_mass[a] + inverse_mass[b], length = std::sqrt(squared);
    if (compliance == 0 || length == 0) return false;
    const double margin = inside * width(band);
    const double goal = is_long ? band.high - margin : band.low + margin;
    const Vec3 impulse = beyond * (length - goal) / (length * compliance) * d;
    x[a] += inverse_mass[a] * impulse;
    x[b] -= inverse_mass[b] * impulse;
    return true;
}

}  // namespace

void ContactRows::weigh(ConstPoints x_start, std::span<const double> inverse_mass) {
    for (std::size_t r = compliance_.size(); r < rows_.size(); ++r) {
        compliance_.push_back(compliance_of(rows_[r], inverse_mass));
        start_.push_back(weighted(rows_[r], x_start));
    }
}

double ContactRows::sweep(ConstPoints x_start, std::span<const double> inverse_mass, PointsView x) {
    weigh(x_start, inverse_mass);
    return sweep_active(true, 0, inverse_mass, x);
}

// One sweep over all rows, or over those that mattered when all were looked at last.
double ContactRows::sweep_active(bool all, double margin, std::span<const double> inverse_mass,
                                 PointsView x) {
    double worst = 0;
    if (!all) {
        for (const std::size_t r : active_)
            worst = std::max(worst, settle(rows_[r], compliance_[r], grip_, start_[r], inverse_mass, x));
        return worst;
    }
    active_.clear();
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        const double miss = settle(rows_[r], compliance_[r], grip_, start_[r], inverse_mass, x);
        if (rows_[r].push > 0 || miss > -margin) active_.push_back(r);
        worst = std::max(worst, miss);
    }
    return worst;
}

int ContactRows::solve(ConstPoints x_start, std::span<const double> inverse_mass,
                       std::span<const LengthBand> bands, double tolerance, int sweeps, PointsView x) {
    weigh(x_start, inverse_mass);
    int all_in = 0;  // sweeps until all are looked at again
    double least = std::numeric_limits<double>::infinity();
    int since = 0, held = 0;
    for (int k = 1; k <= sweeps; ++k) {
        bool mended = false;
        const bool all = all_in == 0;
        if (all) {
            near_.clear();
            for (const LengthBand& band : bands) {
                if (is_near(band, x)) near_.push_back(band);
            }
            all_in = look_at_all;
        }
        for (const LengthBand& band : near_) mended = mend(band, inverse_mass, x) || mended;
        const double worst = sweep_active(all, clear_tolerances * tolerance, inverse_mass, x);
        --all_in;
        ++since;
        if (worst < (1 - least_progress) * least || worst <= tolerance) {
            least = std::min(least, worst);
            since = 0;
        }
        held = worst > tolerance ? 0 : held + 1;
        if (since >= patient_sweeps || held >= held_sweeps) return k;
        if (worst > tolerance || mended) continue;
        if (all) return k;
        all_in = 0;
    }
    return sweeps;
}

}  // namespace taut::filters
