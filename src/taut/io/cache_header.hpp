// The header of an animation cache as bytes. Layout, little endian on every machine taut runs on:
//     0  char[8]  "TAUTCACH"          24  u64  bytes of the JSON text
//     8  u32      format version      32  u64  bytes of the arrays
//    12  u32      byte order mark     40  u64  bytes of one frame
//    16  u64      bytes of header     48  u64  checksum of all other header bytes
//    56  JSON text (names, what the file holds, counts, cloths, obstacles), then arrays:
//        f64 rest_length[edges], i32 face corners[faces][4], i32 edge a, b, face, face[edges][4],
//        u8 direction[edges], per mesh obstacle f64 rest[points][3] and i32 corners[triangles][3],
//        per pin i32 vertices[count] and f64 anchor[count][3]; zeros to 8.
// Frames follow: u64 index, f64 t, f64 x[vertices][3], per obstacle f64 rotation[3][3] by rows and
// f64 translation[3], per deforming obstacle f64 x[points][3] as they are, u64 checksum of the frame.
// The checksum is XXH3, seeded by the header's. Still read: version 2, without pins, and 1, without meshes;
// and files that do not say whether they hold frames or steps.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "taut/io/cache.hpp"

namespace taut::io {

inline constexpr std::size_t cache_preamble_bytes = 56;
inline constexpr std::uint32_t cache_version = 3;

// The numbers at the start of the file, after magic, version and byte order were found right.
struct CachePreamble {
    std::uint32_t version = cache_version;
    std::uint64_t header_bytes = 0, json_bytes = 0, array_bytes = 0, frame_bytes = 0;
    std::uint64_t checksum = 0;
};

// points: vertices of the cloths and those of deforming obstacles.
std::uint64_t cache_frame_bytes(std::uint64_t points, std::uint64_t obstacles);
std::uint64_t cache_frame_bytes(const CacheHeader& header);

// Throws InputError when the header holds an index out of range or a number that is not finite.
void check_cache_header(const CacheHeader& header, const std::string& file);

// The whole header, preamble included. `checksum` receives the header's checksum.
std::string encode_cache_header(const CacheHeader& header, std::uint64_t& checksum);

// Reads the preamble and holds its sizes against the size of the file before anything is allocated.
CachePreamble decode_cache_preamble(std::string_view bytes, std::uintmax_t file_size,
                                    const std::string& file);

// `bytes`: header_bytes of the file from its start.
CacheHeader decode_cache_header(std::string_view bytes, const CachePreamble& preamble,
                                const std::string& file);

}  // namespace taut::io
