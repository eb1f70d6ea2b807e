#include "taut/collision/place_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut::collision {
namespace {

// Number of a triangle among those of its body.
int number_in_body(const Surface& surface, int triangle) {
    const int body =
        surface.body[static_cast<std::size_t>(surface.triangles[static_cast<std::size_t>(triangle)][0])];
    const auto first = std::find_if(surface.triangles.begin(), surface.triangles.end(), [&](const auto& t) {
        return surface.body[static_cast<std::size_t>(t[0])] == body;
    });
    return triangle - static_cast<int>(first - surface.triangles.begin());
}

std::string body_name(const Body& body) {
    return fmt::format("{} '{}'", body.cloth ? "cloth" : "obstacle", body.name);
}

}  // namespace

std::string triangle_name(const Surface& surface, const Model& model, int triangle) {
    const auto& corners = surface.triangles[static_cast<std::size_t>(triangle)];
    const Body& body = surface.body_of(corners[0]);
    int number = number_in_body(surface, triangle);
    if (!body.cloth) return fmt::format("triangle {} of {}", number, body_name(body));

    // Count the halves of quads; links come behind the faces.
    const auto own = static_cast<std::size_t>(surface.body[static_cast<std::size_t>(corners[0])]);
    const Cloth& cloth = model.cloths[own];
    const auto faces = std::span(model.faces).subspan(static_cast<std::size_t>(cloth.first_face));
    for (int face = 0; face < cloth.face_count; ++face) {
        const int parts = faces[static_cast<std::size_t>(face)].size() - 2;
        if (number < parts) return fmt::format("face {} of {}", face, body_name(body));
        number -= parts;
    }
    return fmt::format("link {} of {}", number, body_name(body));
}

std::string pair_name(const Surface& surface, PairKind kind, const PairPoints& pair) {
    // Balls and capsules are one thing; anything else has numbers.
    const auto side = [&](std::size_t first, std::size_t count) {
        static constexpr std::array<const char*, 3> kinds{"vertex", "edge", "triangle"};
        const Body& body = surface.body_of(pair[first]);
        if (!body.cloth && body.point_count < 3) return body_name(body);
        std::string numbers;
        for (std::size_t k = first; k < first + count; ++k) {
            numbers += fmt::format("{}{}", k > first ? "-" : "", pair[k] - body.first_point);
        }
        return fmt::format("{} {} of {}", kinds[count - 1], numbers, body_name(body));
    };
    const std::size_t own = kind == PairKind::vertex_face ? 1 : 2;
    return side(0, own) + " and " + side(own, 4 - own);
}

std::string place_name(const Vec3& x) {
    // Four digits of the largest are enough of the others.
    const double least = 1e-5 * x.cwiseAbs().maxCoeff();
    const auto shown = [&](double value) { return std::abs(value) < least ? 0.0 : value; };
    return fmt::format("({:.4g}, {:.4g}, {:.4g})", shown(x.x()), shown(x.y()), shown(x.z()));
}

}  // namespace taut::collision
