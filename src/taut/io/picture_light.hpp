// Light in a picture: a round key light and a whole sky, both as sets of parallel lights with a
// shadow map each. Averages over a set give soft shadows and ambient occlusion with bounce light
// from the floor; every map is filtered over 2 x 2 texels. Private to the picture files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "taut/io/picture_scene.hpp"

namespace taut::io::picture {

// Depths seen from infinitely far along `to_light`; 0 next to the light, `empty` where nothing is.
struct ShadowMap {
    static constexpr std::uint16_t empty = 65535;
    Vec3f to_light, right, up;
    Vec3f center;      // of the casters [m]
    float texels = 0;  // per metre
    float depths = 0;  // depth steps per metre
    int size = 0;      // texels along a side
    std::uint16_t* depth = nullptr;

    // Part of the light that reaches p, 0 to 1.
    float lit(const Vec3f& p) const;
};

class Light {
public:
    // to_eye: unit direction from the scene to the eye; the key light comes from its left, above.
    // The maps are as fine as a picture of `height` pixels needs.
    Light(const Scene& scene, const Vec3f& to_eye, int height);

    const Vec3f& to_key() const { return to_key_; }

    // Part of the key light that reaches p on the side of its normal n. A surface that casts
    // shadows itself must be `raised` above its own shadow; the floor need not. `noise`, 0 to 1,
    // differs from pixel to pixel and hides the gaps between the single lights.
    float key(const Vec3f& p, const Vec3f& n, float noise, bool raised = true) const;
    // Light from sky and floor on a surface at p with normal n, linear colour.
    Vec3f sky(const Vec3f& p, const Vec3f& n, bool raised = true) const;
    Vec3f open_sky(const Vec3f& n) const;  // the same with nothing in the way

private:
    void add_maps(const std::vector<Vec3f>& directions, int size, std::vector<ShadowMap>& maps,
                  std::vector<std::uint16_t>& depth) const;

    void sum_blocks();
    float blocker_distance(const Vec3f& p) const;

    // Depths of a square of texels of the first key map, a quick answer to "what is in the way?".
    struct Block {
        float nearest = ShadowMap::empty, mean = ShadowMap::empty;
    };

    int key_size_, sky_size_;  // [texel]
    Vec3f to_key_;
    Vec3f center_ = Vec3f::Zero();
    float radius_ = 0;  // of the ball around all casters; 0: none
    float key_offset_ = 0, sky_offset_ = 0;
    std::vector<ShadowMap> key_maps_, sky_maps_;
    std::vector<std::uint16_t> key_depth_, sky_depth_;
    std::vector<Block> blocks_;
    std::vector<Eigen::Vector2f> jitter_;  // one per key map, in the unit disc
    std::vector<Vec3f> sky_light_;         // radiance per sky map times its share of the sphere
};

// Sky light at every vertex of a scene, on both sides of its normal (back: two-sided vertices only).
struct VertexSky {
    std::vector<Vec3f> front, back;
    VertexSky(const Scene& scene, const Light& light);
};

// Sky light on the level floor around the centre, on a square lattice; relative to an open floor.
class FloorSky {
public:
    FloorSky(const Light& light, float height, float half_size, std::size_t cells);
    Vec3f at(float x, float y) const;  // 1 outside the square

private:
    void smooth(std::size_t step);

    std::size_t cells_;  // along a side
    float half_size_;
    std::vector<Vec3f> values_;
};

}  // namespace taut::io::picture
