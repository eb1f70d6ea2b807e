// Checkpoints: doubles to the bit, two generations, damage of every kind, and runs that go on as if
// never interrupted.
#include "taut/io/checkpoint.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "io/temporary_folder.hpp"
#include "io/tiny_simulation.hpp"
#include "scene/scene_text.hpp"
#include "taut/base/hash.hpp"
#include "taut/scene/build.hpp"

namespace taut::io {
namespace {

namespace fs = std::filesystem;
using namespace taut::tests;

constexpr std::uint64_t fingerprint = 77;

Checkpoint sample() {
    Checkpoint c;
    c.fingerprint = fingerprint;
    c.state.x = {Vec3(0.1, -0.0, 5e-324), Vec3(1.0 / 3, 1e308, -1)};
    c.state.v = {Vec3(1, 2, 3), Vec3(4, 5, 6)};
    c.state.t = 0.1 + 0.2;
    c.progress = {3, 1L << 40, 2, 1};
    c.totals.steps = 41;
    c.totals.retries = 2;
    c.totals.failed_steps = 1;
    c.totals.projection_iterations = 99, c.totals.projection_max = 7;
    c.totals.linear_iterations = 1000, c.totals.linear_solves = 98, c.totals.inner_iterations = 12345;
    c.totals.warp = {0.1, 0.2, 0.3, 0.4, 0.5};
    c.totals.weft = {1.1, 1.2, 1.3, 1.4, 1.5};
    c.totals.shear_max = 0.6, c.totals.shear_mean = 0.7;
    c.totals.energy_start = -1, c.totals.energy_end = -2, c.totals.energy_max = -0.5;
    c.totals.corrections = 1L << 41, c.totals.maps = 17;
    c.totals.penetration = 1e-9, c.totals.wall_s = 12.5;
    c.totals.least_dt = 1.0 / 960;
    c.totals.integrator = {3, 1L << 42, 1L << 43, 31, 40, 9, 1.0625, 0.25, 2.5};
    c.totals.stages = {{"candidate", 0.25}, {"measure", 1.5}};
    c.memory = {{"same", {1, -0.0, std::numeric_limits<double>::infinity()}},
                {"same", {}},
                {"odd", {std::bit_cast<double>(0x7ff8dead00000001ULL)}}};
    return c;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() &&
           hash_bytes(a.data(), a.size() * sizeof(T)) == hash_bytes(b.data(), b.size() * sizeof(T));
}

TEST(Checkpoint, ComesBackToTheBit) {
    const Checkpoint wanted = sample();
    const Checkpoint got = decode_checkpoint(encode_checkpoint(wanted), "file");
    EXPECT_TRUE(same_bits(got.state.x, wanted.state.x));
    EXPECT_TRUE(same_bits(got.state.v, wanted.state.v));
    EXPECT_EQ(got.state.t, wanted.state.t);
    EXPECT_EQ(got.progress.frame, 3);
    EXPECT_EQ(got.progress.tick, 1L << 40);
    EXPECT_EQ(got.progress.halvings, 2);
    EXPECT_EQ(got.progress.good_steps, 1);
    EXPECT_EQ(got.totals.steps, 41);
    EXPECT_EQ(got.totals.projection_max, 7);
    EXPECT_EQ(got.totals.inner_iterations, 12345);
    EXPECT_EQ(got.totals.warp.max_compression, 0.5);
    EXPECT_EQ(got.totals.weft.p999, 1.2);
    EXPECT_EQ(got.totals.corrections, 1L << 41);
    EXPECT_EQ(got.totals.maps, 17);
    EXPECT_EQ(got.totals.wall_s, 12.5);
    EXPECT_EQ(got.totals.least_dt, 1.0 / 960);
    EXPECT_EQ(got.totals.integrator.refused, 3);
    EXPECT_EQ(got.totals.integrator.iterations, 1L << 43);
    EXPECT_EQ(got.totals.integrator.released, 9);
    EXPECT_EQ(got.totals.integrator.stretch_change, 0.25);
    EXPECT_EQ(got.totals.integrator.seconds, 2.5);
    EXPECT_EQ(got.totals.stages, wanted.totals.stages);
    ASSERT_EQ(got.memory.size(), 3u);
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(got.memory[k].first, wanted.memory[k].first);
        EXPECT_TRUE(same_bits(got.memory[k].second, wanted.memory[k].second));
    }

