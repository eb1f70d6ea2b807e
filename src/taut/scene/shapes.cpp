#include "taut/scene/shapes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "taut/base/error.hpp"
#include "taut/mesh/makers.hpp"
#include "taut/mesh/woven_disc.hpp"
#include "taut/mesh/yarns.hpp"
#include "taut/scene/library.hpp"

namespace taut::scene {
namespace {

// The number of a chain's links, or an error for other cloths.
int chain_links(const MadeCloth& cloth, const char* shape) {
    if (cloth.lattice.nv == 1) return cloth.lattice.nu - 1;
    throw InputError({}, fmt::format("the initial shape '{}' is for chains", shape), "",
                     "use it with cloths of type polyline");
}

// k-th positive zero of the Bessel function J0: McMahon's expansion, then Newton's method (J0' = -J1).
double bessel_zero(int k) {
    const double beta = (k - 0.25) * std::numbers::pi;
    double z = beta + 1 / (8 * beta);
    for (int i = 0; i < 4; ++i) z += std::cyl_bessel_j(0, z) / std::cyl_bessel_j(1, z);
    return z;
}

// Unit vector along any vector but zero; its square may leave the range of numbers.
Vec3 unit_along(const Vec3& v) { return (v / v.cwiseAbs().maxCoeff()).normalized(); }

}  // namespace

io::ObjMesh read_mesh(const std::string& file, const io::ObjOptions& options) {
    const auto text = prefixed_file(file);
    return text ? io::parse_obj(*text, file, options) : io::read_obj(file, options);
}

RigidTransform transform_of(const PlaceParams& place) {
    RigidTransform result;
    const double angle = place.rotate.norm();
    if (angle > 0) {
        const Eigen::AngleAxisd turn(angle * std::numbers::pi / 180, place.rotate / angle);
        result.rotation = turn.toRotationMatrix();
    }
    result.translation = place.translate;
    return result;
}

MadeCloth make_grid_cloth(const GridParams& params) {
    MadeCloth cloth{mesh::make_grid(params.nu, params.nv, params.width, params.height),
                    {params.nu, params.nv, false}};
    if (params.cells == "triangles") mesh::split_quads(cloth.made);
    return cloth;
}

MadeCloth make_woven_disc_cloth(const WovenDiscParams& params) {
    mesh::WovenDisc disc = mesh::make_woven_disc(params.radius, params.across, params.clamp);
    MadeCloth cloth;
    cloth.made = std::move(disc.made);
    cloth.parts = {{"center", std::move(disc.center)}, {"rim", std::move(disc.rim)}};
    if (params.clamp > 0) cloth.parts.push_back({"clamp", std::move(disc.clamp)});
    return cloth;
}

MadeCloth make_polyline_cloth(const PolylineParams& params) {
    return {mesh::make_polyline(params.vertices, params.length), {params.vertices, 1, false}};
}

MadeCloth make_cone_cloth(const ConeParams& params) {
    return {
        mesh::make_cone(params.around, params.along, params.radius_top, params.radius_bottom, params.height),
        {params.around, params.along, true}};
}

MadeCloth make_obj_cloth(const ObjParams& params) {
    io::ObjMesh obj = read_mesh(params.file, {params.up, params.scale});
    MadeCloth cloth;
    cloth.notes = std::move(obj.notes);
    cloth.made.mesh = std::move(obj.mesh);
    cloth.made.rest = std::move(obj.points);

    // Refuse what is no cloth, turn faces alike, then find warp, weft and yarns.
    try {
        mesh::require_sound(mesh::find_problems(cloth.made.mesh, cloth.made.rest));
        const int turned = mesh::orient_faces(cloth.made.mesh);
        if (turned > 0)
            cloth.notes.push_back(fmt::format("{} faces were turned to agree with their neighbours", turned));
        cloth.made.net = mesh::trace_net(cloth.made.mesh, cloth.made.rest, &cloth.warnings);
    } catch (const InputError& error) {
        throw InputError({params.file, error.where().place}, error.problem(), error.value(), error.remedy());
    }
    return cloth;
}

Points start_at_rest(const RestParams&, const MadeCloth& cloth) { return cloth.made.rest; }

Points start_sagging(const SagParams& params, const MadeCloth& cloth) {
    const Lattice& lattice = cloth.lattice;
    const bool along_u = params.axis == "u";
    const int count = along_u ? lattice.nu : lattice.nv;
    if (!lattice.exists() || lattice.closed || count < 2) {
        throw InputError({}, "this cloth has no rows that could sag along axis " + params.axis, "",
                         "use 'sag' with cloths of type grid, or polyline with axis u");
    }

    // Hang one row, then repeat it across.
    const Points& rest = cloth.made.rest;
    const auto next = static_cast<std::size_t>(along_u ? lattice.vertex(1, 0) : lattice.vertex(0, 1));
    const double spacing = (rest[next] - rest[0]).norm();
    const double length = (count - 1) * spacing;
    const bool straight = std::abs(params.chord - length) <= 1e-9 * length;  // the maker rounds its spacing
    const Points row = mesh::sag_profile(count - 1, spacing, straight ? length : params.chord);
    Points x(rest.size());
    for (int j = 0; j < lattice.nv; ++j) {
        for (int i = 0; i < lattice.nu; ++i) {
            const auto v = static_cast<std::size_t>(lattice.vertex(i, j));
            const Vec3& p = row[static_cast<std::size_t>(along_u ? i : j)];
            x[v] = along_u ? Vec3(p.x(), rest[v].y(), p.z()) : Vec3(rest[v].x(), p.x(), p.z());
        }
    }
    return x;
}

Points start_on_line(const LineParams& params, const MadeCloth& cloth) {
    const int links = chain_links(cloth, "line");
    const double spacing = (cloth.made.rest[1] - cloth.made.rest[0]).norm();
    const Eigen::AngleAxisd turn(params.angle * std::numbers::pi / 180, Vec3::UnitY());
    const Vec3 direction = turn * unit_along(params.direction);
    Points x(cloth.made.rest.size());
    for (int i = 0; i <= links; ++i) x[static_cast<std::size_t>(i)] = (i * spacing) * direction;
    return x;
}

Points start_in_mode(const ModeParams& params, const MadeCloth& cloth) {
    // Walk down link by link; the mode J0(z sqrt(s / L)), s from the free end, gives the sideways part.
    const int links = chain_links(cloth, "mode");
    const double spacing = (cloth.made.rest[1] - cloth.made.rest[0]).norm();
    const double zero = bessel_zero(params.number);
    const auto sideways = [&](int i) {
        return params.amplitude * std::cyl_bessel_j(0, zero * std::sqrt(1 - static_cast<double>(i) / links));
    };
    Points x(cloth.made.rest.size(), Vec3::Zero());
    for (int i = 0; i < links; ++i) {
        const double dx = sideways(i + 1) - sideways(i);
        if (!(std::abs(dx) < spacing)) {
            throw InputError({}, "the amplitude is too large for the chain", number_text(params.amplitude),
                             "allowed: small against the length of the chain");
        }
        const Vec3 link(dx, 0, -std::sqrt(spacing * spacing - dx * dx));
        x[static_cast<std::size_t>(i) + 1] = x[static_cast<std::size_t>(i)] + link;
    }
    return x;
}

Points start_from_obj(const ObjParams& params, const MadeCloth& cloth) {
    io::ObjMesh obj = read_mesh(params.file, {params.up, params.scale});
    if (obj.points.size() != cloth.made.rest.size()) {
        throw InputError({params.file, ""}, "the file has another number of vertices than the cloth",
                         std::to_string(obj.points.size()),
                         fmt::format("allowed: {}", cloth.made.rest.size()));
    }
    return std::move(obj.points);
}

collision::Obstacle make_plane(const PlaneParams& params) {
    collision::Obstacle obstacle;
    obstacle.shape = collision::Shape::plane;
    obstacle.center = params.point;
    obstacle.normal = unit_along(params.normal);
    return obstacle;
}

collision::Obstacle make_sphere(const SphereParams& params) {
    collision::Obstacle obstacle;
    obstacle.shape = collision::Shape::sphere;
    obstacle.center = params.center;
    obstacle.radius = params.radius;
    return obstacle;
}

collision::Obstacle make_capsule(const CapsuleParams& params) {
    collision::Obstacle obstacle;
    obstacle.shape = collision::Shape::capsule;
    obstacle.center = params.start;
    obstacle.end = params.end;
    obstacle.radius = params.radius;
    return obstacle;
}

collision::Obstacle make_box(const BoxParams& params) {
    collision::Obstacle obstacle;
    obstacle.shape = collision::Shape::box;
    obstacle.center = params.center;
    obstacle.half_size = 0.5 * params.size;
    return obstacle;
}

collision::Obstacle make_polygon_sphere(const PolygonSphereParams& params) {
    collision::Obstacle obstacle;
    obstacle.shape = collision::Shape::polygon_sphere;
    obstacle.center = params.center;
    obstacle.radius = params.radius;
    obstacle.frequency = params.frequency;
    return obstacle;
}

}  // namespace taut::scene
