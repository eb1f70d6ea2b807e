// Header of the animation cache: small things as JSON, large arrays as they lie in memory. Reader
// and writer share one check, so that nothing is written that would be refused when read.
#include "taut/io/cache_header.hpp"

#include <cmath>

#include "taut/base/hash.hpp"
#include "taut/collision/polygon_sphere.hpp"
#include "taut/io/binary.hpp"
#include "taut/io/cache_fields.hpp"
#include "taut/io/cache_pins.hpp"

namespace taut::io {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::string_view magic = "TAUTCACH";
constexpr std::array shapes{collision::Shape::plane,          collision::Shape::sphere,
                            collision::Shape::capsule,        collision::Shape::box,
                            collision::Shape::polygon_sphere, collision::Shape::mesh};
constexpr std::array<const char*, shapes.size()> shape_words{"plane", "sphere",         "capsule",
                                                             "box",   "polygon_sphere", "mesh"};

// By CacheContent, but for files without a mark.
constexpr std::array<const char*, 2> content_words{"frames", "steps"};

const char* content_word(CacheContent content) { return content_words.at(static_cast<std::size_t>(content)); }

constexpr std::string_view judged_at_end_word = "end", judged_before_word = "before_contact";

using FourInts = std::array<std::int32_t, 4>;

ordered_json cloth_json(const Cloth& c) {
    return {{"name", c.name},
            {"first_vertex", c.first_vertex},
            {"vertex_count", c.vertex_count},
            {"first_face", c.first_face},
            {"face_count", c.face_count},
            {"first_edge", c.first_edge},
            {"edge_count", c.edge_count},
            {"first_yarn", c.first_yarn},
            {"yarn_count", c.yarn_count}};
}

ordered_json obstacle_json(const collision::Obstacle& o, bool deforms) {
    ordered_json j{{"name", o.name},
                   {"shape", shape_words.at(static_cast<std::size_t>(o.shape))},
                   {"center", vector_json(o.center)},
                   {"normal", vector_json(o.normal)},
                   {"end", vector_json(o.end)},
                   {"half_size", vector_json(o.half_size)},
                   {"radius", o.radius},
                   {"friction", o.friction}};
    if (o.shape == collision::Shape::polygon_sphere) j["frequency"] = o.frequency;
    if (o.shape == collision::Shape::mesh) {
        j["points"] = o.mesh->rest.size();
        j["triangles"] = o.mesh->triangles.size();
        j["deforming"] = deforms;
    }
    return j;
}

ordered_json header_json(const CacheHeader& header) {
    ordered_json j;
    j["taut_version"] = header.taut_version;
    j["scene_name"] = header.scene_name;
    j["effective_scene"] = header.effective_scene;
    if (header.content != CacheContent::unmarked) j["holds"] = content_word(header.content);
    j["fps"] = header.fps;
    j["tolerance"] = header.tolerance;
    j["strain_judged"] = header.judged_before ? judged_before_word : judged_at_end_word;
    j["vertices"] = header.vertices;
    j["faces"] = header.faces.size();
    j["edges"] = header.edges.size();
    j["cloths"] = ordered_json::array();
    for (const Cloth& cloth : header.cloths) j["cloths"].push_back(cloth_json(cloth));
    j["obstacles"] = ordered_json::array();
    for (std::size_t k = 0; k < header.obstacles.size(); ++k) {
        j["obstacles"].push_back(obstacle_json(header.obstacles[k], header.deforms(k)));
    }
    if (header.pins) j["pins"] = pins_json(*header.pins);
    return j;
}

CacheContent read_content(const CacheFields& in) {
    if (!in.has("holds")) return CacheContent::unmarked;
    const std::string word = in.text("holds");
    for (const CacheContent content : {CacheContent::frames, CacheContent::steps}) {
        if (word == content_word(content)) return content;
    }
    damaged_cache(in.file(), "it holds neither frames nor steps");
}

Cloth read_cloth(const CacheFields& in) {
    Cloth c;
    c.name = in.text("name");
    c.first_vertex = in.count("first_vertex"), c.vertex_count = in.count("vertex_count");
    c.first_face = in.count("first_face"), c.face_count = in.count("face_count");
    c.first_edge = in.count("first_edge"), c.edge_count = in.count("edge_count");
    c.first_yarn = in.count("first_yarn"), c.yarn_count = in.count("yarn_count");
    return c;
}

collision::Obstacle read_obstacle(const CacheFields& in, const std::string& file) {
    collision::Obstacle o;
    o.name = in.text("name");
    const std::string shape = in.text("shape");
    std::size_t k = 0;
    while (k < shapes.size() && shape != shape_words[k]) ++k;
    if (k == shapes.size()) damaged_cache(file, "an obstacle has no known shape");
    o.shape = shapes[k];
    o.center = in.vector("center");
    o.normal = in.vector("normal");
    o.end = in.vector("end");
    o.half_size = in.vector("half_size");
    o.radius = in.number("radius");
    o.friction = in.number("friction");
    if (o.shape == collision::Shape::polygon_sphere) o.frequency = in.count("frequency");
    return o;
}

void read_arrays(ByteReader& in, std::uint64_t faces, std::uint64_t edges, CacheHeader& header) {
    header.rest_length = in.get_array<double>(edges);
    const auto corners = in.get_array<FourInts>(faces);
    const auto ends = in.get_array<FourInts>(edges);
    const auto directions = in.get_array<std::uint8_t>(edges);
    header.faces.resize(corners.size());
    for (std::size_t k = 0; k < corners.size(); ++k) {
        for (std::size_t c = 0; c < 4; ++c) header.faces[k].corner[c] = corners[k][c];
    }
    header.edges.resize(ends.size());
    for (std::size_t k = 0; k < ends.size(); ++k) {
        const auto [a, b, left, right] = ends[k];
        header.edges[k] = {a, b, static_cast<mesh::Direction>(directions[k]), {left, right}};
    }
}

// The mesh of an obstacle, and whether it deforms; the counts are checked against the bytes there are.
void read_mesh(const CacheFields& in, ByteReader& arrays, std::size_t k, CacheHeader& header) {
    if (header.obstacles[k].shape != collision::Shape::mesh) return;
    collision::ObstacleMesh mesh;
    mesh.rest = arrays.get_array<Vec3>(static_cast<std::uint64_t>(in.count("points")));
    mesh.triangles = arrays.get_array<collision::Triangle>(static_cast<std::uint64_t>(in.count("triangles")));
    header.obstacles[k].mesh = std::make_shared<const collision::ObstacleMesh>(std::move(mesh));
    header.deforming.resize(header.obstacles.size());
    header.deforming[k] = in.flag("deforming") ? 1 : 0;
}

bool inside(int index, std::size_t count) { return index >= 0 && static_cast<std::size_t>(index) < count; }

bool range_inside(int first, int count, std::size_t total) {
    return first >= 0 && count >= 0 &&
           static_cast<std::size_t>(first) + static_cast<std::size_t>(count) <= total;
}

void check_topology(const CacheHeader& h, const std::string& file) {
    const auto n = static_cast<std::size_t>(h.vertices);
    for (const mesh::Face& face : h.faces) {
        bool good = face.corner[3] == -1 || inside(face.corner[3], n);
        for (std::size_t c = 0; c < 3; ++c) good = good && inside(face.corner[c], n);
        if (!good) damaged_cache(file, "a face names a vertex that does not exist");
    }
    for (const mesh::Edge& edge : h.edges) {
        if (!inside(edge.a, n) || !inside(edge.b, n))
            damaged_cache(file, "an edge names a vertex that does not exist");
        for (int face : edge.face) {
            if (face != -1 && !inside(face, h.faces.size())) {
                damaged_cache(file, "an edge names a face that does not exist");
            }
        }
        if (edge.direction > mesh::Direction::weft) damaged_cache(file, "an edge has no known direction");
    }
    for (const Cloth& c : h.cloths) {
        if (!range_inside(c.first_vertex, c.vertex_count, n) ||
            !range_inside(c.first_face, c.face_count, h.faces.size()) ||
            !range_inside(c.first_edge, c.edge_count, h.edges.size()) || c.first_yarn < 0 ||
            c.yarn_count < 0) {
            damaged_cache(file, "a cloth reaches beyond the mesh");
        }
    }
}

void check_mesh(const collision::Obstacle& o, bool deforms, const std::string& file) {
    if (o.shape != collision::Shape::mesh) {
        if (deforms) damaged_cache(file, "an obstacle deforms that is no mesh");
        return;
    }
    if (!o.mesh || o.mesh->triangles.empty()) damaged_cache(file, "the mesh of an obstacle is empty");
    for (const Vec3& p : o.mesh->rest) {
        if (!p.allFinite()) damaged_cache(file, "an obstacle holds a number that is not finite");
    }
    for (const collision::Triangle& triangle : o.mesh->triangles) {
        for (const int corner : triangle) {
            if (!inside(corner, o.mesh->rest.size()))
                damaged_cache(file, "a triangle of an obstacle names a point that does not exist");
        }
    }
}

}  // namespace

