#include "taut/io/mesh_recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "taut/base/error.hpp"
#include "taut/io/pc2.hpp"

namespace taut::io {
namespace {

// All frames are kept in memory; a body of 50000 vertices moves for two minutes at 60 frames a second
// within this.
constexpr std::uintmax_t largest_recording = std::uintmax_t{4} << 30;  // [bytes]

constexpr std::size_t longest_frame_number = 9;  // digits of a frame's number

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void require_room(const std::string& file, std::uintmax_t frames, std::uintmax_t points) {
    constexpr std::uintmax_t point_bytes = sizeof(Eigen::Vector3f);
    if (points == 0 || frames <= largest_recording / point_bytes / points) return;
    throw InputError({file, ""}, "the recording is too large to be kept in memory",
                     fmt::format("{} frames of {} points", frames, points),
                     fmt::format("allowed: at most {} GiB, which is {} frames; record fewer",
                                 largest_recording >> 30, largest_recording / point_bytes / points));
}

// Number in the file of the first vertex that faces use in one of two meshes only; -1: there is none.
int first_odd_vertex(const ObjMesh& a, const ObjMesh& b) {
    const auto number = [](const ObjMesh& mesh, std::size_t k) {
        if (k >= mesh.points.size()) return mesh.file_vertices;
        return mesh.file_index.empty() ? static_cast<int>(k) : mesh.file_index[k];
    };
    for (std::size_t k = 0; k < std::max(a.points.size(), b.points.size()); ++k) {
        if (number(a, k) != number(b, k)) return std::min(number(a, k), number(b, k));
    }
    return -1;
}

void require_same_faces(const ObjMesh& frame, const std::string& file, const ObjMesh& mesh,
                        const std::string& mesh_file) {
    if (frame.file_vertices != mesh.file_vertices) {
        throw InputError({file, ""}, "has other vertices than " + mesh_file,
                         fmt::format("{} vertices", frame.file_vertices),
                         fmt::format("allowed: {} vertices, in the same order", mesh.file_vertices));
    }
    if (const int vertex = first_odd_vertex(frame, mesh); vertex >= 0) {
        throw InputError({file, ""}, "its faces use other vertices than those of " + mesh_file,
                         fmt::format("vertex {}", vertex),
                         "vertices are counted from 0; the faces of all frames must be the same");
    }
    const auto& faces = frame.mesh.faces;
    const auto& wanted = mesh.mesh.faces;
    if (faces.size() != wanted.size()) {
        throw InputError({file, ""}, "has another number of faces than " + mesh_file,
                         std::to_string(faces.size()), fmt::format("allowed: {}", wanted.size()));
    }
    for (std::size_t f = 0; f < faces.size(); ++f) {
        if (faces[f].corner == wanted[f].corner) continue;
        throw InputError({file, fmt::format("face {}", f + 1)}, "the face differs from that of " + mesh_file,
                         fmt::format("{}", fmt::join(faces[f].corner, ", ")),
                         fmt::format("allowed: {}, vertices counted from 0; only positions may change",
                                     fmt::join(wanted[f].corner, ", ")));
    }
}

// A point of a PC2 sample in metres, z up.
Eigen::Vector3f turned(const float* p, const ObjOptions& options) {
    const Vec3 q = options.scale * Vec3(p[0], p[1], p[2]);
    return (options.up == "y" ? Vec3(q.x(), -q.z(), q.y()) : q).cast<float>();
}

}  // namespace

FrameNames::FrameNames(const std::filesystem::path& pattern) : folder_(pattern.parent_path()) {
    const std::string name = pattern.filename().string();
    const auto refuse = [&] {
        throw InputError({}, "the sequence does not say where the number stands", name,
                         "write %d, or %04d for four digits, once in the file name");
    };

    // Read %d, %4d or %04d; there is no other percent sign.
    const std::size_t percent = name.find('%');
    if (percent == std::string::npos || name.find('%', percent + 1) != std::string::npos) refuse();
    std::size_t end = percent + 1;
    while (end < name.size() && is_digit(name[end])) ++end;
    if (end == name.size() || name[end] != 'd') refuse();
    const std::string width = name.substr(percent + 1, end - percent - 1);
    if (!width.empty()) {
        if (width[0] != '0' || width.size() != 2 || width[1] < '1') refuse();
        digits_ = static_cast<std::size_t>(width[1] - '0');
    }
    before_ = name.substr(0, percent);
    after_ = name.substr(end + 1);
}

std::filesystem::path FrameNames::file(int number) const {
    return folder_ / fmt::format("{}{:0{}}{}", before_, number, digits_, after_);
}

int FrameNames::number_of(const std::string& name) const {
    if (name.size() <= before_.size() + after_.size() || !name.starts_with(before_) ||
        !name.ends_with(after_)) {
        return -1;
    }
    const std::string_view text =
        std::string_view(name).substr(before_.size(), name.size() - before_.size() - after_.size());
    const bool padded = text[0] == '0' && text.size() > digits_;
    if (text.size() < digits_ || text.size() > longest_frame_number || padded) return -1;
    if (!std::all_of(text.begin(), text.end(), is_digit)) return -1;
    int number = -1;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

std::vector<int> FrameNames::existing() const {
    std::error_code failure;
    std::filesystem::directory_iterator entry(folder_.empty() ? "." : folder_, failure);
    if (failure) {
        throw InputError({}, "the folder of the sequence cannot be read", folder_.string(),
                         "check the path and its permissions");
    }
    std::vector<int> numbers;
    for (; entry != std::filesystem::directory_iterator(); entry.increment(failure)) {
        const int number = number_of(entry->path().filename().string());
        if (number >= 0) numbers.push_back(number);
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

FrameRange find_frames(const FrameNames& names, int first, int count) {
    std::vector<int> numbers = names.existing();
    std::erase_if(numbers, [&](int number) { return number < first; });
    if (count > 0 && numbers.size() > static_cast<std::size_t>(count))
        numbers.resize(static_cast<std::size_t>(count));
    for (std::size_t k = 1; k < numbers.size(); ++k) {
        if (numbers[k] == numbers[k - 1] + 1) continue;
        throw InputError({}, "a frame of the sequence is missing", names.file(numbers[k - 1] + 1).string(),
                         "give every number from the first to the last, or set 'first' and 'count'");
    }
    const auto found = static_cast<int>(numbers.size());
    if (found < 2 || found < count) {
        const int start = numbers.empty() ? first : numbers.front();
        throw InputError({}, "the sequence has too few frames",
                         fmt::format("{} such as {}", found, names.file(start).string()),
                         fmt::format("allowed: at least {}, from number {} on", std::max(2, count), start));
    }
    return {numbers.front(), found};
}

Recording read_obj_frames(const FrameNames& names, const FrameRange& range, const ObjMesh& mesh,
                          const std::string& mesh_file, const ObjOptions& options) {
    require_room(names.file(range.first).string(), static_cast<std::uintmax_t>(range.count),
                 mesh.points.size());
    Recording recording;
    recording.frames.reserve(static_cast<std::size_t>(range.count));
    for (int k = 0; k < range.count; ++k) {
        const std::filesystem::path file = names.file(range.first + k);
        const ObjMesh frame = read_obj(file, options);
        require_same_faces(frame, file.string(), mesh, mesh_file);
        RecordedFrames::Frame points(frame.points.size());
        std::transform(frame.points.begin(), frame.points.end(), points.begin(),
                       [](const Vec3& p) { return p.cast<float>(); });
        recording.frames.push_back(std::move(points));
    }
    return recording;
}

Recording read_pc2_frames(Pc2Reader reader, const ObjMesh& mesh, const std::string& mesh_file,
                          const ObjOptions& options) {
    const Pc2Header& header = reader.header();
    const std::string& name = reader.name();
    if (header.points != mesh.file_vertices) {
        throw InputError({name, "header"}, "has another number of points than " + mesh_file,
                         std::to_string(header.points), fmt::format("allowed: {}", mesh.file_vertices));
    }
    if (header.samples < 2) {
        throw InputError({name, "header"}, "has too few samples", std::to_string(header.samples),
                         "allowed: at least 2");
    }
    if (!std::isfinite(header.sample_rate) || !(header.sample_rate > 0)) {
        throw InputError({name, "header"}, "has no rate of samples", fmt::format("{}", header.sample_rate),
                         "allowed: > 0 frames from one sample to the next");
    }
    require_room(name, static_cast<std::uintmax_t>(header.samples), mesh.points.size());

    // Take the points that belong to faces, in the order of the mesh.
    Recording recording;
    recording.stride = header.sample_rate;
    for (int k = 0; k < header.samples; ++k) {
        const std::vector<float> sample = reader.read(k);
        RecordedFrames::Frame points(mesh.points.size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            const std::size_t at = mesh.file_index.empty() ? i : static_cast<std::size_t>(mesh.file_index[i]);
            points[i] = turned(sample.data() + 3 * at, options);
            if (static_cast<double>(points[i].cwiseAbs().maxCoeff()) <= largest_coordinate &&
                points[i].allFinite()) {
                continue;
            }
            throw InputError(
                {name, fmt::format("sample {}", k)},
                fmt::format("point {} is not at a place within {} m", at, largest_coordinate),
                fmt::format("{}, {}, {}", sample[3 * at], sample[3 * at + 1], sample[3 * at + 2]),
                "check the file and its scale");
        }
        recording.frames.push_back(std::move(points));
    }
    return recording;
}

}  // namespace taut::io
