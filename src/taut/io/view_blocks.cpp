// Encoders of the view page's blocks; the layout is described in the header.
#include "taut/io/view_blocks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace taut::io {

namespace {

static_assert(std::endian::native == std::endian::little, "pages hold little-endian numbers");

constexpr int steps_in_box = 65'534;
constexpr std::uint16_t not_a_position = 65'535;

void append_varint(ViewBytes& out, std::uint64_t value) {
    for (; value >= 128; value >>= 7) out.push_back(static_cast<std::uint8_t>(value | 128));
    out.push_back(static_cast<std::uint8_t>(value));
}

std::uint64_t zigzag(std::int64_t value) {
    return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}

template <class Number>
void append_numbers(ViewBytes& out, std::span<const Number> numbers) {
    const auto* raw = reinterpret_cast<const std::uint8_t*>(numbers.data());
    out.insert(out.end(), raw, raw + numbers.size_bytes());
}

struct Box {
    std::array<float, 3> min{}, size{};
};

Box box_of(ConstPoints points) {
    Vec3 low = Vec3::Constant(std::numeric_limits<double>::max()), high = -low;
    for (const Vec3& p : points) {
        if (!p.allFinite()) continue;
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
    }
    if (!(low.array() <= high.array()).all()) return {};

    // Widen by a few rounding errors of float, so that every point lies inside.
    const Vec3 slack = low.cwiseAbs().cwiseMax(high.cwiseAbs()) * 2e-7;
    Box box;
    for (int k = 0; k < 3; ++k) {
        box.min[k] = static_cast<float>(low[k] - slack[k]);
        box.size[k] = static_cast<float>(high[k] - low[k] + 3 * slack[k]);
    }
    return box;
}

void pack_points(ConstPoints points, const Box& box, ViewBytes& out) {
    for (const Vec3& p : points) {
        std::array<std::uint16_t, 3> step;
        for (int k = 0; k < 3; ++k) {
            const double width = box.size[k];
            const double share = width > 0 ? std::clamp((p[k] - box.min[k]) / width, 0.0, 1.0) : 0;
            step[k] = std::isfinite(p[k]) ? static_cast<std::uint16_t>(std::lround(share * steps_in_box))
                                          : not_a_position;
        }
        append_numbers<std::uint16_t>(out, step);
    }
}

void put_box(const Box& box, ViewBytes& out) {
    append_numbers<float>(out, box.min);
    append_numbers<float>(out, box.size);
}

void put_floats(ConstPoints points, ViewBytes& out) {
    for (const Vec3& p : points) {
        const std::array<float, 3> point{static_cast<float>(p[0]), static_cast<float>(p[1]),
                                         static_cast<float>(p[2])};
        append_numbers<float>(out, point);
    }
}

}  // namespace

void append_base64(std::string& out, std::span<const std::uint8_t> bytes) {
    static constexpr char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t whole = bytes.size() / 3 * 3, start = out.size();
    out.resize(start + base64_size(bytes.size()), '=');
    char* to = out.data() + start;
    for (std::size_t k = 0; k < whole; k += 3) {
        const unsigned word = bytes[k] << 16 | bytes[k + 1] << 8 | bytes[k + 2];
        for (int shift = 18; shift >= 0; shift -= 6) *to++ = digit[word >> shift & 63];
    }

    // Write the one or two bytes that are left; '=' fills the group already.
    const std::size_t left = bytes.size() - whole;
    if (left == 0) return;
    const unsigned word = bytes[whole] << 16 | (left == 2 ? bytes[whole + 1] << 8 : 0);
    *to++ = digit[word >> 18];
    *to++ = digit[word >> 12 & 63];
    if (left == 2) *to = digit[word >> 6 & 63];
}

std::size_t base64_size(std::size_t bytes) { return (bytes + 2) / 3 * 4; }

ViewBytes encode_faces(const std::vector<mesh::Face>& faces) {
    ViewBytes out;
    out.reserve(faces.size() * 6);
    std::int64_t last = 0;
    for (const mesh::Face& face : faces) {
        const std::int64_t first = face.corner[0];
        append_varint(out, zigzag(first - last));
        append_varint(out, zigzag(face.corner[1] - first));
        append_varint(out, zigzag(face.corner[2] - first));
        append_varint(out, face.size() == 4 ? zigzag(face.corner[3] - first) : 0);
        last = first;
    }
    return out;
}

