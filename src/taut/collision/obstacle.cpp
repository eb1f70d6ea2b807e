#include "taut/collision/obstacle.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <string>

#include "taut/base/error.hpp"
#include "taut/base/parallel.hpp"
#include "taut/collision/polygon_sphere.hpp"
#include "taut/collision/shell_tree.hpp"

namespace taut::collision {
namespace {

// A unit vector across `axis` (any length), chosen the same way every time.
Vec3 across(const Vec3& axis) {
    int smallest = 0;
    axis.cwiseAbs().minCoeff(&smallest);
    return axis.cross(Vec3::Unit(smallest)).normalized();
}

// Surface of a ball about `c`; `fallback` is the normal where p lies on the centre itself.
Nearest nearest_ball(const Vec3& c, double radius, const Vec3& fallback, const Vec3& p) {
    const Vec3 d = p - c;
    const double length = d.norm();
    const Vec3 n = length > 0 ? Vec3(d / length) : fallback;
    return {length - radius, c + radius * n, n};
}

Nearest nearest_capsule(const Obstacle& o, const Vec3& p) {
    const Vec3 axis = o.end - o.center;
    const double squared = axis.squaredNorm();
    if (!(squared > 0)) return nearest_ball(o.center, o.radius, Vec3::UnitZ(), p);
    const double t = std::clamp(axis.dot(p - o.center) / squared, 0.0, 1.0);
    return nearest_ball(o.center + t * axis, o.radius, across(axis), p);
}

Nearest nearest_box(const Obstacle& o, const Vec3& p) {
    const Vec3 q = p - o.center;
    const Vec3 clamped = q.cwiseMax(-o.half_size).cwiseMin(o.half_size);
    const Vec3 out = q - clamped;
    const double distance = out.norm();
    if (distance > 0) return {distance, o.center + clamped, out / distance};

    // Leave an inner point through the nearest side; ties go to the first axis, the centre to +x.
    int axis = 0;
    const double depth = (o.half_size - q.cwiseAbs()).minCoeff(&axis);
    Nearest result;
    result.normal = q[axis] < 0 ? Vec3(-Vec3::Unit(axis)) : Vec3(Vec3::Unit(axis));
    result.distance = -depth;
    result.point = p + depth * result.normal;
    return result;
}

// From the frame of the unit ball to the obstacle's rest frame.
Nearest scaled(const Obstacle& o, const Nearest& n) {
    return {o.radius * n.distance, o.center + o.radius * n.point, n.normal};
}

// In the obstacle's rest frame.
Nearest nearest_at_rest(const Obstacle& o, const Vec3& p) {
    switch (o.shape) {
        case Shape::plane: {
            const double distance = o.normal.dot(p - o.center);
            return {distance, p - distance * o.normal, o.normal};
        }
        case Shape::sphere:
            return nearest_ball(o.center, o.radius, Vec3::UnitZ(), p);
        case Shape::capsule:
            return nearest_capsule(o, p);
        case Shape::polygon_sphere:
            return scaled(o, unit_polygon_sphere(o.frequency).nearest((p - o.center) / o.radius));
        case Shape::box:
        case Shape::mesh:
            break;
    }
    assert(o.shape == Shape::box);
    return nearest_box(o, p);
}

// Smallest t in [0, 1] where p + t d meets the quadric a t^2 + 2 b t + c = 0 from outside (c > 0).
std::optional<double> quadric_entry(double a, double b, double c) {
    if (!(c > 0) || !(b < 0)) return {};
    const double discriminant = b * b - a * c;
    if (!(discriminant >= 0)) return {};
    const double t = c / (-b + std::sqrt(discriminant));
    return t <= 1 ? std::optional(t) : std::nullopt;
}

std::optional<double> ball_entry(const Vec3& c, double radius, const Vec3& from, const Vec3& d) {
    const Vec3 p = from - c;
    return quadric_entry(d.squaredNorm(), p.dot(d), p.squaredNorm() - radius * radius);
}

// A capsule is a tube and two balls; it is convex, so the first hit of any part is the entry.
std::optional<double> capsule_entry(const Obstacle& o, const Vec3& from, const Vec3& d) {
    std::optional<double> first = ball_entry(o.center, o.radius, from, d);
    const auto take = [&](std::optional<double> t) {
        if (t && (!first || *t < *first)) first = t;
    };
    take(ball_entry(o.end, o.radius, from, d));
    const Vec3 axis = o.end - o.center;
    const double length = axis.norm();
    if (!(length > 0)) return first;
    const Vec3 unit = axis / length;
    const Vec3 p = from - o.center;
    const Vec3 p_across = p - unit.dot(p) * unit, d_across = d - unit.dot(d) * unit;
    const auto tube = quadric_entry(d_across.squaredNorm(), p_across.dot(d_across),
                                    p_across.squaredNorm() - o.radius * o.radius);
    if (tube) {
        const double along = unit.dot(p + *tube * d);
        if (along >= 0 && along <= length) take(tube);
    }
    return first;
}

// Clips the segment against three slabs; the last slab entered gives the side.
std::optional<Nearest> box_entry(const Obstacle& o, const Vec3& from, const Vec3& d) {
    const Vec3 p = from - o.center;
    double enter = 0, leave = 1;
    int side = -1;
    for (int k = 0; k < 3; ++k) {
        const double h = o.half_size[k];
        if (d[k] == 0) {
            if (std::abs(p[k]) > h) return {};
            continue;
        }
        const double sign = d[k] > 0 ? 1 : -1;
        const double t_in = (-sign * h - p[k]) / d[k], t_out = (sign * h - p[k]) / d[k];
        if (t_in >= enter) {
            enter = t_in;
            side = k;
        }
        leave = std::min(leave, t_out);
    }
    if (side < 0 || !(enter <= leave)) return {};
    return Nearest{0, from + enter * d, (d[side] > 0 ? -1.0 : 1.0) * Vec3::Unit(side)};
}

}  // namespace

Nearest nearest(const Obstacle& obstacle, const RigidTransform& place, const Vec3& p) {
    const Nearest local = nearest_at_rest(obstacle, place.inverse(p));
    return {local.distance, place(local.point), place.rotation * local.normal};
}

double at_least_away(const Obstacle& obstacle, const RigidTransform& place, const Vec3& p) {
    switch (obstacle.shape) {
        case Shape::sphere:
        case Shape::polygon_sphere:
            // The solid lies within the ball around its centre.
            return (p - place(obstacle.center)).norm() - obstacle.radius;
        case Shape::plane:
        case Shape::capsule:
        case Shape::box:
        case Shape::mesh:
            break;
    }
    // Exact is as cheap as any bound.
    return -std::numeric_limits<double>::infinity();
}

std::optional<Nearest> first_entry(const Obstacle& obstacle, const Vec3& from, const Vec3& to) {
    const Nearest start = nearest_at_rest(obstacle, from);
    if (start.distance <= 0) return start;
    const Vec3 d = to - from;
    std::optional<double> t;
    switch (obstacle.shape) {
        case Shape::plane: {
            const double end = obstacle.normal.dot(to - obstacle.center);
            if (end < 0) t = start.distance / (start.distance - end);
            break;
        }
        case Shape::sphere:
            t = ball_entry(obstacle.center, obstacle.radius, from, d);
            break;
        case Shape::capsule:
            t = capsule_entry(obstacle, from, d);
            break;
        case Shape::box:
            return box_entry(obstacle, from, d);
        case Shape::polygon_sphere: {
            // Save the search where the tangent plane at the nearest point parts the segment from the solid.
            if (start.normal.dot(to - start.point) > 0) return {};
            const Vec3 a = (from - obstacle.center) / obstacle.radius,
                       b = (to - obstacle.center) / obstacle.radius;
            const auto entry = unit_polygon_sphere(obstacle.frequency).first_entry(a, b);
            return entry ? std::optional(scaled(obstacle, *entry)) : std::nullopt;
        }
        case Shape::mesh:
            break;
    }
    if (!t) return {};
    return nearest_at_rest(obstacle, from + *t * d);
}

std::vector<double> distances(const Obstacle& obstacle, double time, ConstPoints x) {
    std::vector<double> result(x.size());
    const auto fill = [&](const auto& distance) {
        parallel_for(x.size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) result[i] = distance(x[i]);
        });
    };
    if (obstacle.shape == Shape::mesh) {
        const ShellTree tree(obstacle.mesh->triangles, points_at(obstacle, time));
        fill([&](const Vec3& p) { return tree.signed_distance(p); });
    } else {
        const RigidTransform place = obstacle.motion.at(time);
        fill([&](const Vec3& p) { return nearest(obstacle, place, p).distance; });
    }
    return result;
}

