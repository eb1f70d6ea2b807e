// Writes a run into the viewer's page. Every block is a script element that the browser keeps as
// text: taut-faces, taut-edges, taut-frame-0, 1, 2 ... (view_blocks.hpp), and last taut-run, JSON
// with all the rest, last because it names the largest strain of every frame.
#include "taut/io/view_page.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "taut/base/error.hpp"
#include "taut/io/atomic_file.hpp"
#include "taut/io/view_blocks.hpp"

namespace taut::io {

namespace {

using Json = nlohmann::json;

// Below this many bytes of frames a page keeps floats: it opens at once either way.
constexpr std::size_t small_run = 8'000'000;
// Script tags around a frame, and its entry in the JSON block without placements [bytes].
constexpr std::size_t frame_overhead = 200;
// One placement of a moving obstacle: 12 numbers as text [bytes].
constexpr std::size_t placement_overhead = 280;
// A longer scene text would say more than a reader of the page looks for [bytes].
constexpr std::size_t longest_scene = 65'536;

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
    static constexpr const char* shape[] = {"plane", "sphere", "capsule", "box"};
    Json list = Json::array();
    for (const collision::Obstacle& obstacle : header.obstacles) {
        list.push_back({{"name", obstacle.name},
                        {"shape", shape[static_cast<int>(obstacle.shape)]},
                        {"center", numbers(obstacle.center)},
                        {"normal", numbers(obstacle.normal)},
                        {"end", numbers(obstacle.end)},
                        {"half_size", numbers(obstacle.half_size)},
                        {"radius", obstacle.radius}});
    }
    return list;
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

// Finds the one place in the template where the run belongs.
std::size_t find_marker(std::string_view page_template) {
    const std::size_t marker = page_template.find(view_page_marker);
    if (marker == std::string_view::npos ||
        page_template.find(view_page_marker, marker + 1) != std::string_view::npos) {
        throw InputError({"page template", ""}, "does not hold its marker exactly once",
                         std::string(view_page_marker), "build the viewer again");
    }
    return marker;
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

struct Plan {
    std::vector<long> frames;
    bool packed = false;
};

// Chooses how positions are stored, and the frames that fit beside `fixed` bytes.
Plan plan_frames(const CacheHeader& header, long frames, std::size_t fixed, const ViewOptions& options) {
    const auto page_bytes = [&](bool packed) {
        return base64_size(frame_size(header.cloths.size(), header.vertices, packed)) + frame_overhead +
               header.obstacles.size() * placement_overhead;
    };
    const std::size_t budget = options.max_bytes - std::min(fixed, options.max_bytes);
    const bool small = static_cast<std::size_t>(frames) <= std::min(small_run, budget) / page_bytes(false);
    Plan plan;
    plan.packed = options.precision == ViewPrecision::packed ||
                  (options.precision == ViewPrecision::automatic && !small);
    plan.frames = frames_to_show(frames, static_cast<long>(budget / page_bytes(plan.packed)));
    return plan;
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

// Appends the frames of the plan and notes in `run` what they hold: entries, bounds, obstacles.
void append_frames(std::string& page, CacheReader& cache, const Plan& plan, const StrainScale& scale,
                   Json& run) {
    const CacheHeader& header = cache.header();
    Json entries = Json::array(), obstacles = describe_obstacles(header);
    Bounds bounds;
    ViewBytes codes(static_cast<std::size_t>(header.vertices));
    std::vector<RigidTransform> first;
    for (std::size_t k = 0; k < plan.frames.size(); ++k) {
        const CacheFrame frame = cache.read(plan.frames[k]);
        const WorstStrain worst = encode_strain(header, frame.x, scale, codes);
        append_block(page, "taut-frame-" + std::to_string(k),
                     encode_frame(header, frame.x, plan.packed, codes));
        bounds.grow(frame.x);

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
                           {"frame", plan.frames[k]},
                           {"max_strain", worst.strain},
                           {"worst", worst.vertex},
                           {"moved", std::move(moved)}});
    }
    run["frames"] = std::move(entries);
    run["bounds"] = bounds.json();
    run["obstacles"] = std::move(obstacles);
}

// JSON that is safe inside a script element: '<' survives only as an escape.
std::string script_json(const Json& json) {
    std::string out;
    for (const char c : json.dump(-1, ' ', true, Json::error_handler_t::replace)) {
        if (c == '<') {
            out += "\\u003c";
        } else {
            out += c;
        }
    }
    return out;
}

Json describe_run(const CacheReader& cache, const StrainScale& scale, bool packed) {
    const CacheHeader& header = cache.header();
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
            {"cache_frames", cache.frames()}};
}

}  // namespace

StrainScale::StrainScale(double tolerance)
    : reference_(tolerance >= 1e-6 && tolerance < 1 ? tolerance : 1e-3),
      reference_code_(254 - static_cast<int>(std::ceil(-steps_per_decade * std::log10(reference_) - 1e-9))) {}

std::uint8_t StrainScale::code(double strain) const {
    if (!std::isfinite(strain)) return 255;
    if (!(strain > 0)) return 0;
    // Round up, but forgive the logarithm its rounding error.
    const double steps = std::ceil(steps_per_decade * std::log10(strain / reference_) - 1e-9);
    return static_cast<std::uint8_t>(std::clamp(reference_code_ + steps, 0.0, 254.0));
}

double StrainScale::value(int code) const {
    return reference_ * std::pow(10.0, (code - reference_code_) / steps_per_decade);
}

std::vector<long> frames_to_show(long frames, long most) {
    std::vector<long> kept;
    if (frames <= 0) return kept;
    most = std::max(2L, most);
    const long stride = frames <= most ? 1 : (frames - 2) / (most - 1) + 1;
    for (long k = 0; k < frames; k += stride) kept.push_back(k);
    if (kept.back() != frames - 1) kept.push_back(frames - 1);
    return kept;
}

ViewPageSummary write_view_page(const std::filesystem::path& file, std::string_view page_template,
                                CacheReader& cache, const std::string& report_json,
                                const ViewOptions& options) {
    const CacheHeader& header = cache.header();
    const std::size_t marker = find_marker(page_template);
    check_cache(header);

    // Encode what all frames share, and see how many frames fit beside it.
    const StrainScale scale(header.tolerance);
    const ViewBytes faces = encode_faces(header.faces), edges = encode_edges(header.edges);
    Json report = parse_report(report_json);
    const std::size_t fixed = page_template.size() + base64_size(faces.size() + edges.size()) +
                              report_json.size() + std::min(header.effective_scene.size(), longest_scene) +
                              8192;
    const Plan plan = plan_frames(header, cache.frames(), fixed, options);

    // Put the page together: template, blocks, JSON, rest of the template.
    std::string page(page_template.substr(0, marker));
    append_block(page, "taut-faces", faces);
    append_block(page, "taut-edges", edges);
    Json run = describe_run(cache, scale, plan.packed);
    append_frames(page, cache, plan, scale, run);
    run["report"] = std::move(report);
    page += "<script type=\"application/json\" id=\"taut-run\">" + script_json(run) + "</script>\n";
    page += page_template.substr(marker + view_page_marker.size());
    write_file(file, page);
    return {static_cast<long>(plan.frames.size()), cache.frames(), page.size(), plan.packed};
}

}  // namespace taut::io
