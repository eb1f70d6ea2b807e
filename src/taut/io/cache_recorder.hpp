// Observers that record frames: into the animation cache, a PC2 point cache, or one OBJ file per
// frame. Frame 0 is the start, frame k the state at time k / fps; obstacles stand where their
// motion puts them at the time of the frame. A cache of steps has the start and every committed step.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "taut/io/cache.hpp"
#include "taut/io/pc2.hpp"
#include "taut/sim/simulation.hpp"

namespace taut::io {

// Names for the header that the simulation does not know.
struct CacheNames {
    std::string taut_version, scene_name, effective_scene;
};

CacheHeader make_cache_header(const Simulation& simulation, const std::vector<collision::Obstacle>& obstacles,
                              const CacheNames& names);

// Fills in where obstacles and the points of those that deform are at the time of the frame.
void place_obstacles(const std::vector<collision::Obstacle>& obstacles, CacheFrame& frame);

// Frames recorded by a run that stands at `progress`: the start and every completed frame. Pass it as
// keep_frames to continue what an earlier run has recorded.
long recorded_frames(const RunProgress& progress);
long recorded_steps(const RunTotals& totals);  // the same of a cache of steps

class CacheRecorder final : public Observer {
public:
    CacheRecorder(const std::filesystem::path& file, const CacheHeader& header, long keep_frames = -1);
    void frame(const Simulation& simulation, int frame) override;

private:
    CacheWriter writer_;
    std::vector<collision::Obstacle> obstacles_;
    CacheFrame frame_;
};

// Records the start as 0 and committed step k as k. keep_frames: steps made so far and the start.
class StepRecorder final : public Observer {
public:
    StepRecorder(const std::filesystem::path& file, const CacheHeader& header, long keep_frames = -1);
    void frame(const Simulation& simulation, int frame) override;
    void step(const Simulation& simulation, const StepReport& report) override;

private:
    void record(const Simulation& simulation);

    CacheWriter writer_;
    std::vector<collision::Obstacle> obstacles_;
    CacheFrame frame_;
};

class Pc2Recorder final : public Observer {
public:
    Pc2Recorder(const std::filesystem::path& file, const Model& model, long keep_frames = -1);
    void frame(const Simulation& simulation, int frame) override;

private:
    Pc2Writer writer_;
};

// Writes FOLDER/frame_00000.obj and so on; the folder is made if it is not there.
class ObjRecorder final : public Observer {
public:
    ObjRecorder(std::filesystem::path folder, const Model& model);
    void frame(const Simulation& simulation, int frame) override;

private:
    std::filesystem::path folder_;
    std::vector<std::array<int, 2>> lines_;  // edges without faces
};

}  // namespace taut::io