std::uint64_t cache_frame_bytes(std::uint64_t points, std::uint64_t obstacles) {
    return 8 + 8 + 24 * points + 96 * obstacles + 8;
}

std::uint64_t cache_frame_bytes(const CacheHeader& header) {
    auto points = static_cast<std::uint64_t>(header.vertices);
    for (std::size_t k = 0; k < header.obstacles.size(); ++k) {
        if (header.deforms(k)) points += header.obstacles[k].mesh->rest.size();
    }
    return cache_frame_bytes(points, header.obstacles.size());
}

void check_cache_content(const CacheHeader& header, CacheContent wanted, const std::string& file,
                         const std::string& remedy) {
    if (header.content == wanted || header.content == CacheContent::unmarked) return;
    const char* const held = content_word(header.content);
    throw InputError({file, "header"}, fmt::format("holds {} where {} belong", held, content_word(wanted)),
                     held, remedy);
}

void check_cache_header(const CacheHeader& h, const std::string& file) {
    if (!std::isfinite(h.fps) || h.fps <= 0) damaged_cache(file, "the frame rate is not a positive number");
    if (!std::isfinite(h.tolerance) || h.tolerance < 0) damaged_cache(file, "the tolerance is not a number");
    if (h.vertices < 0) damaged_cache(file, "the number of vertices is negative");
    if (h.rest_length.size() != h.edges.size())
        damaged_cache(file, "edges and rest lengths differ in number");
    for (double length : h.rest_length) {
        if (!std::isfinite(length) || length <= 0)
            damaged_cache(file, "a rest length is not a positive number");
    }
    check_topology(h, file);
    if (h.pins) {
        check_pins(*h.pins, h.vertices, file);
        for (const PinGroup& pin : *h.pins) {
            const auto body = static_cast<std::size_t>(std::max(pin.body, 0));
            if (pin.body >= 0 && (!h.deforms(body) || h.obstacles[body].mesh->triangles.empty()))
                damaged_cache(file, "a pin is carried by an obstacle that does not deform");
        }
    }
    for (std::size_t k = 0; k < h.obstacles.size(); ++k) {
        const collision::Obstacle& o = h.obstacles[k];
        check_mesh(o, h.deforms(k), file);
        if (!o.center.allFinite() || !o.normal.allFinite() || !o.end.allFinite() ||
            !o.half_size.allFinite() || !std::isfinite(o.radius) || !std::isfinite(o.friction)) {
            damaged_cache(file, "an obstacle holds a number that is not finite");
        }
        if (o.frequency < 1 || o.frequency > collision::PolygonSphere::max_frequency) {
            damaged_cache(file, "the frequency of an obstacle is out of range");
        }
    }
}

