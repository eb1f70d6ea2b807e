#include "taut/filters/contact_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut::filters {
namespace {

// Weighted sum of all points of a row.
Vec3 weighted(const ContactRow& row, ConstPoints x) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = 0; k < 4; ++k) {
        if (row.point[k] >= 0) sum += row.weight[k] * x[static_cast<std::size_t>(row.point[k])];
    }
    return sum;
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

// Takes what does not change from new rows: points that cannot move go into the target.
void ContactRows::weigh(ConstPoints x_start, std::span<const double> inverse_mass, ConstPoints x) {
    for (std::size_t r = moving_.size(); r < rows_.size(); ++r) {
        const ContactRow& row = rows_[r];
        MovingRow own;
        Vec3 fixed = Vec3::Zero();
        double compliance = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            if (row.point[k] < 0 || row.weight[k] == 0) continue;
            const auto p = static_cast<std::size_t>(row.point[k]);
            if (inverse_mass[p] > 0) {
                own.part[own.count++] = {p, row.weight[k], row.weight[k] * inverse_mass[p]};
                compliance += row.weight[k] * row.weight[k] * inverse_mass[p];
            } else {
                fixed += row.weight[k] * x[p];
            }
        }
        own.normal = row.normal;
        own.target = row.target - row.normal.dot(fixed);
        own.stiffness = compliance > 0 ? 1 / compliance : 0;
        own.friction = grip_ * row.friction;
        own.start = weighted(row, x_start) + row.carried - fixed;
        moving_.push_back(own);
    }
}

// Settles one row; returns by how much it missed its target [m].
double ContactRows::settle(std::size_t r, PointsView x) {
    const MovingRow& own = moving_[r];
    ContactRow& row = rows_[r];
    Vec3 place = own.part[0].weight * x[own.part[0].point];
    for (std::size_t k = 1; k < own.count; ++k) place += own.part[k].weight * x[own.part[k].point];
    const double height = own.normal.dot(place), miss = own.target - height;
    if ((miss <= 0 && row.push <= 0) || own.stiffness == 0) return own.stiffness > 0 ? miss : 0;

    // Push, never pull; then hold it back across, as far as the push allows.
    const double push = std::max(0.0, row.push + miss * own.stiffness);
    Vec3 impulse = (push - row.push) * own.normal;
    row.push = push;
    if (own.friction > 0) {
        const Vec3 way = place - own.start;
        Vec3 slide = row.slide - own.stiffness * (way - own.normal.dot(way) * own.normal);
        const double limit = own.friction * push, size = slide.squaredNorm();
        if (size > limit * limit) slide *= limit / std::sqrt(size);
        impulse += slide - row.slide;
        row.slide = slide;
    }
    for (std::size_t k = 0; k < own.count; ++k) x[own.part[k].point] += own.part[k].share * impulse;
    return miss;
}

double ContactRows::sweep(ConstPoints x_start, std::span<const double> inverse_mass, PointsView x) {
    weigh(x_start, inverse_mass, x);
    return sweep_active(true, 0, x);
}

// One sweep over all rows, or over those that mattered when all were looked at last.
double ContactRows::sweep_active(bool all, double margin, PointsView x) {
    double worst = 0;
    if (!all) {
        for (const std::size_t r : active_) worst = std::max(worst, settle(r, x));
        return worst;
    }
    active_.clear();
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        const double miss = settle(r, x);
        if (rows_[r].push > 0 || miss > -margin) active_.push_back(r);
        worst = std::max(worst, miss);
    }
    return worst;
}

int ContactRows::solve(ConstPoints x_start, std::span<const double> inverse_mass,
                       std::span<const LengthBand> bands, double tolerance, int sweeps, PointsView x) {
    weigh(x_start, inverse_mass, x);
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
        const double worst = sweep_active(all, clear_tolerances * tolerance, x);
        --all_in;
        ++since;
        if (worst < (1 - least_progress) * least || worst <= tolerance) {
            least = std::min(least, worst);
            since = 0;
        }
        held = worst > tolerance ? 0 : held + 1;
        if (since >= patient_sweeps || held >= patience_) return k;
        if (worst > tolerance || mended) continue;
        if (all) return k;
        all_in = 0;
    }
    return sweeps;
}

}  // namespace taut::filters
