#include "taut/io/cache_recorder.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "taut/io/atomic_file.hpp"
#include "taut/io/obj.hpp"

namespace taut::io {
namespace {

// Frames come in order and none is left out; a frame that was recorded already is met again when a
// run goes on at the end of a frame.
bool is_new(long frame, long recorded) {
    if (frame > recorded) throw std::logic_error("a recorder was not told of every frame");
    return frame == recorded;
}

CacheHeader with_content(CacheHeader header, CacheContent content) {
    header.content = content;
    return header;
}

}  // namespace

CacheHeader make_cache_header(const Simulation& simulation, const std::vector<collision::Obstacle>& obstacles,
                              const CacheNames& names) {
    const Model& model = simulation.model();
    CacheHeader header;
    header.taut_version = names.taut_version;
    header.scene_name = names.scene_name;
    header.effective_scene = names.effective_scene;
    header.fps = simulation.settings().fps;
    header.tolerance = std::isfinite(simulation.tolerance()) ? simulation.tolerance() : 0;
    header.judged_before = simulation.pipeline().judge_before;
    header.vertices = model.vertex_count();
    header.cloths = model.cloths;
    header.faces = model.faces;
    header.edges = model.edges;
    header.rest_length = model.rest_length;
    // Pins that ride on something that is not recorded have no path to be told.
    header.pins.emplace();
    for (const PinGroup& pin : model.pins) {
        if (!pin.carrier || pin.body >= 0) header.pins->push_back(pin);
    }
    header.obstacles = obstacles;
    for (const collision::Obstacle& obstacle : obstacles)
        header.deforming.push_back(obstacle.mesh && obstacle.mesh->deformation ? 1 : 0);
    return header;
}

void place_obstacles(const std::vector<collision::Obstacle>& obstacles, CacheFrame& frame) {
    frame.obstacles.clear();
    frame.deformed.assign(obstacles.size(), {});
    for (std::size_t k = 0; k < obstacles.size(); ++k) {
        const collision::Obstacle& obstacle = obstacles[k];
        frame.obstacles.push_back(obstacle.motion.at(frame.t));
        if (obstacle.mesh && obstacle.mesh->deformation)
            frame.deformed[k] = collision::points_at(obstacle, frame.t);
    }
}

long recorded_frames(const RunProgress& progress) { return progress.frame + 1; }

long recorded_steps(const RunTotals& totals) { return totals.steps + 1; }

CacheRecorder::CacheRecorder(const std::filesystem::path& file, const CacheHeader& header, long keep_frames)
    : writer_(file, with_content(header, CacheContent::frames), keep_frames), obstacles_(header.obstacles) {}

void CacheRecorder::frame(const Simulation& simulation, int frame) {
    if (!is_new(frame, writer_.frames())) return;
    frame_.t = simulation.state().t;
    frame_.x = simulation.state().x;
    place_obstacles(obstacles_, frame_);
    frame_.t = simulation.clock();
    writer_.append(frame_);
}

StepRecorder::StepRecorder(const std::filesystem::path& file, const CacheHeader& header, long keep_frames)
    : writer_(file, with_content(header, CacheContent::steps), keep_frames), obstacles_(header.obstacles) {}

void StepRecorder::frame(const Simulation& simulation, int frame) {
    if (frame == 0) record(simulation);
}

void StepRecorder::step(const Simulation& simulation, const StepReport&) { record(simulation); }

void StepRecorder::record(const Simulation& simulation) {
    if (!is_new(simulation.totals().steps, writer_.frames())) return;
    frame_.t = simulation.state().t;
    frame_.x = simulation.state().x;
    place_obstacles(obstacles_, frame_);
    frame_.t = simulation.clock();
    writer_.append(frame_);
}

Pc2Recorder::Pc2Recorder(const std::filesystem::path& file, const Model& model, long keep_frames)
    : writer_(file, model.vertex_count(), keep_frames) {}

void Pc2Recorder::frame(const Simulation& simulation, int frame) {
    if (is_new(frame, writer_.samples())) writer_.append(simulation.state().x);
}

ObjRecorder::ObjRecorder(std::filesystem::path folder, const Model& model) : folder_(std::move(folder)) {
    make_folder(folder_);
    for (const mesh::Edge& edge : model.edges) {
        if (edge.face[0] < 0 && edge.face[1] < 0) lines_.push_back({edge.a, edge.b});
    }
}

void ObjRecorder::frame(const Simulation& simulation, int frame) {
    write_obj(folder_ / fmt::format("frame_{:05}.obj", frame),
              {simulation.state().x, simulation.model().faces, lines_, {}});
}

}  // namespace taut::io
