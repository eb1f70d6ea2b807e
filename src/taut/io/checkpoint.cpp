// The two generations of checkpoints on disk, and their way into and out of a simulation.
#include "taut/io/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "taut/base/error.hpp"
#include "taut/base/hash.hpp"
#include "taut/io/atomic_file.hpp"

namespace taut::io {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 2> slot_names{"checkpoint.a", "checkpoint.b"};
constexpr std::uintmax_t largest_checkpoint = std::uintmax_t{64} << 30;

// What lies in one of the two places: a sound checkpoint, or the reason why there is none.
struct Slot {
    fs::path file;
    bool exists = false;
    std::optional<Checkpoint> checkpoint;
    std::string problem;
};

Slot read_slot(const fs::path& file) {
    Slot slot;
    slot.file = file;
    std::error_code error;
    slot.exists = fs::exists(fs::symlink_status(file, error));
    if (!slot.exists) return slot;
    try {
        slot.checkpoint = decode_checkpoint(read_file(file, largest_checkpoint), file.string());
    } catch (const InputError& problem) {
        slot.problem = problem.problem();
    }
    return slot;
}

std::array<Slot, 2> read_slots(const fs::path& folder) {
    return {read_slot(folder / slot_names[0]), read_slot(folder / slot_names[1])};
}

std::uint64_t generation_of(const Slot& slot) { return slot.checkpoint ? slot.checkpoint->generation : 0; }

// Number of the slot with the newest sound checkpoint; the first one where there is none.
std::size_t newest(const std::array<Slot, 2>& slots) {
    return generation_of(slots[1]) > generation_of(slots[0]) ? 1 : 0;
}

}  // namespace

std::uint64_t scene_fingerprint(std::string_view effective_scene) {
    return hash_bytes(effective_scene.data(), effective_scene.size());
}

CheckpointTurn next_turn(const fs::path& folder) {
    const std::array<Slot, 2> slots = read_slots(folder);
    const std::size_t keep = newest(slots);
    return {slots[keep].checkpoint ? 1 - keep : 0, generation_of(slots[keep]) + 1};
}

fs::path save_checkpoint(const fs::path& folder, Checkpoint checkpoint) {
    const CheckpointTurn turn = next_turn(folder);
    checkpoint.generation = turn.generation;
    fs::path file = folder / slot_names.at(turn.slot);
    write_file(file, encode_checkpoint(checkpoint), Durability::power);
    return file;
}

bool has_checkpoint(const fs::path& folder) {
    std::error_code error;
    return fs::exists(folder / slot_names[0], error) || fs::exists(folder / slot_names[1], error);
}

void remove_checkpoints(const fs::path& folder) {
    for (const char* name : slot_names) {
        std::error_code error;
        fs::remove(folder / name, error);
        if (error) {
            throw InputError({(folder / name).string(), ""},
                             "an old checkpoint cannot be removed: " + error.message(), "",
                             "remove it by hand or choose another folder");
        }
    }
}

LoadedCheckpoint load_checkpoint(const fs::path& folder, std::uint64_t fingerprint) {
    std::array<Slot, 2> slots = read_slots(folder);
    const std::size_t best = newest(slots);
    const Slot& other = slots[1 - best];
    if (!slots[best].checkpoint) {
        if (!slots[0].exists && !slots[1].exists) {
            throw InputError({folder.string(), ""}, "there is no checkpoint to continue from", "",
                             "run the scene from its start");
        }
        const Slot& first = slots[0].exists ? slots[0] : slots[1];
        std::string problem = "no checkpoint can be used: " + first.problem;
        if (slots[0].exists && slots[1].exists) problem += "; the older one: " + slots[1].problem;
        throw InputError({first.file.string(), ""}, problem, "", "run the scene again from its start");
    }
    if (slots[best].checkpoint->fingerprint != fingerprint) {
        throw InputError(
            {slots[best].file.string(), ""}, "the checkpoint belongs to another scene",
            hash_text(slots[best].checkpoint->fingerprint),
            fmt::format("this scene is {}; undo the changes to the scene, or run it from its start",
                        hash_text(fingerprint)));
    }
    LoadedCheckpoint loaded{std::move(*slots[best].checkpoint), slots[best].file, ""};
    if (other.exists && !other.checkpoint) {
        loaded.note = fmt::format("{} cannot be used ({}); continuing from {}", other.file.string(),
                                  other.problem, slots[best].file.string());
    }
    return loaded;
}

void restore_checkpoint(Simulation& simulation, const Checkpoint& checkpoint) {
    const std::string remedy = "it was made by another scene or program; run the scene from its start";

    // Compare vertices and names of memories before anything is changed.
    const auto vertices = static_cast<std::size_t>(simulation.model().vertex_count());
    if (checkpoint.state.x.size() != vertices || checkpoint.state.v.size() != vertices) {
        throw InputError({"", "checkpoint"}, "the number of vertices differs from the scene's",
                         std::to_string(checkpoint.state.x.size()),
                         fmt::format("the scene has {}; {}", vertices, remedy));
    }
    const std::vector<MemoryBlock> blocks = simulation.memory();
    bool same = blocks.size() == checkpoint.memory.size();
    for (std::size_t k = 0; same && k < blocks.size(); ++k)
        same = blocks[k].name == checkpoint.memory[k].first;
    if (!same) {
        throw InputError({"", "checkpoint"},
                         "the memories of forces, integrator and filters differ from the scene's", "",
                         remedy);
    }
    simulation.restore(checkpoint.state, checkpoint.progress, checkpoint.totals);
    for (std::size_t k = 0; k < blocks.size(); ++k) *blocks[k].data = checkpoint.memory[k].second;
}

Checkpointer::Checkpointer(Simulation& simulation, fs::path folder, std::uint64_t fingerprint,
                           int every_frames, std::vector<fs::path> recorded)
    : simulation_(simulation),
      folder_(std::move(folder)),
      fingerprint_(fingerprint),
      every_frames_(std::max(1, every_frames)),
      recorded_(std::move(recorded)) {}

void Checkpointer::begin(const Simulation& simulation) {
    if (simulation.totals().steps == 0) remove_checkpoints(folder_);
    turn_ = next_turn(folder_);
}

void Checkpointer::frame(const Simulation&, int frame) {
    if (frame > 0 && frame % every_frames_ == 0) save();
}

void Checkpointer::end(const Simulation& simulation) {
    if (simulation.totals().steps != saved_steps_) save();
}

void Checkpointer::save() {
    for (const fs::path& file : recorded_) synchronise(file);
    write_file(folder_ / slot_names.at(turn_.slot),
               encode_checkpoint(simulation_, fingerprint_, turn_.generation), Durability::power);
    saved_steps_ = simulation_.totals().steps;
    turn_ = {1 - turn_.slot, turn_.generation + 1};
}

}  // namespace taut::io