double max_penetration(std::span<const Obstacle> obstacles, double time, ConstPoints x,
                       std::span<const std::uint8_t> skip) {
    double deepest = 0;
    for (const Obstacle& obstacle : obstacles) {
        const std::vector<double> distance = distances(obstacle, time, x);
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (!skip.empty() && skip[i]) continue;
            if (!(-distance[i] <= deepest)) deepest = -distance[i];
            if (std::isnan(deepest)) return deepest;
        }
    }
    return deepest;
}

namespace {

void validate_mesh(const Obstacle& o) {
    const ErrorPlace where{"", o.name};
    if (!o.mesh || o.mesh->triangles.empty())
        throw InputError(where, "the mesh has no triangles", {}, "give at least one");
    for (std::size_t i = 0; i < o.mesh->rest.size(); ++i) {
        if (!o.mesh->rest[i].allFinite())
            throw InputError(where, "a point of the mesh is not finite", "point " + std::to_string(i),
                             "give three numbers");
    }
    const auto count = static_cast<int>(o.mesh->rest.size());
    for (std::size_t k = 0; k < o.mesh->triangles.size(); ++k) {
        for (const int corner : o.mesh->triangles[k]) {
            if (corner < 0 || corner >= count)
                throw InputError(where, "a triangle names a point that does not exist",
                                 "triangle " + std::to_string(k) + ", point " + std::to_string(corner),
                                 "the mesh has " + std::to_string(count) + " points");
        }
    }
}

}  // namespace

