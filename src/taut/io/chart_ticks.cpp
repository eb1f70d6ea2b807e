// Ranges and ticks of chart axes. A tick is a whole number times a power of ten, kept in that form
// until its label is written.
#include "taut/io/chart_ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "taut/io/text_symbols.hpp"

namespace taut::io::chart {
namespace {

constexpr double largest = 1e300;  // differences and products of what is smaller do not overflow

// A whole number times a power of ten.
struct Decimal {
    std::int64_t digits = 0;
    int exponent = 0;
};

double value_of(const Decimal& decimal) {
    const double digits = static_cast<double>(decimal.digits);
    // Divide by a positive power: those are exact up to 22.
    return decimal.exponent < 0 ? digits / std::pow(10.0, -decimal.exponent)
                                : digits * std::pow(10.0, decimal.exponent);
}

constexpr const char* minus = "\u2212";

int digit_count(std::int64_t digits) { return static_cast<int>(std::to_string(std::abs(digits)).size()); }

// digits * 10^exponent written out.
std::string plain_text(const Decimal& decimal) {
    std::string text = std::to_string(std::abs(decimal.digits));
    if (decimal.exponent >= 0) {
        if (decimal.digits != 0) text.append(static_cast<std::size_t>(decimal.exponent), '0');
    } else {
        const std::size_t decimals = static_cast<std::size_t>(-decimal.exponent);
        if (text.size() <= decimals) text.insert(0, decimals + 1 - text.size(), '0');
        text.insert(text.size() - decimals, 1, '.');
    }
    return decimal.digits < 0 ? minus + text : text;
}

// With a power of ten taken out: "1.5×10⁷".
std::string power_text(const Decimal& decimal, int power) {
    if (decimal.digits == 0) return "0";
    return plain_text({decimal.digits, decimal.exponent - power}) + "\u00D710" + raised(power);
}

const char* unit(bool percent) { return percent ? " %" : ""; }

// Label ticks that share one exponent, all in the same form.
std::vector<Tick> label_linear(const std::vector<Decimal>& decimals, bool percent) {
    // Write numbers out unless they get long: six digits before the point, four after it, or as many
    // as it takes to tell large and close values apart.
    std::int64_t most_digits = 0;
    for (const Decimal& decimal : decimals) most_digits = std::max(most_digits, std::abs(decimal.digits));
    const int digits = digit_count(most_digits);
    const int exponent = (decimals.empty() ? 0 : decimals.front().exponent) + (percent ? 2 : 0);
    const int before = digits + exponent;
    const bool short_enough = before <= 6 && (exponent >= -4 || (before > -2 && exponent >= -9));
    const bool close_together = digits >= 5 && before > 0 && before <= 12;
    std::vector<Tick> ticks;
    for (const Decimal& decimal : decimals) {
        const Decimal shown{decimal.digits, exponent};
        const std::string text =
            short_enough || close_together ? plain_text(shown) : power_text(shown, before - 1);
        ticks.push_back({value_of(decimal), text + unit(percent)});
    }
    return ticks;
}

// Label ticks of any exponents, as decimals from 0.001 to 10000, else all with powers of ten.
std::vector<Tick> label_log(const std::vector<Decimal>& decimals, bool percent) {
    const int shift = percent ? 2 : 0;
    const bool plain = std::all_of(decimals.begin(), decimals.end(), [&](const Decimal& decimal) {
        return decimal.exponent + shift >= -3 && decimal.exponent + shift <= 4;
    });
    std::vector<Tick> ticks;
    for (const Decimal& decimal : decimals) {
        const Decimal shown{decimal.digits, decimal.exponent + shift};
        const std::string text = plain               ? plain_text(shown)
                                 : shown.digits == 1 ? "10" + raised(shown.exponent)
                                                     : power_text(shown, shown.exponent);
        ticks.push_back({value_of(decimal), text + unit(percent)});
    }
    return ticks;
}

// Multiples of `step` from low to high; ends that miss a multiple by rounding count as met.
std::vector<Decimal> multiples(double low, double high, const Decimal& step) {
    const double size = value_of(step);
    const auto first = static_cast<std::int64_t>(std::ceil(low / size - 1e-6));
    const auto last = static_cast<std::int64_t>(std::floor(high / size + 1e-6));
    std::vector<Decimal> decimals;
    for (std::int64_t k = first; k <= last; ++k) decimals.push_back({k * step.digits, step.exponent});
    return decimals;
}

// The given multiples of all powers of ten from low to high.
std::vector<Decimal> in_decades(double low, double high, std::initializer_list<int> digits) {
    std::vector<Decimal> decimals;
    const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
    for (int e = static_cast<int>(std::floor(std::log10(low))); e <= last; ++e) {
        for (const int digit : digits) {
            const Decimal decimal{digit, e};
            const double value = value_of(decimal);
            if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) decimals.push_back(decimal);
        }
    }
    return decimals;
}

void add_minor(Ticks& ticks, const std::vector<Decimal>& decimals) {
    for (const Decimal& decimal : decimals) {
        const double value = value_of(decimal);
        const bool taken = std::any_of(ticks.major.begin(), ticks.major.end(),
                                       [&](const Tick& tick) { return tick.value == value; });
        if (!taken) ticks.minor.push_back(value);
    }
}

// Leave room around data that lies between zero and somewhere, or between two close values.
Extent linear_room(const Extent& data) {
    if (data.empty()) return {0, 1};
    const double size = std::max(std::abs(data.low), std::abs(data.high));
    const double span = data.high - data.low;
    if (size < 1e-290) return {-1, 1};
    if (span < 1e-8 * size) return {data.low - 0.1 * size, data.high + 0.1 * size};
    Extent room{data.low - 0.045 * span, data.high + 0.045 * span};
    if (data.low >= 0 && data.low <= 0.3 * data.high) room.low = 0;
    if (data.high <= 0 && data.high >= 0.3 * data.low) room.high = 0;
    return room;
}

Extent log_room(const Extent& data) {
    if (data.empty()) return {1, 10};
    const double decades = std::log10(data.high) - std::log10(data.low);
    const double room = std::pow(10.0, decades < 1e-6 ? 0.5 : std::max(0.02, 0.045 * decades));
    return {std::max(data.low / room, 1e-305), std::min(data.high * room, 1e305)};
}

}  // namespace

