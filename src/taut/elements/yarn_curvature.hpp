// The curvature of a yarn where it passes a vertex: the second difference over the neighbours
// before and after it, for unequal spacing, [1/m]. Where the yarn bends within the cloth (rings of
// a cone, drawn grids) that difference also sees the turn inside the surface; a multiple of the
// first differences along both yarns removes it, so that linear functions of the developed
// neighbourhood are annihilated exactly. See docs/theory/isometric_bending.md.
#pragma once

#include <cmath>

#include "taut/elements/stencil.hpp"

namespace taut::elements {

// The developed neighbourhood, vertex at the origin [m].
struct YarnCrossing {
    Vec2 next, previous;    // along the yarn
    Vec2 left, right;       // along the crossing yarn
    bool has_right = true;  // false at a boundary: only `left` exists
};

// Coefficients [1/m^2] for (vertex, next, previous, left, right).
inline Stencil curvature_stencil(const YarnCrossing& c) {
    const double ln = c.next.norm(), lp = c.previous.norm();
    if (!(ln > 0) || !(lp > 0)) return {};
    const double mean = 0.5 * (ln + lp);

    // Take the second difference and what it leaves of a linear function.
    double next = 1 / (ln * mean), previous = 1 / (lp * mean);
    const Vec2 turn = next * c.next + previous * c.previous;
    double left = 0, right = 0, center_left = 0;

    // Cancel the turn with first differences along and across; straight yarns keep three points.
    if (turn.norm() > 1e-9 / mean) {
        const Vec2 along = c.next - c.previous;
        const Vec2 across = c.has_right ? Vec2(c.left - c.right) : c.left;
        const double det = along.x() * across.y() - along.y() * across.x();
        if (!(std::abs(det) > 1e-3 * along.norm() * across.norm())) return {};
        const double ca = (turn.x() * across.y() - turn.y() * across.x()) / det;
        const double cc = (along.x() * turn.y() - along.y() * turn.x()) / det;
        next -= ca;
        previous += ca;
        left = -cc;
        right = c.has_right ? cc : 0.0;
        center_left = left + right;
    }

    // Scale to a unit second derivative along the tangent.
    const Vec2 t = (c.next - c.previous).normalized();
    const auto moment = [&](double w, const Vec2& d) { return 0.5 * w * d.dot(t) * d.dot(t); };
    const double scale = moment(next, c.next) + moment(previous, c.previous) + moment(left, c.left) +
                         (c.has_right ? moment(right, c.right) : 0.0);
    if (!(scale > 0.1)) return {};
    const double center = -(next + previous + center_left);
    const int size = left == 0 && right == 0 ? 3 : (c.has_right ? 5 : 4);
    return {{center / scale, next / scale, previous / scale, left / scale, right / scale}, size};
}

}  // namespace taut::elements
