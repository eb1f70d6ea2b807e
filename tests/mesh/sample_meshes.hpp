// Meshes that no one tuned, shared by the tests of the mesh room: irregular borders, sprinkled
// triangles, odd valences, several parts, seeded random variations of them all.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>
#include <utility>

#include "taut/mesh/makers.hpp"
#include "taut/mesh/topology.hpp"

namespace taut::mesh::samples {

struct Sample {
    PolygonMesh mesh;
    Points rest;
};

inline Sample plain(const MadeMesh& made) { return {made.mesh, made.rest}; }
inline Sample grid(int nu, int nv) { return plain(make_grid(nu, nv, nu - 1, nv - 1)); }

// Splits a quad along its diagonal 0-2; the second triangle goes to the end.
inline void split(Sample& s, std::size_t f) {
    const auto c = s.mesh.faces[f].corner;
    s.mesh.faces[f].corner = {c[0], c[1], c[2], -1};
    s.mesh.faces.push_back({{c[0], c[2], c[3], -1}});
    if (s.mesh.corner_uv.empty()) return;
    const auto uv = s.mesh.corner_uv[f];
    s.mesh.corner_uv[f] = {uv[0], uv[1], uv[2], Vec2::Zero()};
    s.mesh.corner_uv.push_back({uv[0], uv[2], uv[3], Vec2::Zero()});
}

inline void remove(Sample& s, std::size_t f) {
    s.mesh.faces.erase(s.mesh.faces.begin() + static_cast<std::ptrdiff_t>(f));
    if (!s.mesh.corner_uv.empty())
        s.mesh.corner_uv.erase(s.mesh.corner_uv.begin() + static_cast<std::ptrdiff_t>(f));
}

inline Sample triangulated(int nu, int nv) {
    Sample s = grid(nu, nv);
    const std::size_t quads = s.mesh.faces.size();
    for (std::size_t f = 0; f < quads; ++f) split(s, f);
    return s;
}

// k quads around vertex 0, in the plane: odd k cannot be coloured in two directions.
inline Sample fan(int k) {
    Sample s;
    s.mesh.vertices = 2 * k + 1;
    s.rest.assign(s.mesh.vertices, Vec3::Zero());
    for (int i = 0; i < 2 * k; ++i) {
        const double angle = std::numbers::pi * i / k, radius = i % 2 == 0 ? 1.0 : 1.3;
        s.rest[i + 1] = {radius * std::cos(angle), radius * std::sin(angle), 0};
    }
    for (int i = 0; i < k; ++i)
        s.mesh.faces.push_back({{0, 2 * i + 1, 2 * i + 2, (2 * i + 2) % (2 * k) + 1}});
    return s;
}

// Texture coordinates from rest positions through a linear map.
inline void texture(Sample& s, const Eigen::Matrix2d& map) {
    s.mesh.corner_uv.assign(s.mesh.faces.size(), {Vec2::Zero(), Vec2::Zero(), Vec2::Zero(), Vec2::Zero()});
    for (std::size_t f = 0; f < s.mesh.faces.size(); ++f)
        for (int k = 0; k < s.mesh.faces[f].size(); ++k)
            s.mesh.corner_uv[f][k] = map * s.rest[s.mesh.faces[f].corner[k]].head<2>();
}

// Two samples as one mesh of several parts, the second shifted along x.
inline Sample joined(const Sample& first, const Sample& second, double shift) {
    Sample s = first;
    s.mesh.vertices += second.mesh.vertices;
    for (const Vec3& p : second.rest) s.rest.push_back(p + Vec3(shift, 0, 0));
    for (Face face : second.mesh.faces) {
        for (int& c : face.corner)
            if (c >= 0) c += first.mesh.vertices;
        s.mesh.faces.push_back(face);
    }
    for (const auto& line : second.mesh.lines)
        s.mesh.lines.push_back({line[0] + first.mesh.vertices, line[1] + first.mesh.vertices});
    return s;
}

// Renumbers vertices and faces, rotates and flips corners: the same mesh as another program might write it.
inline Sample shuffled(const Sample& original, unsigned seed) {
    std::mt19937 random(seed);
    Sample s = original;
    std::vector<int> index(s.mesh.vertices);
    std::iota(index.begin(), index.end(), 0);
    std::shuffle(index.begin(), index.end(), random);
    for (int v = 0; v < s.mesh.vertices; ++v) s.rest[index[v]] = original.rest[v];
    for (Face& face : s.mesh.faces) {
        for (int& c : face.corner)
            if (c >= 0) c = index[c];
        std::rotate(face.corner.begin(), face.corner.begin() + random() % 3,
                    face.corner.begin() + face.size());
    }
    std::shuffle(s.mesh.faces.begin(), s.mesh.faces.end(), random);
    for (auto& line : s.mesh.lines) line = {index[line[0]], index[line[1]]};
    return s;
}

// A grid with jittered vertices, faces removed and others split, then shuffled: irregular borders, holes,
// isolated triangles, parts that touch in points.
inline Sample ragged(unsigned seed) {
    std::mt19937 random(seed);
    Sample s = grid(4 + static_cast<int>(random() % 6), 4 + static_cast<int>(random() % 6));
    for (Vec3& p : s.rest)
        for (double& x : p) x += 0.2 * (static_cast<double>(random() % 1000) / 1000 - 0.5);
    for (std::size_t f = s.mesh.faces.size(); f-- > 1;) {
        const unsigned dice = random() % 10;
        if (dice == 0) remove(s, f);
        if (dice == 1) split(s, f);
    }
    drop_isolated(s.mesh, s.rest);
    return shuffled(s, seed + 1);
}

}  // namespace taut::mesh::samples