    // The same again, all bytes at once.
    EXPECT_EQ(encode_checkpoint(got), encode_checkpoint(wanted));
}

TEST(Checkpoint, EveryFlippedOrMissingByteIsNoticed) {
    const std::string bytes = encode_checkpoint(sample());
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        for (int mask : {0x01, 0x10, 0x80, 0xff}) {
            std::string damaged = bytes;
            damaged[at] = static_cast<char>(damaged[at] ^ mask);
            EXPECT_THROW(decode_checkpoint(damaged, "file"), InputError) << at;
        }
        EXPECT_THROW(decode_checkpoint(bytes.substr(0, at), "file"), InputError) << at;
    }
    EXPECT_THROW(decode_checkpoint(bytes + '\0', "file"), InputError);
}

// Puts a right checksum on changed content.
std::string forge(std::string bytes, std::size_t at, std::uint64_t value) {
    bytes.replace(at, 8, reinterpret_cast<const char*>(&value), 8);
    const std::uint64_t checksum =
        hash_bytes(bytes.data() + 48, bytes.size() - 48, hash_bytes(bytes.data(), 40));
    return bytes.replace(40, 8, reinterpret_cast<const char*>(&checksum), 8);
}

TEST(Checkpoint, ForgedCountsNeverAllocateOrPass) {
    const std::string bytes = encode_checkpoint(sample());
    const std::uint64_t huge[] = {1ULL << 61, 1ULL << 40, ~0ULL, ~0ULL / 24, 3};
    for (std::uint64_t count : huge) {
        EXPECT_THROW(decode_checkpoint(forge(bytes, 48, count), "file"), InputError) << count;
    }

    // Any eight bytes of the content: refused, or read as something else without harm.
    for (std::size_t at = 48; at + 8 <= bytes.size(); ++at) {
        for (std::uint64_t value : {~0ULL, 1ULL << 62, 0x7ff8000000000000ULL}) {
            try {
                decode_checkpoint(forge(bytes, at, value), "file");
            } catch (const InputError&) {
            }
        }
    }
    Checkpoint c = sample();
    c.state.v[1].y() = NAN;
    EXPECT_THROW(decode_checkpoint(encode_checkpoint(c), "file"), InputError);
    c = sample();
    c.state.v.pop_back();
    EXPECT_THROW(decode_checkpoint(encode_checkpoint(c), "file"), InputError);
    c = sample();
    c.progress.frame = -1;
    EXPECT_THROW(decode_checkpoint(encode_checkpoint(c), "file"), InputError);
}

Checkpoint with_steps(long steps) {
    Checkpoint c = sample();
    c.totals.steps = steps;
    return c;
}

TEST(Checkpoint, TwoGenerationsTakeTurns) {
    const TemporaryFolder folder;
    EXPECT_FALSE(has_checkpoint(folder.path()));
    for (long k = 1; k <= 5; ++k) {
        const fs::path file = save_checkpoint(folder.path(), with_steps(k));
        EXPECT_EQ(file.filename(), k % 2 ? "checkpoint.a" : "checkpoint.b");
        const LoadedCheckpoint loaded = load_checkpoint(folder.path(), fingerprint);
        EXPECT_EQ(loaded.checkpoint.totals.steps, k);
        EXPECT_EQ(loaded.checkpoint.generation, static_cast<std::uint64_t>(k));
        EXPECT_EQ(loaded.file, file);
        EXPECT_TRUE(loaded.note.empty());
    }
    EXPECT_TRUE(has_checkpoint(folder.path()));
    remove_checkpoints(folder.path());
    EXPECT_FALSE(has_checkpoint(folder.path()));
    remove_checkpoints(folder.path());
}

