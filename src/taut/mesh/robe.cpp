// The pattern of the robe, and how front and back become one mesh.
#include "taut/mesh/robe.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "taut/base/error.hpp"
#include "taut/base/parameter.hpp"
#include "taut/mesh/robe_shape.hpp"

namespace taut::mesh {
namespace {

void require_robe(bool good, const char* what, double value, const char* allowed) {
    if (!good) throw InputError({}, what, number_text(value), allowed);
}

void require_pattern(const RobeParams& p) {
    const double least = 3 * p.fill.spacing;
    for (const auto& [what, value] : {std::pair{"the arm span", p.arm_span},
                                      {"the cuff", p.cuff},
                                      {"the armhole", p.armhole},
                                      {"the chest", p.chest},
                                      {"the hem", p.hem},
                                      {"the length", p.length},
                                      {"the neck", p.neck}}) {
        if (!(value >= least && value <= 100))
            throw InputError({}, std::string(what) + " of the robe does not suit the spacing",
                             number_text(value),
                             "allowed: from three spacings, " + number_text(least) + ", to 100 m");
    }
    require_robe(p.arm_span >= p.chest + 2 * least, "the sleeves of the robe have no length", p.arm_span,
                 "allowed: at least the chest and six spacings");
    require_robe(p.length >= p.armhole + least, "the robe ends above the underarms", p.length,
                 "allowed: at least the armhole and three spacings");
    require_robe(p.neck <= p.chest - 2 * least, "the neck opening is wider than the chest", p.neck,
                 "allowed: less than the chest by six spacings");
    require_robe(p.neck_depth >= 0 && p.neck_depth <= 0.5 * p.neck && p.neck_depth <= p.armhole - least,
                 "the neck opening hangs too low", p.neck_depth,
                 "allowed: 0 to half its width, and three spacings less than the armhole");
    require_robe(std::isfinite(p.shoulder) && std::abs(p.shoulder) <= 1000,
                 "there is no such shoulder height", p.shoulder, "allowed: -1000 to 1000 m");
    // Rounded, the flat sleeve has the radius cuff / pi, the trunk chest / pi; the neck is as thick as an
    // arm.
    require_robe(
        p.arm_radius > 0 && 3.3 * (p.arm_radius + robe_ease) <= std::min({p.cuff, p.armhole, p.neck}),
        "the arm is too thick for the robe", p.arm_radius,
        "allowed: > 0 and less than cuff, armhole and neck / 3.3 by 1 cm");
    require_robe(p.trunk_radius > 0 && 3.3 * (p.trunk_radius + robe_ease) <= std::min(p.chest, p.hem),
                 "the trunk is too thick for the robe", p.trunk_radius,
                 "allowed: > 0 and less than chest and hem / 3.3 by 1 cm");
}

// Equal steps along a line of several pieces, its end left out.
Loop in_steps(const Loop& line, double spacing) {
    std::vector<double> at{0};
    for (std::size_t k = 1; k < line.size(); ++k) at.push_back(at.back() + (line[k] - line[k - 1]).norm());
    const int parts = parts_of(at.back(), spacing);
    Loop points;
    std::size_t k = 1;
    for (int i = 0; i < parts; ++i) {
        const double wanted = at.back() * i / parts;
        while (k + 1 < line.size() && at[k] < wanted) ++k;
        const double t = (wanted - at[k - 1]) / (at[k] - at[k - 1]);
        points.emplace_back(line[k - 1] + t * (line[k] - line[k - 1]));
    }
    return points;
}

struct PatternSide {
    Loop line;
    const char* opening;  // its name; null: a seam
};

// A line from one point to another with a rounded corner between them, which is a part of the shorter leg
// away.
Loop rounded_corner(const Vec2& from, const Vec2& corner, const Vec2& to) {
    // A sharp corner would be the one place where the sewn robe cannot keep its lengths.
    constexpr int fine = 32;
    constexpr double part = 0.35;
    const double reach = part * std::min((from - corner).norm(), (to - corner).norm());
    const Vec2 start = corner + reach * (from - corner).normalized();
    const Vec2 end = corner + reach * (to - corner).normalized();
    Loop line{from};
    for (int k = 0; k <= fine; ++k) {
        const double t = static_cast<double>(k) / fine;
        line.emplace_back((1 - t) * (1 - t) * start + 2 * t * (1 - t) * corner + t * t * end);
    }
    line.push_back(to);
    return line;
}

// The sides of the flat T, counterclockwise from the hem.
std::vector<PatternSide> pattern_sides(const RobeParams& p) {
    const double top = p.shoulder, bottom = top - p.length, under = top - p.armhole, low = top - p.cuff;
    Loop neckline;
    constexpr int fine = 64;
    for (int k = 0; k <= fine; ++k) {
        const double t = 1 - 2.0 * k / fine;
        neckline.emplace_back(0.5 * p.neck * t, top - p.neck_depth * (1 - t * t));
    }
    const Vec2 hem(0.5 * p.hem, bottom), underarm(0.5 * p.chest, under), cuff(0.5 * p.arm_span, low);
    const Vec2 end(0.5 * p.arm_span, top), mirror(-1, 1);
    const auto right = [&](const Vec2& q) { return Vec2(q.cwiseProduct(mirror)); };
    return {{{right(hem), hem}, "hem"},
            {rounded_corner(hem, underarm, cuff), nullptr},
            {{cuff, end}, "left_cuff"},
            {{end, neckline.front()}, nullptr},
            {neckline, "neck"},
            {{neckline.back(), right(end)}, nullptr},
            {{right(end), right(cuff)}, "right_cuff"},
            {rounded_corner(right(cuff), right(underarm), right(hem)), nullptr}};
}

}  // namespace

std::vector<Capsule> robe_body(const RobeParams& params) {
    // Arms in the middle of round sleeves; shoulders a little above them.
    const double arms = params.shoulder - params.cuff / std::numbers::pi;
    const double hem = params.shoulder - params.length,
                 trunk = arms + params.arm_radius - params.trunk_radius;
    const double reach = 0.5 * params.arm_span;
    return {{{0, 0, hem}, {0, 0, trunk}, params.trunk_radius},
            {{0, 0, arms}, {reach, 0, arms}, params.arm_radius},
            {{0, 0, arms}, {-reach, 0, arms}, params.arm_radius},
            {{0, 0, arms}, {0, 0, params.shoulder + params.neck}, params.arm_radius}};
}

RobePanel cut_robe_panel(const RobeParams& params, double spacing) {
    RobePanel panel;
    Loop outline;
    std::vector<std::pair<int, int>> seams;
    for (const PatternSide& side : pattern_sides(params)) {
        const int first = static_cast<int>(outline.size());
        for (const Vec2& p : in_steps(side.line, spacing)) outline.push_back(p);
        const int last = static_cast<int>(outline.size());
        if (side.opening == nullptr) {
            seams.emplace_back(first, last);
        } else {
            panel.openings.push_back({side.opening, {}});
            for (int v = first; v <= last; ++v) panel.openings.back().vertices.push_back(v);
        }
    }
    FillParams fill = params.fill;
    fill.spacing = spacing;
    panel.filling = fill_outline(outline, fill);
    panel.on_seam.assign(panel.filling.points.size(), 0);
    for (const auto& [first, last] : seams)
        for (int v = first; v <= last; ++v) panel.on_seam[static_cast<std::size_t>(v) % outline.size()] = 1;
    return panel;
}

MadePattern make_robe(const RobeParams& params) {
    require_pattern(params);
    const RobePanel panel = cut_robe_panel(params, params.fill.spacing);
    const Points front = shape_robe_panel(params, panel);

    // Give the back vertices of its own, but for the seams.
    MadePattern robe;
    MadeMesh& made = robe.made;
    made.rest = front;
    std::vector<int> back(front.size());
    for (std::size_t v = 0; v < front.size(); ++v) {
        back[v] = panel.on_seam[v] != 0 ? static_cast<int>(v) : static_cast<int>(made.rest.size());
        if (panel.on_seam[v] == 0) made.rest.push_back(front[v].cwiseProduct(Vec3(1, -1, 1)));
    }
    made.mesh.vertices = static_cast<int>(made.rest.size());
    for (const StripTriangle& t : panel.filling.triangles) {
        made.mesh.faces.push_back({{t.corner[0], t.corner[1], t.corner[2], -1}});
        made.mesh.corner_uv.push_back({panel.filling.corner(t, 0), panel.filling.corner(t, 1),
                                       panel.filling.corner(t, 2), Vec2::Zero()});
    }
    const auto back_of = [&](int v) { return back[static_cast<std::size_t>(v)]; };
    const Vec2 mirror(-1, 1);
    for (const StripTriangle& t : panel.filling.triangles) {
        made.mesh.faces.push_back({{back_of(t.corner[0]), back_of(t.corner[2]), back_of(t.corner[1]), -1}});
        const auto at = [&](std::size_t k) { return Vec2(panel.filling.corner(t, k).cwiseProduct(mirror)); };
        made.mesh.corner_uv.push_back({at(0), at(2), at(1), Vec2::Zero()});
    }
    set_plain_net(made);

    // Close the rings: along the front, and back along the back.
    for (const MeshPart& opening : panel.openings) {
        robe.parts.push_back(opening);
        for (auto v = opening.vertices.rbegin() + 1; v + 1 < opening.vertices.rend(); ++v)
            robe.parts.back().vertices.push_back(back_of(*v));
    }
    return robe;
}

PatternStretch stretch_of(const MadeMesh& made) {
    PatternStretch stretch;
    double sum = 0;
    std::size_t sides = 0;
    for (std::size_t f = 0; f < made.mesh.faces.size(); ++f) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t m = (k + 1) % 3;
            const auto& corner = made.mesh.faces[f].corner;
            const double length = (made.rest[static_cast<std::size_t>(corner[m])] -
                                   made.rest[static_cast<std::size_t>(corner[k])])
                                      .norm();
            const double value = length / (made.mesh.corner_uv[f][m] - made.mesh.corner_uv[f][k]).norm() - 1;
            stretch.least = std::min(stretch.least, value);
            stretch.most = std::max(stretch.most, value);
            sum += std::abs(value);
            ++sides;
        }
    }
    stretch.mean = sides == 0 ? 0 : sum / static_cast<double>(sides);
    return stretch;
}

}  // namespace taut::mesh
