#include "taut/mesh/woven_disc.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <string>

#include "taut/base/error.hpp"
#include "taut/base/parameter.hpp"
#include "taut/mesh/topology.hpp"
#include "taut/mesh/yarns.hpp"

namespace taut::mesh {
namespace {

// Squares of distances from the center are whole numbers in cells.
struct CutCells {
    int half;  // cells from the center to the rim

    int side() const { return 2 * half + 1; }
    long square(int i, int j) const { return long(i - half) * (i - half) + long(j - half) * (j - half); }
    // Corners of a cell, in order.
    std::array<std::array<int, 2>, 4> corners(int i, int j) const {
        return {{{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}}};
    }
    int inside(int i, int j, long limit) const {
        int count = 0;
        for (const auto& [a, b] : corners(i, j)) count += square(a, b) <= limit;
        return count;
    }
    // Area within a limit, in cells: whole ones, and halves where three corners are inside.
    double area(long limit) const {
        double sum = 0;
        for (int j = 0; j < 2 * half; ++j) {
            for (int i = 0; i < 2 * half; ++i) {
                const int count = inside(i, j, limit);
                sum += count == 4 ? 1 : count == 3 ? 0.5 : 0;
            }
        }
        return sum;
    }
    // The limit whose area is nearest to that of a circle, between one cell less and one more.
    long best_limit(double radius) const {
        const double wanted = std::numbers::pi * radius * radius;
        const long low = long(std::floor(std::max(0.0, radius - 1) * (radius - 1))),
                   high = std::min(long(half) * half, long(std::ceil((radius + 1) * (radius + 1))));
        long best = low;
        double least = 1e300;
        for (long limit = low; limit <= high; ++limit) {
            const double miss = std::abs(area(limit) - wanted);
            if (miss < least) least = miss, best = limit;
        }
        return best;
    }
};

Direction direction_of(const Vec3& d, double cell) {
    if (std::abs(d.y()) < 0.1 * cell) return Direction::weft;
    return std::abs(d.x()) < 0.1 * cell ? Direction::warp : Direction::none;
}

}  // namespace

WovenDisc make_woven_disc(double radius, int across, double clamp) {
    if (!(std::isfinite(radius) && radius > 0))
        throw InputError({}, "the radius must be a positive length", number_text(radius), "allowed: > 0 m");
    if (across < 4 || across % 2 != 0 || across > 20000)
        throw InputError({}, "cells along the diameter", std::to_string(across),
                         "allowed: even numbers from 4 to 20000");
    if (!(clamp >= 0 && clamp < radius))
        throw InputError({}, "the clamp is no smaller than the disc", number_text(clamp),
                         "allowed: 0 to less than the radius, " + number_text(radius) + " m");

    // A lattice one cell wider than the disc, so that the best rim is among those tried.
    const CutCells lattice{across / 2 + 1};
    const double cell = 2 * radius / across;
    const long limit = lattice.best_limit(0.5 * across);
    WovenDisc disc;
    std::vector<int> index(std::size_t(lattice.side()) * std::size_t(lattice.side()), -1);
    const auto place = [&](int i, int j) -> int& {
        return index[std::size_t(j) * std::size_t(lattice.side()) + std::size_t(i)];
    };

    // Number the corners that a face uses, row by row.
    const auto faces = [&](auto&& use) {
        for (int j = 0; j < 2 * lattice.half; ++j) {
            for (int i = 0; i < 2 * lattice.half; ++i) {
                Face face;
                int count = 0;
                for (const auto& [a, b] : lattice.corners(i, j)) {
                    if (lattice.square(a, b) > limit) continue;
                    face.corner[std::size_t(count++)] = b * lattice.side() + a;
                }
                if (count >= 3) use(face);
            }
        }
    };
    faces([&](const Face& face) {
        for (int k = 0; k < face.size(); ++k) index[std::size_t(face.corner[std::size_t(k)])] = 0;
    });
    const long held = clamp > 0 ? lattice.best_limit(clamp / cell) : -1;
    for (int j = 0; j < lattice.side(); ++j) {
        for (int i = 0; i < lattice.side(); ++i) {
            if (place(i, j) < 0) continue;
            place(i, j) = static_cast<int>(disc.made.rest.size());
            if (lattice.square(i, j) == 0) disc.center = {place(i, j)};
            if (lattice.square(i, j) <= held) disc.clamp.push_back(place(i, j));
            disc.made.rest.push_back({cell * (i - lattice.half), cell * (j - lattice.half), 0});
        }
    }
    faces([&](Face face) {
        const int corners = face.size();
        for (int k = 0; k < corners; ++k)
            face.corner[std::size_t(k)] = index[std::size_t(face.corner[std::size_t(k)])];
        disc.made.mesh.faces.push_back(face);
    });
    disc.made.mesh.vertices = static_cast<int>(disc.made.rest.size());

    // Give edges their directions, and note the rim.
    const Points& x = disc.made.rest;
    disc.made.net.edges = build_topology(disc.made.mesh).edges;
    std::vector<bool> outer(x.size(), false);
    for (Edge& edge : disc.made.net.edges) {
        edge.direction = direction_of(x[std::size_t(edge.b)] - x[std::size_t(edge.a)], cell);
        if (edge.face[1] < 0) outer[std::size_t(edge.a)] = outer[std::size_t(edge.b)] = true;
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (outer[i]) disc.rim.push_back(static_cast<int>(i));
    }
    disc.made.net.yarns = trace_yarns(disc.made.net.edges, x);
    return disc;
}

}  // namespace taut::mesh
