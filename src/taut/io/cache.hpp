// The animation cache: one binary file, float64 positions of every frame behind a header that
// holds all a viewer or verifier needs (topology, rest lengths, obstacles, effective scene).
// A frame counts only when it is complete: a reader of a cut-off file sees the whole frames.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "taut/collision/obstacle.hpp"
#include "taut/model/model.hpp"

namespace taut::io {

struct CacheHeader {
    std::string taut_version;
    std::string scene_name;
    std::string effective_scene;  // JSON text with every default resolved
    double fps = 60;
    double tolerance = 0;  // strain promised; 0 where nothing was promised
    int vertices = 0;
    std::vector<Cloth> cloths;
    std::vector<mesh::Face> faces;
    std::vector<mesh::Edge> edges;
    std::vector<double> rest_length;             // per edge [m]
    std::vector<collision::Obstacle> obstacles;  // at rest; frames hold their placement
};

struct CacheFrame {
    double t = 0;                           // [s]
    Points x;                               // [m]
    std::vector<RigidTransform> obstacles;  // one per obstacle
};

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
    std::size_t vertices_ = 0, obstacles_ = 0, frame_bytes_ = 0;
    std::uint64_t seed_ = 0;  // of the checksums of frames
    long frames_ = 0;
};

// Throws InputError on a file that is missing, foreign, of another version or damaged.
class CacheReader {
public:
    explicit CacheReader(const std::filesystem::path& file);
    const CacheHeader& header() const { return header_; }
    long frames() const { return frames_; }
    CacheFrame read(long frame);  // 0 to frames() - 1; each frame is checked as it is read

private:
    std::filesystem::path file_;
    std::ifstream stream_;
    CacheHeader header_;
    std::size_t data_start_ = 0, frame_bytes_ = 0;
    std::uint64_t seed_ = 0;
    long frames_ = 0;
};

}  // namespace taut::io
