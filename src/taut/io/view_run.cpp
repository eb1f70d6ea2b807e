// Writes runs into pages; the blocks themselves are encoded in view_blocks.cpp.
#include "taut/io/view_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "taut/base/error.hpp"

namespace taut::io {

namespace {

using Json = nlohmann::json;

// Below this many bytes of frames a page keeps floats: it opens at once either way.
constexpr std::size_t small_run = 8'000'000;
// Script tags around a frame, and its entry in the JSON block without placements [bytes].
constexpr std::size_t frame_overhead = 200;
// One placement of a moving obstacle: 12 numbers as text [bytes].
constexpr std::size_t placement_overhead = 280;
// A triangle as varints: mostly its corners are close to each other, and to the last triangle's [bytes].
constexpr std::size_t triangle_bytes = 7;
// A longer scene text would say more than a reader of the page looks for [bytes].
constexpr std::size_t longest_scene = 65'536;
// The JSON block of a run without its frames, report and scene text, generously [bytes].
constexpr std::size_t text_overhead = 8192;

Json numbers(const Vec3& v) { return Json::array({v[0], v[1], v[2]}); }

// Rows of the 3 x 4 matrix [rotation | translation].
Json placement(const RigidTransform& place) {
    Json rows = Json::array();
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) rows.push_back(place.rotation(r, c));
        rows.push_back(place.translation[r]);
    }
    return rows;
}

bool same(const RigidTransform& a, const RigidTransform& b) {
    return a.rotation == b.rotation && a.translation == b.translation;
}

Json describe_cloths(const CacheHeader& header) {
    Json list = Json::array();
    for (const Cloth& cloth : header.cloths) {
        list.push_back({{"name", cloth.name},
                        {"first_vertex", cloth.first_vertex},
                        {"vertices", cloth.vertex_count},
                        {"first_face", cloth.first_face},
                        {"faces", cloth.face_count},
                        {"first_edge", cloth.first_edge},
                        {"edges", cloth.edge_count}});
    }
    return list;
}

Json describe_obstacles(const CacheHeader& header) {
    Json list = Json::array();
    for (std::size_t k = 0; k < header.obstacles.size(); ++k) {
        const collision::Obstacle& obstacle = header.obstacles[k];
        list.push_back({{"name", obstacle.name},
                        {"shape", collision::shape_name(obstacle.shape)},
                        {"center", numbers(obstacle.center)},
                        {"normal", numbers(obstacle.normal)},
                        {"end", numbers(obstacle.end)},
                        {"half_size", numbers(obstacle.half_size)},
                        {"radius", obstacle.radius},
                        {"frequency", obstacle.frequency}});
        if (!obstacle.mesh) continue;
        list.back()["points"] = obstacle.mesh->rest.size();
        list.back()["triangles"] = obstacle.mesh->triangles.size();
        list.back()["deforming"] = header.deforms(k);
    }
    return list;
}

// Names, numbers and times of the maps; null where there are none.
Json describe_maps(const CorrectionMaps& maps) {
    if (maps.changes.empty()) return nullptr;
    Json list = Json::array(), active = Json::array();
    for (const CorrectionMap& map : maps.maps) {
        list.push_back({{"name", map.name}, {"fixed", map.fixed.size()}, {"corrections", map.list.size()}});
    }
    for (const CorrectionMaps::Change& change : maps.changes) {
        Json which = nullptr;
        if (change.map >= 0) which = change.map;
        if (change.map == CorrectionMaps::left_out) which = change.name;
        active.push_back({change.t, std::move(which)});
    }
    return {{"maps", std::move(list)}, {"active", std::move(active)}};
}

Json parse_report(const std::string& text) {
    if (text.empty()) return nullptr;
    Json report = Json::parse(text, nullptr, false);
    if (!report.is_object()) {
        throw InputError({"report.json", ""}, "is not a JSON object", text.substr(0, 40),
                         "run the scene again, or remove the report");
    }
    return report;
}

// Refuses a cache whose parts disagree, so that no index in the blocks can miss.
void check_cache(const CacheHeader& header) {
    const auto refuse = [&](const std::string& problem) {
        throw InputError({"animation cache of \"" + header.scene_name + "\"", ""}, problem, "",
                         "run the scene again");
    };
    const auto bad = [&](int vertex) { return vertex < 0 || vertex >= header.vertices; };
    if (header.rest_length.size() != header.edges.size()) refuse("does not hold one rest length per edge");
    for (const mesh::Edge& edge : header.edges) {
        if (bad(edge.a) || bad(edge.b)) refuse("has an edge with a vertex that does not exist");
    }
    for (const mesh::Face& face : header.faces) {
        for (int k = 0; k < face.size(); ++k) {
            if (bad(face.corner[k])) refuse("has a face with a vertex that does not exist");
        }
    }

    // Let the cloths share out vertices and faces without gap or overlap.
    long vertex = 0, face = 0;
    for (const Cloth& cloth : header.cloths) {
        const bool follows = cloth.first_vertex == vertex && cloth.vertex_count >= 0 &&
                             cloth.first_face == face && cloth.face_count >= 0;
        if (!follows) refuse("has cloths that do not follow each other");
        vertex += cloth.vertex_count;
        face += cloth.face_count;
    }
    if (vertex != header.vertices || face != static_cast<long>(header.faces.size())) {
        refuse("has vertices or faces that belong to no cloth");
    }
}

