// A run of two small cloths for the tests of pages: its cache, and the blocks of the page it went into.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "io/temporary_folder.hpp"
#include "taut/io/cache.hpp"

namespace taut::tests {

using Json = nlohmann::json;

inline const std::string small_template = "<html>before<!--taut:run-->after</html>";

// A quad and a triangle that share an edge, and a chain of two links.
inline io::CacheHeader small_header() {
    io::CacheHeader header;
    header.taut_version = "1.2.3";
    header.scene_name = "a </script><!-- \xff \"scene\"";
    header.effective_scene = "{}";
    header.tolerance = 1e-3;
    header.vertices = 8;
    header.cloths = {{"sheet", 0, 5, 0, 2, 0, 6, 0, 0}, {"chain", 5, 3, 2, 0, 6, 2, 0, 0}};
    header.faces = {{{0, 1, 2, 3}}, {{1, 4, 2, -1}}};
    using mesh::Direction;
    header.edges = {{0, 1, Direction::weft, {0, -1}},  {1, 2, Direction::warp, {0, 1}},
                    {3, 2, Direction::weft, {0, -1}},  {0, 3, Direction::warp, {0, -1}},
                    {1, 4, Direction::none, {1, -1}},  {4, 2, Direction::none, {1, -1}},
                    {5, 6, Direction::warp, {-1, -1}}, {6, 7, Direction::warp, {-1, -1}}};
    header.rest_length = {1, 1, 1, 1, 1, 1, 0.5, 0.5};
    collision::Obstacle ball, floor;
    ball.shape = collision::Shape::sphere;
    ball.radius = 0.25;
    header.obstacles = {ball, floor};
    return header;
}

inline io::CacheFrame small_frame(int k) {
    io::CacheFrame frame;
    frame.t = 0.25 * k;
    const double s = 1 + 1e-3 * k;
    frame.x = {Vec3(0, 0, 0), Vec3(s, 0, 0),   Vec3(s, 1, 0),     Vec3(0, 1, 0),
               Vec3(2, 0, 7), Vec3(-9, 0, -k), Vec3(-9, 0.5, -k), Vec3(-9, 1, -k)};
    frame.obstacles.resize(2);
    frame.obstacles[0].translation = Vec3(0, 0, k);
    return frame;
}

inline std::filesystem::path small_cache(const TemporaryFolder& folder, const io::CacheHeader& header,
                                         int frames, const std::string& name = "cache.taut") {
    io::CacheWriter writer(folder / name, header);
    for (int k = 0; k < frames; ++k) writer.append(small_frame(k));
    return folder / name;
}

inline std::string text_between(const std::string& page, const std::string& open, const std::string& close) {
    const std::size_t from = page.find(open);
    if (from == std::string::npos) return {};
    return page.substr(from + open.size(), page.find(close, from) - from - open.size());
}

inline std::string block_text(const std::string& page, const std::string& id) {
    return text_between(page, "id=\"" + id + "\">", "</script>");
}

inline Json run_of(const std::string& page) { return Json::parse(block_text(page, "taut-run")); }

}  // namespace taut::tests
