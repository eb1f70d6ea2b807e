// The animation cache: one binary file, float64 positions of every frame behind a header that
// holds all a viewer or verifier needs (topology, rest lengths, obstacles, pins, effective scene).
// A frame counts only when it is complete: a reader of a cut-off file sees the whole frames.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "taut/collision/obstacle.hpp"
#include "taut/model/model.hpp"

namespace taut::io {

// What the frames of a file are: the start and every frame, or the start and every committed step. Files
// from before the mark have none.
enum class CacheContent { frames, steps, unmarked };

struct CacheHeader {
    CacheContent content = CacheContent::frames;
    std::string taut_version;
    std::string scene_name;
    std::string effective_scene;  // JSON text with every default resolved
    double fps = 60;
    double tolerance = 0;        // strain promised; 0 where nothing was promised
    bool judged_before = false;  // promised before contact, not at the end of a step
    int vertices = 0;
    std::vector<Cloth> cloths;
    std::vector<mesh::Face> faces;
    std::vector<mesh::Edge> edges;
    std::vector<double> rest_length;             // per edge [m]
    std::vector<collision::Obstacle> obstacles;  // at rest; frames hold their placement
    std::vector<std::uint8_t> deforming;         // per obstacle: frames hold its points; empty: none
    std::optional<std::vector<PinGroup>> pins;   // nothing: not recorded, as before version 3

    bool deforms(std::size_t obstacle) const {
        return obstacle < deforming.size() && deforming[obstacle] != 0;
    }
};

struct CacheFrame {
    double t = 0;                           // [s]
    Points x;                               // [m]
    std::vector<RigidTransform> obstacles;  // one per obstacle
    std::vector<Points> deformed;           // per obstacle, empty but for those that deform; or empty [m]
};

// Throws InputError where the file is marked as holding something else than `wanted`.
void check_cache_content(const CacheHeader& header, CacheContent wanted, const std::string& file,
                         const std::string& remedy);

// Where the points of mesh obstacle `obstacle` are at a frame [m], its placement included.
Points obstacle_points(const CacheHeader& header, const CacheFrame& frame, std::size_t obstacle);

class CacheWriter {
public:
    // Starts a new file, or, with keep_frames >= 0, goes on in an existing one after that many frames;
    // its texts may differ, its geometry may not.
    CacheWriter(const std::filesystem::path& file, const CacheHeader& header, long keep_frames = -1);
    void append(const CacheFrame& frame);  // flushed: valid on disk when this returns
    long frames() const { return frames_; }

private:
    void keep(const CacheHeader& header, const std::string& header_bytes, long keep_frames);

    std::filesystem::path file_;
    std::fstream stream_;
    std::size_t vertices_ = 0, frame_bytes_ = 0;
    std::vector<std::size_t> deforming_;  // points of each obstacle in a frame
    std::uint64_t seed_ = 0;              // of the checksums of frames
    long frames_ = 0;
};

// Throws InputError on a file that is missing, foreign, of another version or damaged.
class CacheReader {
public:
    explicit CacheReader(const std::filesystem::path& file);
    const CacheHeader& header() const { return header_; }
    std::uint32_t version() const { return version_; }  // of the format
    long frames() const { return frames_; }
    bool cut() const { return cut_; }  // the file ends within a frame
    // 0 to frames() - 1; each frame is checked as it is read, and refused where it is not finite.
    CacheFrame read(long frame);
    CacheFrame read_any(long frame);  // the same, but its numbers may be any

private:
    CacheFrame read(long frame, bool finite);

    std::filesystem::path file_;
    std::ifstream stream_;
    CacheHeader header_;
    std::uint32_t version_ = 0;
    std::size_t data_start_ = 0, frame_bytes_ = 0;
    std::uint64_t seed_ = 0;
    long frames_ = 0;
    bool cut_ = false;
};

}  // namespace taut::io
