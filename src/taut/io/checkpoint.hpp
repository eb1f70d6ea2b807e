// Checkpoints: everything a run needs to go on bitwise as if never interrupted: state, progress,
// totals and every memory of the pipeline. Two generations lie in the run folder, checkpoint.a and
// checkpoint.b, written in turn, each complete and on disk before it carries its name; the newest
// sound one wins. A checkpoint knows the scene it belongs to by a fingerprint.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "taut/sim/simulation.hpp"

namespace taut::io {

// Memory of the pipeline as saved: in the order of Simulation::memory(); names may repeat.
using SavedMemory = std::vector<std::pair<std::string, std::vector<double>>>;

struct Checkpoint {
    std::uint64_t generation = 0;   // grows by one with every checkpoint of a run
    std::uint64_t fingerprint = 0;  // of the effective scene
    State state;
    RunProgress progress;
    RunTotals totals;
    SavedMemory memory;
};

struct LoadedCheckpoint {
    Checkpoint checkpoint;
    std::filesystem::path file;  // the one that was used
    std::string note;            // what was wrong with the other one, in words; empty: nothing
};

// Fingerprint of a scene: of its text with every default resolved.
std::uint64_t scene_fingerprint(std::string_view effective_scene);

// One checkpoint as bytes and back; doubles keep their bits. Throws InputError naming `file` when the
// bytes are damaged or foreign.
std::string encode_checkpoint(const Checkpoint& checkpoint);
std::string encode_checkpoint(Simulation& simulation, std::uint64_t fingerprint, std::uint64_t generation);
Checkpoint decode_checkpoint(std::string_view bytes, const std::string& file);

// Which of the two places is written next: that of the older, missing or damaged one.
struct CheckpointTurn {
    std::size_t slot = 0;          // 0: checkpoint.a, 1: checkpoint.b
    std::uint64_t generation = 1;  // of the checkpoint to be written
};
CheckpointTurn next_turn(const std::filesystem::path& folder);

// Writes the next generation over the older, missing or damaged one and returns its path.
std::filesystem::path save_checkpoint(const std::filesystem::path& folder, Checkpoint checkpoint);

bool has_checkpoint(const std::filesystem::path& folder);
void remove_checkpoints(const std::filesystem::path& folder);

// The newest sound checkpoint of the folder. Throws InputError when there is none, or when it belongs
// to another scene.
LoadedCheckpoint load_checkpoint(const std::filesystem::path& folder, std::uint64_t fingerprint);

// Puts a simulation where the checkpoint stands. Throws InputError, and changes nothing, when the
// checkpoint does not fit the model or the pipeline.
void restore_checkpoint(Simulation& simulation, const Checkpoint& checkpoint);

// Writes a checkpoint every so many frames and at the end of a run. Must be told last of all observers;
// `recorded` names the files that the others write: they are brought onto the disk first. At the start
// of a fresh run it removes checkpoints that an earlier run has left in the folder.
class Checkpointer final : public Observer {
public:
    Checkpointer(Simulation& simulation, std::filesystem::path folder, std::uint64_t fingerprint,
                 int every_frames, std::vector<std::filesystem::path> recorded = {});
    void begin(const Simulation& simulation) override;
    void frame(const Simulation& simulation, int frame) override;
    void end(const Simulation& simulation) override;

private:
    void save();

    Simulation& simulation_;  // memories are read through it, nothing is changed
    std::filesystem::path folder_;
    std::uint64_t fingerprint_;
    int every_frames_;
    std::vector<std::filesystem::path> recorded_;
    CheckpointTurn turn_;
    long saved_steps_ = -1;  // steps of the last checkpoint written
};

}  // namespace taut::io