TEST(Checkpoint, FallsBackWhenTheNewestIsDamaged) {
    const TemporaryFolder folder;
    save_checkpoint(folder.path(), with_steps(1));
    const fs::path newest = save_checkpoint(folder.path(), with_steps(2));
    const std::string good = bytes_of(newest);
    for (const std::string& bad :
         {std::string(), good.substr(0, good.size() / 2), std::string(good.size(), 'x')}) {
        put_bytes(newest, bad);
        const LoadedCheckpoint loaded = load_checkpoint(folder.path(), fingerprint);
        EXPECT_EQ(loaded.checkpoint.totals.steps, 1);
        EXPECT_NE(loaded.note.find("checkpoint.b cannot be used"), std::string::npos) << loaded.note;
        EXPECT_NE(loaded.note.find("continuing from"), std::string::npos);
    }

    // The next one replaces the damaged one and keeps the sound one.
    EXPECT_EQ(save_checkpoint(folder.path(), with_steps(3)), newest);
    EXPECT_EQ(load_checkpoint(folder.path(), fingerprint).checkpoint.totals.steps, 3);
    put_bytes(newest, "");
    EXPECT_EQ(load_checkpoint(folder.path(), fingerprint).checkpoint.totals.steps, 1);
}

TEST(Checkpoint, RefusesWhenNoneIsSound) {
    const TemporaryFolder folder;
    EXPECT_NE(
        input_error([&] { load_checkpoint(folder.path(), fingerprint); }).find("no checkpoint to continue"),
        std::string::npos);
    put_bytes(folder / "checkpoint.b", "garbage");
    EXPECT_NE(input_error([&] { load_checkpoint(folder.path(), fingerprint); }).find("not a taut checkpoint"),
              std::string::npos);
    fs::create_directory(folder / "checkpoint.a");
    const std::string message = input_error([&] { load_checkpoint(folder.path(), fingerprint); });
    EXPECT_NE(message.find("no checkpoint can be used"), std::string::npos) << message;
    EXPECT_NE(message.find("from its start"), std::string::npos) << message;
}

TEST(Checkpoint, RefusesAnotherScene) {
    const TemporaryFolder folder;
    EXPECT_NE(scene_fingerprint("{\"dt\": 1}"), scene_fingerprint("{\"dt\": 2}"));
    save_checkpoint(folder.path(), sample());
    EXPECT_NE(input_error([&] { load_checkpoint(folder.path(), fingerprint + 1); }).find("another scene"),
              std::string::npos);
}

TEST(Checkpoint, RestoringRefusesWhatDoesNotFitAndChangesNothing) {
    Simulation simulation = tiny_simulation();
    const std::string before = simulation.state_hash();
    Checkpoint good = decode_checkpoint(encode_checkpoint(simulation, fingerprint, 1), "file");
    ASSERT_EQ(good.memory.size(), 3u);
    const auto refused = [&](auto&& change) {
        Checkpoint c = good;
        c.totals.steps = 99;
        change(c);
        input_error([&] { restore_checkpoint(simulation, c); });
        EXPECT_EQ(simulation.state_hash(), before);
        EXPECT_EQ(simulation.totals().steps, 0);
    };
    refused([](Checkpoint& c) { c.state.x.pop_back(), c.state.v.pop_back(); });
    refused([](Checkpoint& c) { c.memory.pop_back(); });
    refused([](Checkpoint& c) { c.memory[1].first = "other"; });
    refused([](Checkpoint& c) { c.memory.push_back({"more", {}}); });
    EXPECT_NO_THROW(restore_checkpoint(simulation, good));
}

TEST(Checkpointer, InterruptedRunsGoOnAsIfNeverInterrupted) {
    Simulation whole = tiny_simulation();
    EXPECT_EQ(whole.run({}), RunOutcome::finished);
    for (long stop_after = 1; stop_after < 12; ++stop_after) {
        const TemporaryFolder folder;
        Simulation first = tiny_simulation();
        Checkpointer writer(first, folder.path(), fingerprint, 100);
        StopAfter stop(stop_after);
        EXPECT_EQ(first.run({&stop, &writer}, [&stop] { return stop.stop; }), RunOutcome::interrupted);

        Simulation second = tiny_simulation();
        restore_checkpoint(second, load_checkpoint(folder.path(), fingerprint).checkpoint);
        EXPECT_EQ(second.totals().steps, stop_after);
        EXPECT_EQ(second.run({}), RunOutcome::finished);
        EXPECT_EQ(second.state_hash(), whole.state_hash()) << stop_after;
        EXPECT_EQ(second.totals().steps, whole.totals().steps);
        EXPECT_EQ(second.totals().linear_iterations, whole.totals().linear_iterations);
        EXPECT_EQ(second.totals().energy_max, whole.totals().energy_max);
    }
}