ViewBytes encode_triangles(const std::vector<collision::Triangle>& triangles) {
    std::vector<mesh::Face> faces;
    faces.reserve(triangles.size());
    for (const auto& [a, b, c] : triangles) faces.push_back({{a, b, c, -1}});
    return encode_faces(faces);
}

ViewBytes encode_edges(const std::vector<mesh::Edge>& edges) {
    ViewBytes out;
    out.reserve(edges.size() * 4);
    std::int64_t last = 0;
    for (const mesh::Edge& edge : edges) {
        const std::uint64_t bare = edge.face[0] < 0 && edge.face[1] < 0 ? 1 : 0;
        append_varint(out, zigzag(edge.a - last));
        append_varint(out, zigzag(std::int64_t{edge.b} - edge.a) << 3 | bare << 2 |
                               static_cast<std::uint64_t>(edge.direction));
        last = edge.a;
    }
    return out;
}

ViewBytes encode_map(const CorrectionMap& map) {
    ViewBytes out;
    out.reserve(map.fixed.size() * 2 + map.list.size() * 3);
    std::int64_t last = 0;
    for (const int v : map.fixed) {
        append_varint(out, zigzag(v - last));
        last = v;
    }
    last = 0;
    for (const Correction& c : map.list) {
        append_varint(out, zigzag(c.from - last));
        append_varint(out, zigzag(std::int64_t{c.to} - c.from) << 2 | static_cast<std::uint64_t>(c.kind));
        last = c.from;
    }
    return out;
}

WorstStrain encode_strain(const CacheHeader& header, ConstPoints x, const StrainScale& scale,
                          std::span<std::uint8_t> codes) {
    WorstStrain worst;
    std::ranges::fill(codes, std::uint8_t{0});
    for (std::size_t e = 0; e < header.edges.size(); ++e) {
        const mesh::Edge& edge = header.edges[e];
        const double rest = header.rest_length[e];
        if (edge.direction == mesh::Direction::none || !(rest > 0)) continue;
        const double strain = std::abs((x[edge.b] - x[edge.a]).norm() / rest - 1);
        const std::uint8_t code = scale.code(strain);
        codes[edge.a] = std::max(codes[edge.a], code);
        codes[edge.b] = std::max(codes[edge.b], code);

        // Let a strain that is not a number win, and stay.
        if (std::isnan(worst.strain)) continue;
        if (worst.vertex < 0 || !(strain <= worst.strain)) worst = {strain, edge.a};
    }
    return worst;
}

std::size_t frame_size(std::size_t cloths, std::size_t vertices, bool packed) {
    return cloths * sizeof(Box) + vertices * (packed ? 7 : 13);
}

ViewBytes encode_frame(const CacheHeader& header, ConstPoints x, bool packed,
                       std::span<const std::uint8_t> codes) {
    ViewBytes out;
    out.reserve(frame_size(header.cloths.size(), x.size(), packed));
    std::vector<Box> boxes;
    for (const Cloth& cloth : header.cloths) {
        boxes.push_back(box_of(x.subspan(cloth.first_vertex, cloth.vertex_count)));
        put_box(boxes.back(), out);
    }
    if (packed) {
        for (std::size_t c = 0; c < boxes.size(); ++c) {
            const Cloth& cloth = header.cloths[c];
            pack_points(x.subspan(cloth.first_vertex, cloth.vertex_count), boxes[c], out);
        }
    } else {
        put_floats(x, out);
    }
    append_numbers<std::uint8_t>(out, codes);
    return out;
}

std::size_t points_size(std::size_t points, bool packed) { return sizeof(Box) + points * (packed ? 6 : 12); }

ViewBytes encode_points(ConstPoints x, bool packed) {
    ViewBytes out;
    out.reserve(points_size(x.size(), packed));
    const Box box = box_of(x);
    put_box(box, out);
    if (packed) {
        pack_points(x, box, out);
    } else {
        put_floats(x, out);
    }
    return out;
}

}  // namespace taut::io
