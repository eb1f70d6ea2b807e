// What the renderer draws: triangles with smooth normals and a few materials, in single precision
// relative to the camera's centre. Built from a cache frame; private to the picture files.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "taut/io/picture.hpp"

namespace taut::io::picture {

using Vec3f = Eigen::Vector3f;

struct Material {
    Vec3f front{0.5f, 0.5f, 0.5f}, back{0.5f, 0.5f, 0.5f};  // linear reflectance
    float sheen = 0;                                        // light caught by fibres at grazing view
    float gloss = 0;                                        // weight of the highlight
    float through = 0;                                      // part of the key light that shines through
    bool strained = false;                                  // takes its colour from the strain
    bool casts = true;                                      // throws shadows
    bool glows = false;                                     // is seen in the dark
    bool flat = false;                                      // knows no light at all
    bool ordered = false;                                   // takes its colour from the order of corrections
};

struct Triangle {
    std::array<int, 3> v;
    std::uint8_t material = 0;
    std::uint8_t wire = 0;  // bit k: the side facing corner k is a yarn edge
};

struct Scene {
    std::vector<Material> materials;
    std::vector<Vec3f> position;  // relative to the camera's centre [m]
    std::vector<Vec3f> normal;    // unit length; zero where light does not matter
    std::vector<float> strain;    // part of the scale's end, 0 to 1; or place in the order of corrections
    std::vector<Triangle> triangles;
    std::size_t two_sided = 0;  // the first vertices, those of cloth, are seen from both sides
};

// Throws InputError on settings out of range.
void check(const PictureSettings& settings);

// Strain at the end of the colour scale for this header and these settings.
double strain_scale(const CacheHeader& header, const PictureSettings& settings);

Scene build_scene(const CacheHeader& header, const CacheFrame& frame, const Camera& camera,
                  const PictureSettings& settings, const PictureMarks& marks = {});

// Solids, appended to the scene. `sides` is the number of facets around a full turn.
void append_sphere(Scene& scene, const Vec3f& center, float radius, int sides, std::uint8_t material,
                   float strain = 0);
void append_capsule(Scene& scene, const Vec3f& a, const Vec3f& b, float radius, int sides,
                    std::uint8_t material);
void append_tube(Scene& scene, const Vec3f& a, const Vec3f& b, float radius, int sides, std::uint8_t material,
                 float strain = 0);
// A box with rounded edges; axes are the columns of `axes`.
void append_box(Scene& scene, const Vec3f& center, const Eigen::Matrix3f& axes, const Vec3f& half_size,
                float rounding, std::uint8_t material);
// A collision::PolygonSphere with flat facets; axes are the columns of `axes`.
void append_polygon_sphere(Scene& scene, const Vec3f& center, const Eigen::Matrix3f& axes, float radius,
                           int frequency, std::uint8_t material);
// Triangles that share smooth normals, their corners moved inwards by `gap` [m].
void append_shell(Scene& scene, const std::vector<Vec3f>& points,
                  const std::vector<std::array<int, 3>>& triangles, float gap, std::uint8_t material);
// A square patch of a plane, half_size to each side.
void append_patch(Scene& scene, const Vec3f& center, const Vec3f& normal, float half_size,
                  std::uint8_t material);

}  // namespace taut::io::picture