void append_block(std::string& page, const std::string& id, const ViewBytes& bytes) {
    page += "<script type=\"text/plain\" id=\"" + id + "\">";
    append_base64(page, bytes);
    page += "</script>\n";
}

// The box that the finite points of all frames fill, for the page to aim its camera at.
struct Bounds {
    Vec3 low = Vec3::Constant(std::numeric_limits<double>::max()), high = -low;

    void grow(ConstPoints points) {
        for (const Vec3& p : points) {
            if (!p.allFinite()) continue;
            low = low.cwiseMin(p);
            high = high.cwiseMax(p);
        }
    }
    Json json() const {
        if ((low.array() > high.array()).any()) return Json::object();
        return {{"low", numbers(low)}, {"high", numbers(high)}};
    }
};

// Appends the meshes of obstacles; the points of those that deform follow frame by frame.
void append_meshes(std::string& page, const std::string& name, const CacheHeader& header, bool packed) {
    for (std::size_t k = 0; k < header.obstacles.size(); ++k) {
        const auto& mesh = header.obstacles[k].mesh;
        if (!mesh) continue;
        const std::string number = std::to_string(k);
        append_block(page, name + "-triangles-" + number, encode_triangles(mesh->triangles));
        if (!header.deforms(k))
            append_block(page, name + "-points-" + number, encode_points(mesh->rest, packed));
    }
}

// What the meshes take in a page: all that stays, or the points that deform, per frame [bytes].
std::size_t still_mesh_bytes(const CacheHeader& header) {
    std::size_t bytes = 0;
    for (std::size_t k = 0; k < header.obstacles.size(); ++k) {
        const auto& mesh = header.obstacles[k].mesh;
        if (!mesh) continue;
        bytes += base64_size(triangle_bytes * mesh->triangles.size()) + frame_overhead;
        if (!header.deforms(k)) bytes += base64_size(points_size(mesh->rest.size(), false)) + frame_overhead;
    }
    return bytes;
}

std::size_t moving_mesh_bytes(const CacheHeader& header, bool packed) {
    std::size_t bytes = 0;
    for (std::size_t k = 0; k < header.obstacles.size(); ++k) {
        if (!header.deforms(k)) continue;
        bytes += base64_size(points_size(header.obstacles[k].mesh->rest.size(), packed)) + frame_overhead;
    }
    return bytes;
}

// Frames of the plan that a run of `count` frames has, and its own last.
std::vector<long> frames_of_run(const ViewPlan& plan, long count) {
    std::vector<long> kept;
    for (const long frame : plan.frames) {
        if (frame < count) kept.push_back(frame);
    }
    if (count > 0 && kept.back() != count - 1) kept.push_back(count - 1);
    return kept;
}

// Appends the frames of the plan and notes in `run` what they hold: entries, bounds, obstacles.
void append_frames(std::string& page, const std::string& name, CacheReader& cache, const ViewPlan& plan,
                   const StrainScale& scale, Json& run) {
    const CacheHeader& header = cache.header();
    const std::vector<long> kept = frames_of_run(plan, cache.frames());
    Json entries = Json::array(), obstacles = describe_obstacles(header);
    Bounds bounds;
    ViewBytes codes(static_cast<std::size_t>(header.vertices));
    std::vector<RigidTransform> first;
    for (std::size_t k = 0; k < kept.size(); ++k) {
        CacheFrame frame;
        try {
            frame = cache.read(kept[k]);
        } catch (const InputError&) {
            if (!plan.forgiving) throw;
            run["cache_frames"] = kept[k];
            break;
        }
        const WorstStrain worst = encode_strain(header, frame.x, scale, codes);
        append_block(page, name + "-frame-" + std::to_string(k),
                     encode_frame(header, frame.x, plan.packed, codes));
        bounds.grow(frame.x);
        for (std::size_t o = 0; o < obstacles.size(); ++o) {
            if (!header.deforms(o)) continue;
            append_block(page, fmt::format("{}-points-{}-{}", name, o, k),
                         encode_points(frame.deformed[o], plan.packed));
        }

        // Note a placement where it differs from the first frame's.
        if (k == 0) first = frame.obstacles;
        Json moved = Json::object();
        for (std::size_t o = 0; o < obstacles.size(); ++o) {
            if (k == 0) obstacles[o]["place"] = placement(first[o]);
            if (!same(frame.obstacles[o], first[o])) {
                moved[std::to_string(o)] = placement(frame.obstacles[o]);
            }
        }
        entries.push_back({{"t", frame.t},
                           {"frame", kept[k]},
                           {"max_strain", worst.strain},
                           {"worst", worst.vertex},
                           {"moved", std::move(moved)}});
    }
    run["frames"] = std::move(entries);
    run["bounds"] = bounds.json();
    run["obstacles"] = std::move(obstacles);
}

}  // namespace

