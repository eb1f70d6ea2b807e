// How the broad phase grows with the cloth, and what threads gain on it, beside what they gain on a plain
// loop.
//     broad_phase_growth [MOST]      vertices of the largest sheet, 100 000 unless told
// A flat sheet touches nothing; a rolled one touches itself everywhere. Thickness is a fifth of an edge.
// Exit status 1 if pairs depend on the number of threads.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "sim/cloths.hpp"
#include "taut/base/parallel.hpp"
#include "taut/collision/broad_phase.hpp"

namespace {

using namespace taut;

constexpr int repeats = 9;

// Median of some runs [ms].
template <class Work>
double milliseconds(Work&& work) {
    std::vector<double> times;
    for (int k = 0; k < repeats; ++k) {
        const auto start = std::chrono::steady_clock::now();
        work();
        times.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
    return times[repeats / 2];
}

// One width of the sheet in a spiral whose windings are `pitch` apart.
Points rolled(const Points& flat, double pitch) {
    Points roll = flat;
    double angle = 2 * std::numbers::pi, length = 0, u = 0;
    for (std::size_t i = 0; i < flat.size(); ++i) {
        // Vertices of a row share their place along the spiral: go on where u grows, begin anew where it
        // falls.
        if (flat[i].x() < u) angle = 2 * std::numbers::pi, length = 0;
        u = flat[i].x();
        while (length < u) {
            const double step = std::min(u - length, 1e-4), radius = pitch * angle / (2 * std::numbers::pi);
            angle += step / radius;
            length += step;
        }
        const double radius = pitch * angle / (2 * std::numbers::pi);
        roll[i] = Vec3(radius * std::cos(angle), flat[i].y(), radius * std::sin(angle));
    }
    return roll;
}

struct Found {
    double one = 0, two = 0;  // [ms]
    std::size_t pairs = 0;
    bool same = true;
};

Found measure(int side, bool roll) {
    const Model model = testing::sheet(side, side);
    const double edge = 1.0 / (side - 1), thickness = 0.2 * edge;
    const collision::Surface surface = collision::make_surface(model, {}, thickness);
    const Points x = roll ? rolled(model.rest, 1.5 * thickness) : model.rest;
    Points end = testing::random_points(x.size(), 0.1 * thickness, 1);
    for (std::size_t i = 0; i < x.size(); ++i) end[i] += x[i] + Vec3(0.3 * thickness, 0, 0.2 * thickness);
    collision::BroadPhase phase;
    phase.prepare(surface, model.rest);
    Found found;
    collision::Pairs first, second;
    {
        const ThreadLimit limit(1);
        found.one = milliseconds([&] { phase.find(x, end, thickness, first); });
    }
    {
        const ThreadLimit limit(2);
        found.two = milliseconds([&] { phase.find(x, end, thickness, second); });
    }
    found.pairs = first.vertex_face.size() + first.edge_edge.size();
    found.same = first.vertex_face == second.vertex_face && first.edge_edge == second.edge_edge;
    return found;
}

// What two threads gain on a loop that only computes.
double plain_gain() {
    std::vector<double> out(1 << 20);
    const auto loop = [&] {
        parallel_for(out.size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) out[i] = std::sin(static_cast<double>(i)) + out[i] / 3;
        });
    };
    double one = 0, two = 0;
    {
        const ThreadLimit limit(1);
        one = milliseconds(loop);
    }
    {
        const ThreadLimit limit(2);
        two = milliseconds(loop);
    }
    return one / two;
}

}  // namespace

int main(int count, char** arguments) {
    const int most = count > 1 ? std::atoi(arguments[1]) : 100000;
    if (most < 1000) {
        fmt::print(stderr, "usage: broad_phase_growth [MOST], at least 1000\n");
        return 2;
    }
    bool same = true;
    const double plain = plain_gain();
    for (const bool roll : {false, true}) {
        fmt::print(
            "{} sheet\n| vertices | pairs | one thread [ms] | per n log n, first = 1 | two threads [ms] | "
            "gain | of a plain loop's {:.2f} |\n|---:|---:|---:|---:|---:|---:|---:|\n",
            roll ? "rolled" : "flat", plain);
        double first = 0;
        for (int vertices = 1000; vertices <= most + most / 100;
             vertices = vertices < most ? std::min(most, vertices * 10 / 3) : most * 2) {
            const int side = static_cast<int>(std::lround(std::sqrt(vertices)));
            const double n = static_cast<double>(side) * side;
            const Found found = measure(side, roll);
            const double unit = found.one / (n * std::log2(n));
            if (first == 0) first = unit;
            same = same && found.same;
            fmt::print("| {} | {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.0f} % |\n", n, found.pairs,
                       found.one, unit / first, found.two, found.one / found.two,
                       100 * found.one / found.two / plain);
        }
        fmt::print("\n");
    }
    fmt::print("pairs {} for one and two threads\n", same ? "the same" : "DIFFER");
    return same ? 0 : 1;
}
