// What `verify` looks at: triangles of cloths and obstacles in one list, cores of round obstacles, planes;
// where all of it is in a frame, and which of it meets there. Every vertex and edge is owned by one
// triangle, so that pairs of triangles visit every pair of vertex and face and of two edges once
// (representative triangles, Curtis et al. 2008). Private to the verify files.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "taut/io/verify.hpp"

namespace taut::io::verify {

// A ball, core {a, a}, or a capsule, core {a, b}.
struct RoundCore {
    int body;               // see BodyPart
    std::array<int, 2> at;  // points
    double radius;          // [m]
};

struct Surface {
    const CacheHeader* header = nullptr;
    int cloth_points = 0, points = 0;
    std::vector<std::array<int, 3>> triangles;  // cloths first; a link of a chain is {a, b, b}
    std::size_t cloth_triangles = 0;
    std::vector<int> group;             // per triangle: cloth, or -1
    std::vector<int> body;              // per triangle
    std::vector<int> source;            // per triangle: face of its body, or -1 for a link
    std::vector<std::uint8_t> owned;    // per triangle: bit k corner k, bit 3 + k the edge from corner k
    std::vector<std::uint8_t> no_self;  // per cloth: not checked against itself
    std::vector<int> first_point;       // per body
    std::vector<RoundCore> rounds;
    std::vector<int> planes;  // bodies

    const collision::Obstacle& obstacle(int of_body) const {
        return header->obstacles[obstacle_index(of_body)];
    }
    std::size_t obstacle_index(int of_body) const {
        return static_cast<std::size_t>(of_body) - header->cloths.size();
    }
    bool allowed_to_meet(int a, int b) const;  // two triangles
};

Surface make_surface(const CacheHeader& header, const VerifyOptions& options);

// All points at a frame: cloth, then obstacles [m].
void place(const Surface& surface, const CacheFrame& frame, Points& x);

// Points are those of the whole surface.
BodyPart vertex_part(const Surface& surface, int body, int point);
BodyPart edge_part(const Surface& surface, int body, int a, int b);
BodyPart triangle_part(const Surface& surface, int triangle);
BodyPart solid_part(int body);

// Two parts that meet at a moment or on the way to the next; see Offence.
struct Meeting {
    BodyPart first, second;
    double value = 0;
    bool through = false, sure = true;
};

struct Meetings {
    std::vector<Meeting> list;                                   // in a fixed order
    double clearance = std::numeric_limits<double>::infinity();  // to round solids and planes [m]
};

// Everything that meets in a frame. x: of all points.
Meetings find_meetings(const Surface& surface, const CacheFrame& frame, const Points& x);

// Everything that meets on the way from one step to the next, all points on straight lines. Pairs that
// meet at the start already are left out.
std::vector<Meeting> find_crossings(const Surface& surface, const Points& x_start, const Points& x_end);

}  // namespace taut::io::verify