// A sheet that falls onto a ball and slides, with steps that are refused on the way.
std::unique_ptr<Simulation> draped_sheet() {
    return scene::build(scene::parse(scene::one_cloth(
        R"("type": "grid", "nu": 9, "nv": 9, "width": 0.4, "height": 0.4, "place": {"translate": [-0.18, -0.2, 0.12]})",
        R"("preset": "baraff_witkin1998", "obstacles": [{"type": "sphere", "radius": 0.1, "friction": 0.3}],
           "integrator": {"type": "baraff_witkin", "stretch_change": 0.03},
           "run": {"duration": 0.3, "fps": 20, "dt": 0.025})")));
}

// All that a checkpoint holds but wall times, as bytes.
std::string timeless(Simulation& simulation) {
    Checkpoint c = decode_checkpoint(encode_checkpoint(simulation, fingerprint, 1), "file");
    c.totals.wall_s = 0;
    c.totals.stages.clear();
    c.totals.integrator.seconds = 0;
    return encode_checkpoint(c);
}

TEST(Checkpointer, IntegratorsGoOnWithTheirContactsAndTotals) {
    const auto whole = draped_sheet();
    ASSERT_EQ(whole->run({}), RunOutcome::finished) << whole->failure();
    const IntegratorTotals& totals = whole->totals().integrator;
    EXPECT_GT(totals.refused, 0);
    EXPECT_GT(totals.made, 0);
    EXPECT_GT(totals.held, 5);
    bool in_contact = false;
    for (long stop_after = 1; stop_after < whole->totals().steps; stop_after += 3) {
        const auto first = draped_sheet(), second = draped_sheet();
        StopAfter stop(stop_after);
        EXPECT_EQ(first->run({&stop}, [&stop] { return stop.stop; }), RunOutcome::interrupted);
        const Checkpoint saved = decode_checkpoint(encode_checkpoint(*first, fingerprint, 1), "file");
        for (const auto& [name, data] : saved.memory)
            in_contact = in_contact || (name == "baraff_witkin.contacts" && !data.empty());
        restore_checkpoint(*second, saved);
        EXPECT_EQ(second->run({}), RunOutcome::finished);
        EXPECT_EQ(second->state_hash(), whole->state_hash()) << stop_after;
        EXPECT_EQ(timeless(*second), timeless(*whole)) << stop_after;
    }
    EXPECT_TRUE(in_contact);
}

TEST(Checkpointer, WritesEveryFewFramesAndAtTheEnd) {
    const TemporaryFolder folder;
    Simulation simulation = tiny_simulation();
    Checkpointer writer(simulation, folder.path(), fingerprint, 4);
    simulation.run({&writer});

    // Six frames: one checkpoint after frame 4, one at the end, none twice.
    EXPECT_EQ(decode_checkpoint(bytes_of(folder / "checkpoint.a"), "a").progress.frame, 4);
    const Checkpoint last = decode_checkpoint(bytes_of(folder / "checkpoint.b"), "b");
    EXPECT_EQ(last.progress.frame, 6);
    EXPECT_EQ(last.generation, 2u);
    EXPECT_EQ(last.memory[2].second[0], 12);

    // A continued run keeps counting; a fresh one begins anew.
    Simulation again = tiny_simulation(std::numeric_limits<double>::infinity(), 0.8);
    restore_checkpoint(again, load_checkpoint(folder.path(), fingerprint).checkpoint);
    Checkpointer next(again, folder.path(), fingerprint, 4);
    again.run({&next});
    EXPECT_EQ(load_checkpoint(folder.path(), fingerprint).checkpoint.generation, 3u);
    EXPECT_EQ(load_checkpoint(folder.path(), fingerprint).checkpoint.progress.frame, 8);
    Simulation fresh = tiny_simulation();
    Checkpointer writer_of_fresh(fresh, folder.path(), fingerprint, 100);
    fresh.run({&writer_of_fresh});
    EXPECT_EQ(load_checkpoint(folder.path(), fingerprint).checkpoint.generation, 1u);
    EXPECT_FALSE(fs::exists(folder / "checkpoint.b"));
}

}  // namespace
}  // namespace taut::io
