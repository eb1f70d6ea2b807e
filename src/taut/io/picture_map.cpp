#include "taut/io/picture_map.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>
#include <unordered_set>

#include "taut/io/picture_color.hpp"

namespace taut::io::picture {
namespace {

using Vec2f = Eigen::Vector2f;

// A point of the picture [sample] and its distance along the view [m].
struct Spot {
    Vec2f at{0, 0};
    float distance = 0;
};

std::uint64_t key_of(int a, int b) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32 | static_cast<std::uint32_t>(b);
}

// Sizes of all strokes [sample]: they follow the picture and the typical length of an edge in it.
struct Sizes {
    float line = 1, head = 0, dot = 1, rim = 1;
    float gap = 0;  // free part of an edge at either end
};

class MapPen {
public:
    MapPen(Scene& scene, const CacheHeader& header, const CacheFrame& frame, const Projection& projection,
           const PictureSettings& settings, const CorrectionMap& map);

    void draw();

private:
    bool has(int v) const {
        return v >= 0 && static_cast<std::size_t>(v) < vertices_ &&
               points_[static_cast<std::size_t>(v)].distance > 0;
    }
    const Spot& spot(int v) const { return points_[static_cast<std::size_t>(v)]; }
    Spot project(const Vec3f& p) const;
    void measure();
    void find_bends(const CacheHeader& header);
    float lift(int v, float half_width) const;
    void draw_arrow(const Correction& c, float share, float rim);
    void draw_dot(int v, float radius, float nearer, std::uint8_t material);
    int add_corner(const Vec2f& at, float distance, float share);
    void add_triangle(int a, int b, int c, std::uint8_t material);

