#include "taut/scene/fabric_kes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "taut/base/error.hpp"
#include "taut/elements/load_path.hpp"
#include "taut/scene/fabric_units.hpp"

namespace taut::scene {
namespace {

using elements::LoadCurve;
using elements::Yielding;

double slope_between(const LoadCurve& curve, double from, double to) {
    return (elements::load_at(curve, to).load - elements::load_at(curve, from).load) / (to - from);
}

// Width of the loop at a place, mean of both sides of the cycle.
double width_at(const LoadCurve& curve, double s, double reach) {
    elements::LoadMemory memory;
    double width = 0;
    for (const double side : {1.0, -1.0}) {
        width += 0.5 * side * elements::follow(curve, memory, side * s).load;
        elements::follow(curve, memory, side * reach);
        width -= 0.5 * side * elements::follow(curve, memory, side * s).load;
        elements::follow(curve, memory, 0);
    }
    return width;
}

// Load where a path first passes a place between two points, seen from one side; out: on the way out to its
// farthest point on that side, else on the way back. Not a number: it does not.
double measured_at(const LoadPath& path, double side, double s, bool out) {
    const auto farther = [side](double a, double b) { return side * a < side * b; };
    const auto peak =
        static_cast<std::size_t>(std::max_element(path.s.begin(), path.s.end(), farther) - path.s.begin());
    const std::size_t begin = out ? 1 : peak + 1, end = out ? peak + 1 : path.s.size();
    for (std::size_t k = begin; k < end; ++k) {
        const double from = side * path.s[k - 1], to = side * path.s[k];
        if (out ? !(from < s && s <= to) : !(to <= s && s < from)) continue;
        const double way = (s - from) / (to - from);
        return side * (path.load[k - 1] + way * (path.load[k] - path.load[k - 1]));
    }
    return std::numeric_limits<double>::quiet_NaN();
}

// Mean of those that are numbers.
double mean_of(const std::vector<double>& values) {
    double sum = 0;
    int count = 0;
    for (const double value : values) {
        if (std::isfinite(value)) sum += value, ++count;
    }
    return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

double measured_slope(std::span<const LoadPath> paths, double from, double to) {
    std::vector<double> slopes;
    for (const LoadPath& path : paths) {
        const auto first = std::find_if(path.s.begin(), path.s.end(), [](double s) { return s != 0; });
        const double side = first != path.s.end() && *first < 0 ? -1 : 1;
        slopes.push_back((measured_at(path, side, to, true) - measured_at(path, side, from, true)) /
                         (to - from));
    }
    return mean_of(slopes);
}

double measured_width(std::span<const LoadPath> paths, double s) {
    std::vector<double> widths;
    for (const LoadPath& path : paths) {
        for (const double side : {1.0, -1.0})
            widths.push_back(measured_at(path, side, s, true) - measured_at(path, side, s, false));
    }
    return mean_of(widths);
}

LoadCurve yielding_alone(const Yielding& part) {
    LoadCurve curve;
    curve.yielding[0] = part;
    return curve;
}

// What is left of a stiffness for the spring.
double spring_for(double stiffness, const LoadCurve& friction, double from, double to, const char* loops,
                  const char* slope, double unit) {
    const double taken = slope_between(friction, from, to);
    if (stiffness >= taken) return stiffness - taken;
    throw InputError({}, fmt::format("{} is too large for {}", loops, slope),
                     fmt::format("friction alone makes a slope of {:.4g} KES", taken / unit),
                     fmt::format("allowed: {} of {:.4g} KES at least", slope, taken / unit));
}

}  // namespace

KesBending kes_bending_of(const LoadCurve& curve) {
    return {slope_between(curve, 0.5 * kes_curvature, 1.5 * kes_curvature),
            width_at(curve, kes_curvature, kes_bending_reach)};
}

KesShear kes_shear_of(const LoadCurve& curve) {
    return {slope_between(curve, 0.5 * degree, 2.5 * degree), width_at(curve, 0.5 * degree, kes_shear_reach),
            width_at(curve, 5 * degree, kes_shear_reach)};
}

KesBending kes_bending_of(std::span<const LoadPath> paths) {
    return {measured_slope(paths, 0.5 * kes_curvature, 1.5 * kes_curvature),
            measured_width(paths, kes_curvature)};
}

KesShear kes_shear_of(std::span<const LoadPath> paths) {
    return {measured_slope(paths, 0.5 * degree, 2.5 * degree), measured_width(paths, 0.5 * degree),
            measured_width(paths, 5 * degree)};
}

LoadCurve curve_of(const KesBending& wanted) {
    // Let friction yield well before the place where its loop is measured.
    constexpr double scale = 0.2 * kes_curvature;
    LoadCurve curve = yielding_alone({1, scale});
    curve.yielding[0].load = wanted.hysteresis / width_at(curve, kes_curvature, kes_bending_reach);
    curve.slope = spring_for(wanted.stiffness, curve, 0.5 * kes_curvature, 1.5 * kes_curvature, "2HB", "B",
                             kes_bending);
    return curve;
}

LoadCurve curve_of(const KesShear& wanted) {
    // One part that yields at once, for the loop near 0, and one that yields later and widens it.
    constexpr std::array<double, 2> scales{0.2 * degree, 1.5 * degree};
    std::vector<std::vector<double>> widths;
    for (const double scale : scales) {
        const LoadCurve unit = yielding_alone({1, scale});
        widths.push_back(
            {width_at(unit, 0.5 * degree, kes_shear_reach), width_at(unit, 5 * degree, kes_shear_reach)});
    }
    const std::vector<double> loads =
        nonnegative_least_squares(widths, {wanted.hysteresis, wanted.hysteresis_5});
    LoadCurve curve;
    for (std::size_t j = 0; j < scales.size(); ++j) curve.yielding[j] = {loads[j], scales[j]};
    curve.slope =
        spring_for(wanted.stiffness, curve, 0.5 * degree, 2.5 * degree, "2HG with 2HG5", "G", kes_shear);
    return curve;
}

LoadPath cycle_of(const LoadCurve& curve, double reach, int steps) {
    LoadPath path;
    elements::LoadMemory memory;
    const std::array<double, 5> ends{0, 1, 0, -1, 0};
    for (std::size_t quarter = 0; quarter + 1 < ends.size(); ++quarter) {
        for (int k = quarter == 0 ? 0 : 1; k <= steps; ++k) {
            const double way = static_cast<double>(k) / steps;
            path.s.push_back(reach * (ends[quarter] + way * (ends[quarter + 1] - ends[quarter])));
            path.load.push_back(elements::follow(curve, memory, path.s.back()).load);
        }
    }
    return path;
}

}  // namespace taut::scene