std::string encode_cache_header(const CacheHeader& header, std::uint64_t& checksum) {
    const std::string text = header_json(header).dump(-1, ' ', false, ordered_json::error_handler_t::replace);

    // Lay the parts behind each other: JSON text, arrays, zeros up to a multiple of eight.
    ByteWriter body;
    body.reserve(text.size() + 16 * header.faces.size() + 25 * header.edges.size() + 8);
    body.put_array<char>(text);
    body.put_array<double>(header.rest_length);
    for (const mesh::Face& face : header.faces) body.put(face.corner);
    for (const mesh::Edge& edge : header.edges)
        body.put(FourInts{edge.a, edge.b, edge.face[0], edge.face[1]});
    for (const mesh::Edge& edge : header.edges) body.put(edge.direction);
    for (const collision::Obstacle& obstacle : header.obstacles) {
        if (obstacle.shape != collision::Shape::mesh) continue;
        body.put_array<Vec3>(obstacle.mesh->rest);
        body.put_array<collision::Triangle>(obstacle.mesh->triangles);
    }
    if (header.pins) put_pins(*header.pins, body);
    const std::uint64_t array_bytes = body.bytes().size() - text.size();
    body.pad_to(8);

    // Put the preamble in front, and the checksum over both into its last field.
    ByteWriter whole;
    whole.put_array<char>(magic);
    whole.put(cache_version);
    whole.put(byte_order_mark);
    whole.put<std::uint64_t>(cache_preamble_bytes + body.bytes().size());
    whole.put<std::uint64_t>(text.size());
    whole.put(array_bytes);
    whole.put(cache_frame_bytes(header));
    checksum = hash_bytes(body.bytes().data(), body.bytes().size(),
                          hash_bytes(whole.bytes().data(), whole.bytes().size()));
    whole.put(checksum);
    whole.reserve(cache_preamble_bytes + body.bytes().size());
    whole.put_array<char>(body.bytes());
    return whole.take();
}

