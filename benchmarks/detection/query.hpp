// One question to continuous detection with the answer known, and what is counted of many.
#pragma once

#include <array>
#include <ctime>
#include <string>
#include <vector>

#include "taut/elements/continuous.hpp"

namespace detection {

struct Query {
    std::array<taut::Vec3, 4> start, end;  // point and triangle, or two segments [m]
    bool edges = false;
    double gap = 0;           // [m]
    bool hit = false;         // the truth
    double contact_time = 1;  // of a hit: a time at which the distance is the gap or less
};

inline taut::elements::Impact ask(const Query& query, double slack) {
    const auto& [x, y, edges, gap, hit, time] = query;
    if (edges) {
        return taut::elements::segment_segment_impact({x[0], x[1]}, {y[0], y[1]}, {x[2], x[3]}, {y[2], y[3]},
                                                      gap, slack);
    }
    return taut::elements::point_triangle_impact(x[0], y[0], {x[1], x[2], x[3]}, {y[1], y[2], y[3]}, gap,
                                                 slack);
}

// Processor time, so that other programs count less.
inline double nanoseconds_since(std::clock_t begin) {
    return 1e9 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

struct Tally {
    std::string family;
    bool edges = false;
    long queries = 0, hits = 0;  // the truth
    long missed = 0;             // a hit reported as clear
    long late = 0;               // a time at or after a contact
    long false_alarms = 0;       // a clear pair reported as a hit
    double nanoseconds = 0;      // of all queries
};

// Queries whose truth is planted: the coordinates are whole multiples of a power of two, chosen so
// that every number made on the way is exact.
std::vector<Tally> ask_planted(long queries_per_family, double slack);

// Queries decided by exact arithmetic, and the times reported for them too.
std::vector<Tally> ask_exact(long queries_per_family, double slack);

}  // namespace detection