void Extent::add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
}

bool AxisScale::drawable(double value, bool log) {
    if (!std::isfinite(value) || std::abs(value) > largest) return false;
    return !log || value >= 1 / largest;
}

double AxisScale::part(double value) const {
    const double along = log ? (std::log10(value) - std::log10(low)) / (std::log10(high) - std::log10(low))
                             : (value - low) / (high - low);
    const double inside = std::clamp(along, -1e6, 1e6);
    return reversed ? 1 - inside : inside;
}

AxisScale choose_scale(const ChartAxis& axis, const Extent& data) {
    const Extent room = axis.log ? log_room(data) : linear_room(data);
    AxisScale scale{axis.low.value_or(room.low), axis.high.value_or(room.high), axis.log, axis.reversed,
                    axis.percent};

    // Widen an axis whose ends meet or cross, away from an end that is given alone.
    const double size = std::max(std::abs(scale.low), std::abs(scale.high));
    const double step = size > 1e-290 ? 0.1 * size : 1;
    const bool apart = axis.log ? scale.high > scale.low * (1 + 1e-6)
                                : scale.high - scale.low > std::max(1e-8 * size, 1e-298);
    if (apart) return scale;
    if (axis.low && !axis.high) {
        scale.high = axis.log ? scale.low * 10 : scale.low + step;
    } else if (axis.high && !axis.low) {
        scale.low = axis.log ? scale.high / 10 : scale.high - step;
    } else {
        scale.low = axis.log ? scale.low / 3 : scale.low - step;
        scale.high = axis.log ? scale.high * 3 : scale.high + step;
    }
    return scale;
}

Ticks linear_ticks(double low, double high, int most, bool percent) {
    // Go from fine to coarse until few enough ticks are left; step back where they are too few.
    constexpr std::array<int, 3> mantissas{1, 2, 5};
    const int start = static_cast<int>(std::floor(std::log10((high - low) / std::max(most, 2)))) - 1;
    std::vector<Decimal> chosen;
    for (int k = 0; k < 12; ++k) {
        const Decimal step{mantissas[static_cast<std::size_t>(k % 3)], start + k / 3};
        std::vector<Decimal> decimals = multiples(low, high, step);
        if (decimals.size() < 2 && !chosen.empty()) break;
        chosen = std::move(decimals);
        if (static_cast<int>(chosen.size()) <= most) break;
    }
    return {label_linear(chosen, percent), {}};
}

Ticks log_ticks(double low, double high, int most, bool percent) {
    const double decades = std::log10(high) - std::log10(low);
    const std::vector<Decimal> powers = in_decades(low, high, {1});

    // Give a short axis more than powers of ten.
    if (decades < 1.5 || powers.size() < 2) {
        const std::vector<Decimal> decimals = in_decades(low, high, {1, 2, 5});
        if (decimals.size() < 3 && decades < 0.9) return linear_ticks(low, high, most, percent);
        if (static_cast<int>(decimals.size()) <= most || powers.size() < 2) {
            Ticks ticks{label_log(decimals, percent), {}};
            add_minor(ticks, in_decades(low, high, {1, 2, 3, 4, 5, 6, 7, 8, 9}));
            return ticks;
        }
    }

    // Label every power, or every second, third, fifth and so on.
    for (const int stride : {1, 2, 3, 5, 10, 20, 50, 100, 200}) {
        std::vector<Decimal> chosen;
        for (const Decimal& power : powers) {
            if (power.exponent % stride == 0) chosen.push_back(power);
        }
        if (static_cast<int>(chosen.size()) > std::max(most, 2)) continue;
        Ticks ticks{label_log(chosen, percent), {}};
        if (stride > 1) add_minor(ticks, powers);
        // Show the digits between powers while they stay apart.
        if (stride == 1 && decades <= 0.8 * most) {
            add_minor(ticks, in_decades(low, high, {2, 3, 4, 5, 6, 7, 8, 9}));
        }
        return ticks;
    }
    return {};
}

Ticks choose_ticks(const AxisScale& scale, int most) {
    return scale.log ? log_ticks(scale.low, scale.high, most, scale.percent)
                     : linear_ticks(scale.low, scale.high, most, scale.percent);
}

}  // namespace taut::io::chart