void validate(const Obstacle& o) {
    const ErrorPlace where{"", o.name};
    const auto require = [&](bool good, const char* problem, double value, const char* remedy) {
        if (!good) throw InputError(where, problem, std::to_string(value), remedy);
    };
    const auto finite = [](const Vec3& v) { return v.allFinite(); };
    require(std::isfinite(o.friction) && o.friction >= 0, "friction must not be negative", o.friction,
            "use 0 or more");
    require(finite(o.center), "the center must be finite", o.center.sum(), "give three numbers");
    if (o.shape == Shape::plane) {
        require(std::abs(o.normal.norm() - 1) < 1e-9, "the normal must have unit length", o.normal.norm(),
                "divide it by its length");
    }
    if (o.shape == Shape::sphere || o.shape == Shape::capsule || o.shape == Shape::polygon_sphere) {
        require(std::isfinite(o.radius) && o.radius > 0, "the radius must be positive", o.radius,
                "use a number above 0");
    }
    if (o.shape == Shape::capsule)
        require(finite(o.end), "the end must be finite", o.end.sum(), "give three numbers");
    if (o.shape == Shape::polygon_sphere) {
        require(o.frequency >= 1 && o.frequency <= PolygonSphere::max_frequency,
                "the frequency must be from 1 to 32", o.frequency, "use a number in that range");
    }
    if (o.shape == Shape::mesh) validate_mesh(o);
    if (o.shape == Shape::box) {
        require(finite(o.half_size) && o.half_size.minCoeff() > 0, "half sizes must be positive",
                o.half_size.minCoeff(), "use numbers above 0");
    }
}

const char* shape_name(Shape shape) {
    switch (shape) {
        case Shape::plane:
            return "plane";
        case Shape::sphere:
            return "sphere";
        case Shape::capsule:
            return "capsule";
        case Shape::polygon_sphere:
            return "polygon_sphere";
        case Shape::mesh:
            return "mesh";
        case Shape::box:
            break;
    }
    return "box";
}

}  // namespace taut::collision
