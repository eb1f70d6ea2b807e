// The binary blocks of a view page: topology as varints, a frame as positions and strain codes,
// everything as base64 text. Little-endian. apps/viewer/src/run.js reads them.
//   faces  zigzag varints: first corner against the last face's, the others against the first;
//          a triangle repeats its first corner
//   edges  zigzag varints: a against the last edge's a; then zigzag(b - a) << 3 | bare << 2 | direction,
//          bare: an edge of no face
//   frame  per cloth its box (min, size) as 6 floats; positions as 3 floats or 3 steps of 16 bits
//          inside the box, 65535 for what is not a number; one strain code per vertex
//   map    zigzag varints: fixed vertices, each against the last; then from against the last from, and
//          zigzag(to - from) << 2 | kind
//   points of obstacles that are meshes: box and positions as in a frame; triangles as faces
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "taut/io/cache.hpp"
#include "taut/io/view_page.hpp"

namespace taut::io {

using ViewBytes = std::vector<std::uint8_t>;

void append_base64(std::string& out, std::span<const std::uint8_t> bytes);
std::size_t base64_size(std::size_t bytes);  // characters that many bytes take

ViewBytes encode_faces(const std::vector<mesh::Face>& faces);
ViewBytes encode_triangles(const std::vector<collision::Triangle>& triangles);
ViewBytes encode_edges(const std::vector<mesh::Edge>& edges);
ViewBytes encode_map(const CorrectionMap& map);

// The largest |l/l0 - 1| over warp and weft edges, and a vertex of that edge (-1 where there is none).
struct WorstStrain {
    double strain = 0;  // [1]; not a number where a position is not
    int vertex = -1;
};

// Fills one code per vertex: the largest strain of the warp and weft edges that meet there.
WorstStrain encode_strain(const CacheHeader& header, ConstPoints x, const StrainScale& scale,
                          std::span<std::uint8_t> codes);

// Bytes of a frame of that many cloths and vertices, and the frame itself.
std::size_t frame_size(std::size_t cloths, std::size_t vertices, bool packed);
ViewBytes encode_frame(const CacheHeader& header, ConstPoints x, bool packed,
                       std::span<const std::uint8_t> codes);

// Bytes of that many points of a mesh, and the points themselves.
std::size_t points_size(std::size_t points, bool packed);
ViewBytes encode_points(ConstPoints x, bool packed);

}  // namespace taut::io