ViewRun::ViewRun(CacheReader& cache, const std::string& report_json, const CorrectionMaps& maps)
    : cache_(&cache), report_bytes_(report_json.size()), maps_(describe_maps(maps)) {
    check_cache(cache.header());
    faces_ = encode_faces(cache.header().faces);
    edges_ = encode_edges(cache.header().edges);
    report_ = parse_report(report_json);
    for (const CorrectionMap& map : maps.maps) map_blocks_.push_back(encode_map(map));
}

bool ViewRun::same_topology(const ViewRun& other) const {
    return faces_ == other.faces_ && edges_ == other.edges_;
}

std::size_t ViewRun::topology_bytes() const { return base64_size(faces_.size() + edges_.size()); }

std::size_t ViewRun::frame_bytes(bool packed) const {
    return base64_size(frame_size(header().cloths.size(), header().vertices, packed)) + frame_overhead +
           header().obstacles.size() * placement_overhead + moving_mesh_bytes(header(), packed);
}

std::size_t ViewRun::text_bytes() const {
    std::size_t maps = maps_.is_null() ? 0 : maps_.dump().size();
    for (const ViewBytes& block : map_blocks_) maps += base64_size(block.size()) + frame_overhead;
    return report_bytes_ + std::min(header().effective_scene.size(), longest_scene) + text_overhead +
           still_mesh_bytes(header()) + maps;
}

Json ViewRun::describe(const StrainScale& scale, bool packed) const {
    const CacheHeader& header = cache_->header();
    return {{"format", 1},
            {"taut_version", header.taut_version},
            {"scene", header.scene_name},
            {"settings", header.effective_scene.size() <= longest_scene ? header.effective_scene : ""},
            {"fps", header.fps},
            {"tolerance", header.tolerance},
            {"vertices", header.vertices},
            {"faces", header.faces.size()},
            {"edges", header.edges.size()},
            {"packed", packed},
            {"strain_scale",
             {{"reference", scale.reference()},
              {"reference_code", scale.reference_code()},
              {"steps_per_decade", StrainScale::steps_per_decade}}},
            {"cloths", describe_cloths(header)},
            {"cache_frames", cache_->frames()}};
}

void ViewRun::append(std::string& page, const std::string& name, const std::string& topology,
                     const ViewPlan& plan, const StrainScale& scale) const {
    if (topology == name) {
        append_block(page, name + "-faces", faces_);
        append_block(page, name + "-edges", edges_);
    }
    append_meshes(page, name, header(), plan.packed);
    for (std::size_t k = 0; k < map_blocks_.size(); ++k)
        append_block(page, fmt::format("{}-map-{}", name, k), map_blocks_[k]);
    Json run = describe(scale, plan.packed);
    append_frames(page, name, *cache_, plan, scale, run);
    run["topology"] = topology;
    run["report"] = report_;
    run["correction_maps"] = maps_;
    append_json(page, name + "-run", run);
}

ViewPlan plan_frames(std::span<const ViewRun> runs, std::size_t fixed, const ViewOptions& options) {
    long frames = 0;
    for (const ViewRun& run : runs) frames = std::max(frames, run.frames());

    // Add up all frames of all runs. A run that ended early keeps its share of the frames, rounded up,
    // and its last: set two aside.
    std::size_t single = 0, packed = 0, set_aside = 0;
    for (const ViewRun& run : runs) {
        single += static_cast<std::size_t>(run.frames()) * run.frame_bytes(false);
        packed += static_cast<std::size_t>(run.frames()) * run.frame_bytes(true);
        if (run.frames() < frames) set_aside += 2 * run.frame_bytes(false);
    }
    const std::size_t budget = options.max_bytes - std::min(fixed + set_aside, options.max_bytes);

    // Keep floats where the page is small all the same.
    ViewPlan plan;
    const bool small = single <= std::min(small_run, budget);
    plan.packed = options.precision == ViewPrecision::packed ||
                  (options.precision == ViewPrecision::automatic && !small);
    const std::size_t all = plan.packed ? packed : single;
    const std::size_t most = frames > 0 ? static_cast<std::size_t>(frames) * budget / all : 0;
    plan.frames = frames_to_show(frames, static_cast<long>(most));
    return plan;
}

void append_json(std::string& page, const std::string& id, const Json& json) {
    page += "<script type=\"application/json\" id=\"" + id + "\">";
    for (const char c : json.dump(-1, ' ', true, Json::error_handler_t::replace)) {
        if (c == '<') {
            page += "\\u003c";
        } else {
            page += c;
        }
    }
    page += "</script>\n";
}

TemplateParts split_template(std::string_view page_template) {
    const std::size_t marker = page_template.find(view_page_marker);
    if (marker == std::string_view::npos ||
        page_template.find(view_page_marker, marker + 1) != std::string_view::npos) {
        throw InputError({"page template", ""}, "does not hold its marker exactly once",
                         std::string(view_page_marker), "build the viewer again");
    }
    return {page_template.substr(0, marker), page_template.substr(marker + view_page_marker.size())};
}

}  // namespace taut::io
