// Small cloths for the tests of forces: grids at any spacing, jittered or skewed, quad meshes with
// irregular vertices and triangles, and the isometric shapes whose bending energy is known.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <utility>

#include "base/random_points.hpp"
#include "taut/model/model.hpp"

namespace taut::testing {

// Edges of all faces; a side is weft or warp by its place in the grid, where `directions` says so.
inline void add_edges(Model& model, const std::function<mesh::Direction(int, int)>& direction) {
    std::map<std::pair<int, int>, int> found;
    for (std::size_t f = 0; f < model.faces.size(); ++f) {
        const mesh::Face& face = model.faces[f];
        for (int k = 0; k < face.size(); ++k) {
            const int p = face.corner[k], q = face.corner[(k + 1) % face.size()];
            const auto key = std::minmax(p, q);
            const auto [at, fresh] =
                found.try_emplace({key.first, key.second}, static_cast<int>(model.edges.size()));
            if (fresh)
                model.edges.push_back({key.first, key.second, direction(p, q), {static_cast<int>(f), -1}});
            if (!fresh) model.edges[at->second].face[1] = static_cast<int>(f);
        }
    }
    for (const mesh::Edge& e : model.edges)
        model.rest_length.push_back((model.rest[e.b] - model.rest[e.a]).norm());
}

// A grid of nu x nv vertices placed by `place(i, j)`, i along weft, j along warp. Unit masses.
inline Model grid(int nu, int nv, const std::function<Vec3(int, int)>& place) {
    Model model;
    for (int j = 0; j < nv; ++j) {
        for (int i = 0; i < nu; ++i) model.rest.push_back(place(i, j));
    }
    for (int j = 0; j + 1 < nv; ++j) {
        for (int i = 0; i + 1 < nu; ++i) {
            const int a = j * nu + i;
            model.faces.push_back({{a, a + 1, a + 1 + nu, a + nu}});
        }
    }
    add_edges(model, [nu](int p, int q) {
        return std::abs(p - q) == 1 ? mesh::Direction::weft
                                    : (std::abs(p - q) == nu ? mesh::Direction::warp : mesh::Direction::none);
    });
    model.mass.assign(model.rest.size(), 1.0);
    return model;
}

inline Model flat_grid(int nu, int nv, double width, double height) {
    return grid(nu, nv, [=](int i, int j) { return Vec3(width * i / (nu - 1), height * j / (nv - 1), 0); });
}

// The flat grid with every vertex moved by up to `amount` of the spacing, seeded.
inline Model jittered_grid(int nu, int nv, double width, double height, double amount) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> shift(-amount, amount);
    return grid(nu, nv, [&](int i, int j) {
        const double du = shift(random), dv = shift(random);
        return Vec3(width * (i + du) / (nu - 1), height * (j + dv) / (nv - 1), 0);
    });
}

// A flat sheet with a five-valent vertex, a three-valent one and some triangles: a disc of quads
// cut from a 6 x 6 grid whose two quads are split, one each way.
inline Model mixed_sheet() {
    Model model = flat_grid(6, 6, 1, 1);
    model.edges.clear();
    model.rest_length.clear();
    std::vector<mesh::Face> faces;
    for (std::size_t f = 0; f < model.faces.size(); ++f) {
        const auto c = model.faces[f].corner;
        if (f == 7) {
            faces.push_back({{c[0], c[1], c[2], -1}});
            faces.push_back({{c[0], c[2], c[3], -1}});
        } else if (f == 12) {
            faces.push_back({{c[0], c[1], c[3], -1}});
            faces.push_back({{c[1], c[2], c[3], -1}});
        } else {
            faces.push_back({c});
        }
    }
    model.faces = faces;
    add_edges(model, [](int p, int q) {
        return std::abs(p - q) == 1 ? mesh::Direction::weft
                                    : (std::abs(p - q) == 6 ? mesh::Direction::warp : mesh::Direction::none);
    });
    return model;
}

// n quads around one vertex, in a flat disc: every inner vertex but the centre is on the rim.
inline Model quad_star(int n) {
    Model model;
    model.rest.push_back(Vec3::Zero());
    for (int k = 0; k < n; ++k) {
        const double a = 2 * M_PI * k / n, b = 2 * M_PI * (k + 0.5) / n;
        model.rest.push_back(Vec3(std::cos(a), std::sin(a), 0));
        model.rest.push_back(Vec3(1.3 * std::cos(b), 1.3 * std::sin(b), 0));
    }
    for (int k = 0; k < n; ++k) model.faces.push_back({{0, 1 + 2 * k, 2 + 2 * k, 1 + (2 * k + 2) % (2 * n)}});
    add_edges(model, [](int, int) { return mesh::Direction::none; });
    model.mass.assign(model.rest.size(), 1.0);
    return model;
}

// Rolls flat points onto a cylinder of radius R whose curvature runs along the direction at
// `angle` to the x axis.
inline Points roll(const Points& flat, double radius, double angle) {
    const Vec3 along(std::cos(angle), std::sin(angle), 0), axis(-std::sin(angle), std::cos(angle), 0);
    Points rolled;
    for (const Vec3& p : flat) {
        const double s = p.dot(along) / radius;
        rolled.push_back(radius * std::sin(s) * along + p.dot(axis) * axis +
                         radius * (1 - std::cos(s)) * Vec3::UnitZ());
    }
    return rolled;
}

inline double total_area(const Model& model) {
    double area = 0;
    for (const mesh::Face& f : model.faces) {
        const auto& c = f.corner;
        const Vec3 d =
            f.size() == 4 ? model.rest[c[3]] - model.rest[c[1]] : model.rest[c[2]] - model.rest[c[1]];
        area += 0.5 * (model.rest[c[2]] - model.rest[c[0]]).cross(d).norm();
    }
    return area;
}

}  // namespace taut::testing