    Scene& scene_;
    const Projection& projection_;
    const CorrectionMap& map_;
    float samples_, unit_;       // of a pixel; pixels of a picture 800 high
    std::size_t vertices_;       // of cloth
    std::vector<Spot> points_;   // of the vertices; distance 0: not to be drawn
    std::vector<char> surface_;  // vertices of faces
    float chain_lift_ = 0;       // what lies on a chain must clear its balls [m]
    float edge_ = 0;             // mean length of a corrected edge [m]
    bool heads_, rims_;
    Sizes sizes_;
    std::uint8_t order_, ink_, paper_;  // materials
    std::unordered_set<std::uint64_t> directed_;
    std::unordered_map<std::uint64_t, Vec3f> bends_;  // where diagonals cross the fold of their quad
};

MapPen::MapPen(Scene& scene, const CacheHeader& header, const CacheFrame& frame, const Projection& projection,
               const PictureSettings& settings, const CorrectionMap& map)
    : scene_(scene),
      projection_(projection),
      map_(map),
      samples_(static_cast<float>(settings.samples)),
      unit_(static_cast<float>(settings.height) / 800),
      vertices_(frame.x.size()),
      points_(vertices_),
      surface_(vertices_),
      heads_(map.list.size() <= most_arrow_heads),
      rims_(heads_ && settings.strain_colors) {
    // Take the vertices that faces or chains show; others are not in the picture.
    std::vector<char> shown(vertices_);
    const auto mark = [&](int v, std::vector<char>& list) {
        if (v >= 0 && static_cast<std::size_t>(v) < vertices_) list[static_cast<std::size_t>(v)] = 1;
    };
    for (const Triangle& triangle : scene.triangles) {
        for (const int v : triangle.v) mark(v, surface_);
    }
    for (const mesh::Edge& edge : header.edges) {
        if (edge.face[0] < 0 && edge.face[1] < 0) mark(edge.a, shown), mark(edge.b, shown);
    }
    for (std::size_t v = 0; v < vertices_; ++v) {
        if (surface_[v] || (shown[v] && frame.x[v].allFinite())) points_[v] = project(scene.position[v]);
    }

    // Draw in colours of their own, on pale cloth.
    order_ = static_cast<std::uint8_t>(scene.materials.size()), ink_ = order_ + 1, paper_ = order_ + 2;
    Material flat;
    flat.flat = true, flat.casts = false;
    for (const float grey : {0.5f, 0.012f, 1.0f}) {
        flat.front = flat.back = Vec3f::Constant(grey);
        flat.ordered = scene.materials.size() == order_;
        scene.materials.push_back(flat);
    }
    const Vec3f pale = to_linear(Vec3f{0.91f, 0.90f, 0.89f});
    for (std::size_t k = 0; k < palette_size; ++k) {
        Material& cloth = scene.materials[k];
        for (Vec3f* color : {&cloth.front, &cloth.back}) *color = 0.24f * *color + 0.76f * pale;
        cloth.sheen = 0.08f;
    }
    find_bends(header);
    measure();
}

Spot MapPen::project(const Vec3f& p) const {
    const Vec3f q = p - projection_.eye;
    const float distance = q.dot(projection_.forward);
    if (!(distance > 2 * projection_.near)) return {};
    const float scale = projection_.focal / distance;
    return {{projection_.middle_x + scale * q.dot(projection_.right),
             projection_.middle_y - scale * q.dot(projection_.up)},
            distance};
}

// Find where the diagonal of a quad that is not its fold crosses the fold, for quads that are corrected so.
void MapPen::find_bends(const CacheHeader& header) {
    for (const Correction& c : map_.list) directed_.insert(key_of(c.from, c.to));
    for (const mesh::Face& face : header.faces) {
        const auto& v = face.corner;
        if (face.size() != 4 || !has(v[0]) || !has(v[2])) continue;
        const Vec3f fold = 0.5f * (scene_.position[static_cast<std::size_t>(v[0])] +
                                   scene_.position[static_cast<std::size_t>(v[2])]);
        for (const std::uint64_t key : {key_of(v[1], v[3]), key_of(v[3], v[1])}) {
            if (directed_.contains(key)) bends_.emplace(key, fold);
        }
    }
}

void MapPen::measure() {
    double length = 0, distance = 0;
    std::size_t count = 0;
    for (const Correction& c : map_.list) {
        if (!has(c.from) || !has(c.to)) continue;
        length += static_cast<double>((scene_.position[static_cast<std::size_t>(c.from)] -
                                       scene_.position[static_cast<std::size_t>(c.to)])
                                          .norm());
        distance += static_cast<double>(spot(c.from).distance);
        ++count;
    }
    if (count == 0) return;
    edge_ = static_cast<float>(length / static_cast<double>(count));
    chain_lift_ = 0.5f * edge_;
    const float typical =
        edge_ * projection_.focal / static_cast<float>(distance / static_cast<double>(count)) / samples_;
    const auto pixels = [&](float share, float least, float most) {
        return samples_ * std::clamp(share * typical, least, std::max(least, most * unit_));
    };
    if (heads_) {
        sizes_ = {pixels(0.06f, 0.8f, 2.4f), pixels(0.30f, 2.5f, 13.0f), pixels(0.17f, 1.8f, 4.6f),
                  pixels(0.05f, 0.6f, 1.3f), 0.09f};
    } else {
        sizes_ = {pixels(0.12f, 0.55f, 1.2f), 0, pixels(0.3f, 1.0f, 3.0f), pixels(0.1f, 0.4f, 1.0f), 0};
    }
}

// How far a shape of that half width [sample] must come towards the eye to lie in front of the cloth at a
// vertex [m]: the more the surface is turned away, the farther.
float MapPen::lift(int v, float half_width) const {
    const auto k = static_cast<std::size_t>(v);
    if (!surface_[k]) return chain_lift_;
    const Vec3f to_eye = (projection_.eye - scene_.position[k]).normalized();
    const float cosine = std::max(std::abs(scene_.normal[k].dot(to_eye)), 0.24f);
    const float slope = std::sqrt(1 - std::min(cosine * cosine, 1.0f)) / cosine;
    return 0.02f * edge_ + slope * half_width * points_[k].distance / projection_.focal;
}

int MapPen::add_corner(const Vec2f& at, float distance, float share) {
    scene_.position.push_back(projection_.eye + distance * projection_.ray(at.x(), at.y()));
    scene_.normal.push_back(Vec3f::Zero());
    scene_.strain.push_back(share);
    return static_cast<int>(scene_.position.size()) - 1;
}

void MapPen::add_triangle(int a, int b, int c, std::uint8_t material) {
    scene_.triangles.push_back({{a, b, c}, material, 0});
}

// Draws an arrow, or with a rim [sample] what shows around it.
void MapPen::draw_arrow(const Correction& c, float share, float rim) {
    const Spot &from = spot(c.from), &to = spot(c.to);
    const Vec2f along = to.at - from.at;
    const float length = along.norm();
    if (!(length > 0.5f * samples_)) return;
    const Vec2f ahead = along / length, side(-ahead.y(), ahead.x());

    // Keep to the right where the edge is corrected in both directions; let earlier ones lie above.
    const bool both = directed_.contains(key_of(c.to, c.from));
    const Vec2f shift = both && heads_ ? Vec2f(1.1f * sizes_.line * side) : Vec2f(0, 0);
    const float half = 0.5f * sizes_.line + rim, head = heads_ ? std::min(sizes_.head, 0.5f * length) : 0;
    const float head_half = 0.44f * head, above = 0.01f * edge_ * (rim > 0 ? -1 : 1 - share);
    const std::uint8_t material = rim > 0 ? paper_ : order_;
    const float widest = std::max(half - rim, head_half) + (rims_ ? sizes_.rim : 0);
    const float near_from = from.distance - lift(c.from, widest) - above;
    const float near_to = to.distance - lift(c.to, widest) - above;

    // Walk over the points of the shaft; over the bend of a quad it lies on the fold.
    const float start = sizes_.gap, tip = 1 - sizes_.gap, end = std::max(start, tip - 0.9f * head / length);
    const auto point = [&](float t) { return Vec2f(from.at + t * along + shift); };
    const auto depth = [&](float t) { return 1 / ((1 - t) / near_from + t / near_to); };
    std::vector<std::array<int, 2>> sides;
    const auto add = [&](const Vec2f& at, float distance) {
        sides.push_back(
            {add_corner(at - half * side, distance, share), add_corner(at + half * side, distance, share)});
    };
    add(point(start), depth(start));
    if (const auto bend = bends_.find(key_of(c.from, c.to)); bend != bends_.end()) {
        const Spot middle = project(bend->second);
        const float t = (middle.at - from.at).dot(ahead) / length;
        const float nearer = depth(0.5f) - 0.5f * (from.distance + to.distance);
        if (middle.distance > 0 && t > start && t < end) {
            // Stay on the surface where the fold stands out, and no farther than the straight way where it
            // does not.
            add(point(t), std::min(middle.distance + nearer, depth(t)));
        }
    }
    add(point(end), depth(end));
    for (std::size_t k = 1; k < sides.size(); ++k) {
        add_triangle(sides[k - 1][0], sides[k - 1][1], sides[k][1], material);
        add_triangle(sides[k - 1][0], sides[k][1], sides[k][0], material);
    }
    if (head <= 0) return;
    const float back = head + rim, wide = head_half + 1.6f * rim;
    const Vec2f base = point(tip) - back * ahead;
    const float base_depth = depth(tip - back / length);
    add_triangle(add_corner(point(tip) + 2.2f * rim * ahead, depth(tip), share),
                 add_corner(base - wide * side, base_depth, share),
                 add_corner(base + wide * side, base_depth, share), material);
}

void MapPen::draw_dot(int v, float radius, float nearer, std::uint8_t material) {
    constexpr int sides = 20;
    const float distance = spot(v).distance - lift(v, sizes_.dot + sizes_.rim) - nearer;
    const int middle = add_corner(spot(v).at, distance, 0), first = middle + 1;
    for (int k = 0; k < sides; ++k) {
        const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(k) / sides;
        add_corner(spot(v).at + radius * Vec2f(std::cos(angle), std::sin(angle)), distance, 0);
        add_triangle(middle, first + k, first + (k + 1) % sides, material);
    }
}

void MapPen::draw() {
    // Draw every edge once in each direction, as it is first corrected.
    const float last = static_cast<float>(std::max<std::size_t>(map_.list.size(), 2) - 1);
    std::unordered_set<std::uint64_t> drawn;
    for (std::size_t k = 0; k < map_.list.size(); ++k) {
        const Correction& c = map_.list[k];
        if (!has(c.from) || !has(c.to) || !drawn.insert(key_of(c.from, c.to)).second) continue;
        const float share = static_cast<float>(k) / last;
        if (rims_) draw_arrow(c, share, 0.6f * sizes_.rim);
        draw_arrow(c, share, 0);
    }

    // Dots lie above all lines, their rims a hair below.
    for (const int v : map_.fixed) {
        if (!has(v)) continue;
        draw_dot(v, sizes_.dot + sizes_.rim, 0.03f * edge_, paper_);
        draw_dot(v, sizes_.dot, 0.05f * edge_, ink_);
    }
}

}  // namespace

void append_map(Scene& scene, const CacheHeader& header, const CacheFrame& frame,
                const Projection& projection, const PictureSettings& settings, const CorrectionMap& map) {
    MapPen(scene, header, frame, projection, settings, map).draw();
}

}  // namespace taut::io::picture
