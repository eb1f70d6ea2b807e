// A checkpoint as bytes: magic, version, byte order mark, generation, fingerprint, bytes of content,
// checksum, then the content. The structured bindings below name every field of RunTotals,
// IntegratorTotals and RunProgress: a field added there and forgotten here does not compile.
#include <fmt/format.h>

#include <cmath>

#include "taut/base/error.hpp"
#include "taut/base/hash.hpp"
#include "taut/io/binary.hpp"
#include "taut/io/checkpoint.hpp"

namespace taut::io {
namespace {

constexpr std::string_view checkpoint_magic = "TAUTCHKP";
constexpr std::uint32_t checkpoint_version = 5;
constexpr std::size_t head_bytes = 48;
constexpr std::size_t checksum_at = 40;

[[noreturn]] void damaged(const std::string& file, const std::string& what) {
    throw InputError({file, ""}, "the checkpoint is damaged: " + what, "",
                     "run the scene again from its start");
}

// One description of the content serves both directions: Archive is Writing or Reading.
class Writing {
public:
    void operator()(const double& value) { out.put(value); }
    void operator()(const long& value) { out.put<std::int64_t>(value); }
    void operator()(const int& value) { out.put<std::int64_t>(value); }
    void operator()(const std::string& text) { out.put_text(text); }
    template <class T>
    void operator()(const std::vector<T>& values) {
        out.put<std::uint64_t>(values.size());
        if constexpr (std::is_same_v<T, double> || std::is_same_v<T, Vec3>) {
            out.put_array<T>(values);
        } else {
            for (const T& value : values) visit(*this, value);
        }
    }
    ByteWriter out;
};

class Reading {
public:
    Reading(std::string_view bytes, const std::string& file) : in(bytes, {file, ""}), file_(file) {}
    void operator()(double& value) { value = in.get<double>(); }
    void operator()(long& value) { value = static_cast<long>(in.get<std::int64_t>()); }
    void operator()(int& value) {
        const auto wide = in.get<std::int64_t>();
        value = static_cast<int>(wide);
        if (value != wide) damaged(file_, "a count is out of range");
    }
    void operator()(std::string& text) { text = in.get_text(); }
    template <class T>
    void operator()(std::vector<T>& values) {
        const auto count = in.get<std::uint64_t>();
        if constexpr (std::is_same_v<T, double> || std::is_same_v<T, Vec3>) {
            values = in.get_array<T>(count);
        } else {
            for (std::uint64_t k = 0; k < count; ++k) visit(*this, values.emplace_back());
        }
    }
    ByteReader in;

private:
    const std::string& file_;
};

template <class Archive, class Pair>
requires requires(Pair pair) { pair.first, pair.second; }
void visit(Archive& archive, Pair& pair) {
    archive(pair.first);
    archive(pair.second);
}

// A memory that lies in a component, written in place as name and numbers.
void visit(Writing& archive, const MemoryBlock& block) {
    archive(block.name);
    archive(*block.data);
}

template <class Archive, class Stats>
void visit_strain(Archive& archive, Stats& stats) {
    auto& [max, p999, mean, max_stretch, max_compression] = stats;
    for (auto* value : {&max, &p999, &mean, &max_stretch, &max_compression}) archive(*value);
}

template <class Archive, class Totals>
void visit_integrator(Archive& archive, Totals& totals) {
    auto& [refused, solves, iterations, held, made, released, stretch, stretch_change, seconds] = totals;
    for (auto* value : {&refused, &solves, &iterations, &held, &made, &released}) archive(*value);
    archive(stretch);
    archive(stretch_change);
    archive(seconds);
}

template <class Archive, class Totals>
void visit_totals(Archive& archive, Totals& totals, std::vector<std::pair<std::string, double>>& stages) {
    auto& [steps, retries, failed_steps, projection_iterations, projection_max, linear_iterations,
           linear_solves, inner_iterations, warp, weft, shear_max, shear_mean, energy_start, energy_end,
           energy_max, strain_before, penetration, distance, intersections, contacts, intersections_end,
           corrections, maps, least_dt, integrator, wall_s, stage_map] = totals;
    for (auto* value : {&steps, &retries, &failed_steps, &projection_iterations, &projection_max,
                        &linear_iterations, &linear_solves, &inner_iterations, &intersections, &contacts,
                        &intersections_end, &corrections, &maps}) {
        archive(*value);
    }
    visit_strain(archive, warp);
    visit_strain(archive, weft);
    for (auto* value : {&shear_max, &shear_mean, &energy_start, &energy_end, &energy_max, &strain_before,
                        &penetration, &distance, &least_dt, &wall_s}) {
        archive(*value);
    }
    visit_integrator(archive, integrator);
    static_cast<void>(stage_map);
    archive(stages);
}

template <class Archive, class Progress>
void visit_progress(Archive& archive, Progress& progress) {
    auto& [frame, tick, halvings, good_steps] = progress;
    archive(frame);
    archive(tick);
    archive(halvings);
    archive(good_steps);
}

template <class Archive, class Content>
void visit_content(Archive& archive, Content& c, std::vector<std::pair<std::string, double>>& stages) {
    auto& [x, v, t] = c.state;
    archive(x);
    archive(v);
    archive(t);
    visit_progress(archive, c.progress);
    visit_totals(archive, c.totals, stages);
    archive(c.memory);
}

// What a checkpoint of a running simulation is made of, without a copy.
struct Live {
    std::uint64_t generation, fingerprint;
    const State& state;
    const RunProgress& progress;
    const RunTotals& totals;
    std::vector<MemoryBlock> memory;
};

std::size_t count_doubles(const SavedMemory& memory) {
    std::size_t count = 0;
    for (const auto& [name, data] : memory) count += data.size();
    return count;
}

std::size_t count_doubles(const std::vector<MemoryBlock>& memory) {
    std::size_t count = 0;
    for (const MemoryBlock& block : memory) count += block.data->size();
    return count;
}

template <class Content>
std::string encode(const Content& content) {
    // Leave room for the head, then write the content behind it.
    Writing archive;
    archive.out.reserve(head_bytes + 4096 + sizeof(Vec3) * (content.state.x.size() + content.state.v.size()) +
                        sizeof(double) * count_doubles(content.memory));
    archive.out.template put_array<char>(std::string(head_bytes, '\0'));
    std::vector<std::pair<std::string, double>> stages(content.totals.stages.begin(),
                                                       content.totals.stages.end());
    visit_content(archive, content, stages);
    std::string bytes = archive.out.take();

    // Fill the head; its last field is the checksum of all other bytes.
    ByteWriter head;
    head.put_array<char>(checkpoint_magic);
    head.put(checkpoint_version);
    head.put(byte_order_mark);
    head.put(content.generation);
    head.put(content.fingerprint);
    head.put<std::uint64_t>(bytes.size() - head_bytes);
    const std::uint64_t seed = hash_bytes(head.bytes().data(), head.bytes().size());
    head.put(hash_bytes(bytes.data() + head_bytes, bytes.size() - head_bytes, seed));
    bytes.replace(0, head_bytes, head.bytes());
    return bytes;
}

void check_content(const Checkpoint& c, const std::string& file) {
    if (c.state.x.size() != c.state.v.size()) damaged(file, "positions and velocities differ in number");
    bool finite = std::isfinite(c.state.t);
    for (const Points* points : {&c.state.x, &c.state.v}) {
        for (const Vec3& p : *points) finite = finite && p.allFinite();
    }
    if (!finite) damaged(file, "its state holds a number that is not finite");
    const RunProgress& p = c.progress;
    if (p.frame < 0 || p.tick < 0 || p.halvings < 0 || p.good_steps < 0 || c.totals.steps < 0) {
        damaged(file, "a count is negative");
    }
}

}  // namespace

std::string encode_checkpoint(const Checkpoint& checkpoint) { return encode(checkpoint); }

std::string encode_checkpoint(Simulation& simulation, std::uint64_t fingerprint, std::uint64_t generation) {
    return encode(Live{generation, fingerprint, simulation.state(), simulation.progress(),
                       simulation.totals(), simulation.memory()});
}

Checkpoint decode_checkpoint(std::string_view bytes, const std::string& file) {
    if (bytes.substr(0, checkpoint_magic.size()) != checkpoint_magic) {
        throw InputError({file, ""}, "is not a taut checkpoint", "", "run the scene again from its start");
    }
    if (bytes.size() < head_bytes) damaged(file, "the file was cut off");
    ByteReader head(bytes.substr(checkpoint_magic.size(), head_bytes - checkpoint_magic.size()), {file, ""});
    const auto version = head.get<std::uint32_t>();
    const auto mark = head.get<std::uint32_t>();
    if (version != checkpoint_version || mark != byte_order_mark) {
        throw InputError({file, ""}, "the checkpoint was written by another version or kind of machine",
                         fmt::format("version {}", version), "run the scene again from its start");
    }
    Checkpoint c;
    c.generation = head.get<std::uint64_t>();
    c.fingerprint = head.get<std::uint64_t>();
    const auto size = head.get<std::uint64_t>();
    const auto checksum = head.get<std::uint64_t>();
    if (size != bytes.size() - head_bytes) damaged(file, "the file was cut off or has grown");
    const std::string_view content = bytes.substr(head_bytes);
    if (hash_bytes(content.data(), content.size(), hash_bytes(bytes.data(), checksum_at)) != checksum) {
        damaged(file, "its checksum does not match");
    }

    Reading archive(content, file);
    std::vector<std::pair<std::string, double>> stages;
    visit_content(archive, c, stages);
    c.totals.stages.insert(stages.begin(), stages.end());
    if (archive.in.remaining() > 0) damaged(file, "it is longer than its contents");
    check_content(c, file);
    return c;
}

}  // namespace taut::io