CachePreamble decode_cache_preamble(std::string_view bytes, std::uintmax_t file_size,
                                    const std::string& file) {
    const ErrorPlace where{file, "header"};
    if (!bytes.starts_with(magic) && (bytes.empty() || !magic.starts_with(bytes))) {
        throw InputError(where, "is not a taut animation cache", "", "give the cache.taut of a run folder");
    }
    if (bytes.size() < cache_preamble_bytes) damaged_cache(file, "the file ends within its header");
    ByteReader in(bytes.substr(magic.size()), where);
    const auto version = in.get<std::uint32_t>();
    const auto mark = in.get<std::uint32_t>();
    if (mark == swapped_byte_order_mark) {
        throw InputError(where, "was written on a machine of other byte order", "", "run the scene here");
    }
    if (mark != byte_order_mark) damaged_cache(file, "the byte order mark is wrong");
    if (version < 1 || version > cache_version) {
        throw InputError(where, "is of a cache version this program does not read", std::to_string(version),
                         fmt::format("this program reads versions 1 to {}", cache_version));
    }
    CachePreamble p;
    p.version = version;
    p.header_bytes = in.get<std::uint64_t>();
    p.json_bytes = in.get<std::uint64_t>();
    p.array_bytes = in.get<std::uint64_t>();
    p.frame_bytes = in.get<std::uint64_t>();
    p.checksum = in.get<std::uint64_t>();
    if (p.header_bytes > file_size) damaged_cache(file, "the file ends within its header");
    if (p.header_bytes < cache_preamble_bytes || p.json_bytes > p.header_bytes - cache_preamble_bytes ||
        p.array_bytes > p.header_bytes - cache_preamble_bytes - p.json_bytes || p.frame_bytes == 0) {
        damaged_cache(file, "the sizes of its parts contradict each other");
    }
    return p;
}

CacheHeader decode_cache_header(std::string_view bytes, const CachePreamble& preamble,
                                const std::string& file) {
    // Hold the checksum against every byte before any of them is believed.
    constexpr std::size_t before_checksum = cache_preamble_bytes - 8;
    const std::string_view body = bytes.substr(cache_preamble_bytes);
    if (hash_bytes(body.data(), body.size(), hash_bytes(bytes.data(), before_checksum)) !=
        preamble.checksum) {
        damaged_cache(file, "the checksum of the header does not match");
    }
    const json j = json::parse(body.substr(0, preamble.json_bytes), nullptr, false);
    if (j.is_discarded()) damaged_cache(file, "the description is not JSON");

    // Read names and counts.
    CacheHeader header;
    const CacheFields in(j, file);
    header.taut_version = in.text("taut_version");
    header.scene_name = in.text("scene_name");
    header.effective_scene = in.text("effective_scene");
    header.content = read_content(in);
    header.fps = in.number("fps");
    header.tolerance = in.number("tolerance");
    header.judged_before = in.has("strain_judged") && in.text("strain_judged") == judged_before_word;
    header.vertices = in.count("vertices");
    for (const json& cloth : in.list("cloths")) header.cloths.push_back(read_cloth({cloth, file}));
    for (const json& o : in.list("obstacles")) header.obstacles.push_back(read_obstacle({o, file}, file));

    // Read the arrays, as many bytes as the counts ask for and no more.
    const auto faces = static_cast<std::uint64_t>(in.count("faces"));
    const auto edges = static_cast<std::uint64_t>(in.count("edges"));
    ByteReader arrays(body.substr(preamble.json_bytes, preamble.array_bytes), {file, "header"});
    read_arrays(arrays, faces, edges, header);
    for (std::size_t k = 0; k < header.obstacles.size(); ++k) {
        read_mesh({in.list("obstacles")[k], file}, arrays, k, header);
    }
    if (in.has("pins")) header.pins = read_pins(in, arrays);
    if (arrays.remaining() > 0) damaged_cache(file, "the arrays are longer than the counts say");
    if (preamble.frame_bytes != cache_frame_bytes(header))
        damaged_cache(file, "the size of a frame does not fit the number of vertices");
    check_cache_header(header, file);
    return header;
}

}  // namespace taut::io
