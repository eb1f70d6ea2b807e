#include "taut/mesh/triangle_makers.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

#include "taut/base/error.hpp"
#include "taut/base/parameter.hpp"
#include "taut/mesh/topology.hpp"

namespace taut::mesh {
namespace {

// Faces with their places in the pattern; the vertices still lie in the plane.
MadeMesh flat_mesh(const Filling& filling) {
    MadeMesh made;
    made.mesh.vertices = static_cast<int>(filling.points.size());
    for (const StripTriangle& t : filling.triangles) {
        made.mesh.faces.push_back({{t.corner[0], t.corner[1], t.corner[2], -1}});
        made.mesh.corner_uv.push_back(
            {filling.corner(t, 0), filling.corner(t, 1), filling.corner(t, 2), Vec2::Zero()});
    }
    for (const Vec2& p : filling.points) made.rest.emplace_back(p.x(), p.y(), 0);
    set_plain_net(made);
    return made;
}

// count vertices from one on, in steps.
std::vector<int> counted(int first, int count, int step = 1) {
    std::vector<int> result(static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k) result[static_cast<std::size_t>(k)] = first + k * step;
    return result;
}

}  // namespace

void set_plain_net(MadeMesh& made) { made.net = {build_topology(made.mesh).edges, {}}; }

MadePattern make_irregular_sheet(double width, double height, const FillParams& fill) {
    const Filling filling = fill_outline(rectangle_outline(width, height, fill.spacing), fill);
    const int nu = parts_of(width, fill.spacing), nv = parts_of(height, fill.spacing);
    const int corner_u1v0 = nu, corner_u1v1 = nu + nv, corner_u0v1 = 2 * nu + nv;
    std::vector<int> u0 = counted(2 * (nu + nv), nv + 1, -1);
    u0.front() = 0;
    return {flat_mesh(filling),
            {{"u0", std::move(u0)},
             {"u1", counted(corner_u1v0, nv + 1)},
             {"v0", counted(0, nu + 1)},
             {"v1", counted(corner_u0v1, nu + 1, -1)},
             {"u0v0", {0}},
             {"u1v0", {corner_u1v0}},
             {"u0v1", {corner_u0v1}},
             {"u1v1", {corner_u1v1}}}};
}

MadePattern make_disc(double radius, const FillParams& fill) {
    const Filling filling = fill_outline(disc_outline(radius, fill.spacing), fill);
    return {flat_mesh(filling), {{"rim", counted(0, filling.fixed)}}};
}

MadePattern make_triangle_tube(double radius, double height, const FillParams& fill) {
    const Filling filling = fill_strip(2 * std::numbers::pi * radius, height, fill);
    MadePattern tube{flat_mesh(filling), {}};
    for (Vec3& p : tube.made.rest) {
        const double angle = p.x() / radius;
        p = {radius * std::cos(angle), radius * std::sin(angle), p.y()};
    }
    const int around = filling.fixed / 2;
    tube.parts = {{"hem", counted(0, around)}, {"top", counted(around, around)}};
    return tube;
}

}  // namespace taut::mesh
