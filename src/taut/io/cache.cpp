// Frames of the animation cache: fixed size, each with a checksum of its own that is seeded by the
// header's, so that a frame that was flipped, moved or taken from another run is noticed.
#include "taut/io/cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "taut/base/error.hpp"
#include "taut/base/hash.hpp"
#include "taut/io/atomic_file.hpp"
#include "taut/io/binary.hpp"
#include "taut/io/cache_header.hpp"

namespace taut::io {
namespace {

constexpr std::size_t checksum_bytes = 8;

void encode_frame(const CacheFrame& frame, long index, std::uint64_t seed, ByteWriter& out) {
    out.put<std::uint64_t>(static_cast<std::uint64_t>(index));
    out.put(frame.t);
    out.put_array<Vec3>(frame.x);
    for (const RigidTransform& place : frame.obstacles) {
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) out.put(place.rotation(r, c));
        }
        for (int c = 0; c < 3; ++c) out.put(place.translation[c]);
    }
    for (const Points& points : frame.deformed) out.put_array<Vec3>(points);
    out.put(hash_bytes(out.bytes().data(), out.bytes().size(), seed));
}

bool all_finite(const CacheFrame& frame) {
    const auto finite = [](const Points& points) {
        return std::all_of(points.begin(), points.end(), [](const Vec3& p) { return p.allFinite(); });
    };
    bool good = std::isfinite(frame.t) && finite(frame.x);
    for (const RigidTransform& place : frame.obstacles)
        good = good && place.rotation.allFinite() && place.translation.allFinite();
    for (const Points& points : frame.deformed) good = good && finite(points);
    return good;
}

// The frame in `bytes`, its checksum checked; where: named in errors.
CacheFrame decode_frame(std::string_view bytes, long index, std::uint64_t seed, const CacheHeader& header,
                        const ErrorPlace& where) {
    const std::string_view content = bytes.substr(0, bytes.size() - checksum_bytes);
    ByteReader in(bytes, where);
    const auto stored_index = in.get<std::uint64_t>();
    std::uint64_t stored_checksum = 0;
    std::memcpy(&stored_checksum, bytes.data() + content.size(), checksum_bytes);
    if (stored_checksum != hash_bytes(content.data(), content.size(), seed) ||
        stored_index != static_cast<std::uint64_t>(index)) {
        throw InputError(where, "the frame is damaged: its checksum does not match", "",
                         "run the scene again");
    }

    // Read time, positions and placements.
    CacheFrame frame;
    frame.t = in.get<double>();
    frame.x = in.get_array<Vec3>(static_cast<std::uint64_t>(header.vertices));
    for (std::size_t k = 0; k < header.obstacles.size(); ++k) {
        RigidTransform place;
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) place.rotation(r, c) = in.get<double>();
        }
        for (int c = 0; c < 3; ++c) place.translation[c] = in.get<double>();
        frame.obstacles.push_back(place);
    }
    if (!header.deforming.empty()) frame.deformed.resize(header.obstacles.size());
    for (std::size_t k = 0; k < frame.deformed.size(); ++k) {
        if (!header.deforms(k)) continue;
        frame.deformed[k] = in.get_array<Vec3>(header.obstacles[k].mesh->rest.size());
    }
    return frame;
}

// The header without its mark and texts, and without pins where one of two does not know them: what must be
// the same for frames to fit.
std::string geometry_bytes(CacheHeader header, bool pins) {
    if (!pins) {
        header.pins.reset();
        header.judged_before = false;
    }
    header.content = CacheContent::frames;
    header.taut_version.clear();
    header.scene_name.clear();
    header.effective_scene.clear();
    std::uint64_t checksum = 0;
    return encode_cache_header(header, checksum);
}

}  // namespace

Points obstacle_points(const CacheHeader& header, const CacheFrame& frame, std::size_t obstacle) {
    if (header.deforms(obstacle) && obstacle < frame.deformed.size()) return frame.deformed[obstacle];
    Points points = header.obstacles[obstacle].mesh->rest;
    if (obstacle >= frame.obstacles.size()) return points;
    for (Vec3& p : points) p = frame.obstacles[obstacle](p);
    return points;
}

CacheWriter::CacheWriter(const std::filesystem::path& file, const CacheHeader& header, long keep_frames)
    : file_(file), vertices_(static_cast<std::size_t>(header.vertices)) {
    check_cache_header(header, file.string());
    const std::string bytes = encode_cache_header(header, seed_);
    frame_bytes_ = cache_frame_bytes(header);
    for (std::size_t k = 0; k < header.obstacles.size(); ++k)
        deforming_.push_back(header.deforms(k) ? header.obstacles[k].mesh->rest.size() : 0);
    if (keep_frames < 0) {
        // Replace an older cache in one go, so that a reader never meets half a header.
        write_file(file, bytes);
    } else {
        keep(header, bytes, keep_frames);
    }

    // Write without a buffer: what could not be written must not be written later, out of place.
    stream_.rdbuf()->pubsetbuf(nullptr, 0);
    stream_.open(file, std::ios::binary | std::ios::in | std::ios::out | std::ios::ate);
    if (!stream_) refuse_stream(file, "the cache");
}

void CacheWriter::keep(const CacheHeader& header, const std::string& header_bytes, long keep_frames) {
    // Make sure that the file belongs to this run and holds the frames to keep, the last one sound.
    const std::string remedy = "run the scene again from its start";
    const std::string name = file_.string();
    CacheReader reader(file_);
    if (header.content != CacheContent::unmarked)
        check_cache_content(reader.header(), header.content, name, remedy);
    const bool pins = reader.header().pins && header.pins;
    if (geometry_bytes(reader.header(), pins) != geometry_bytes(header, pins)) {
        throw InputError({name, "header"}, "the cache belongs to another run", "", remedy);
    }
    if (reader.frames() < keep_frames) {
        throw InputError({name, ""}, fmt::format("the cache lacks frames: {} are needed", keep_frames),
                         std::to_string(reader.frames()), remedy);
    }
    if (keep_frames > 0) reader.read(keep_frames - 1);

    // Drop what came after them; where the header is of an older format or has other texts, copy the frames
    // behind the new one.
    std::uint64_t stored_seed = 0;
    std::error_code error;
    const bool same = encode_cache_header(reader.header(), stored_seed) == header_bytes;
    if (same && reader.version() == cache_version) {
        std::filesystem::resize_file(
            file_, header_bytes.size() + static_cast<std::uintmax_t>(keep_frames) * frame_bytes_, error);
    } else {
        std::filesystem::path copy = file_;
        copy += ".tmp";
        CacheWriter writer(copy, header);
        for (long k = 0; k < keep_frames; ++k) writer.append(reader.read(k));
        std::filesystem::rename(copy, file_, error);
    }
    if (error) refuse_stream(file_, "the cache");
    frames_ = keep_frames;
}

void CacheWriter::append(const CacheFrame& frame) {
    bool whole = frame.x.size() == vertices_ && frame.obstacles.size() == deforming_.size();
    for (std::size_t k = 0; k < std::max(deforming_.size(), frame.deformed.size()); ++k) {
        const std::size_t points = k < frame.deformed.size() ? frame.deformed[k].size() : 0;
        whole = whole && k < deforming_.size() && points == deforming_[k];
    }
    if (!whole) throw std::logic_error("a cache frame must hold every vertex and obstacle of the header");
    ByteWriter out;
    out.reserve(frame_bytes_);
    encode_frame(frame, frames_, seed_, out);
    stream_.write(out.bytes().data(), static_cast<std::streamsize>(out.bytes().size()));
    stream_.flush();
    if (!stream_) refuse_stream(file_, "the cache");
    ++frames_;
}

CacheReader::CacheReader(const std::filesystem::path& file) : file_(file) {
    const std::string name = file.string();
    const std::uintmax_t size = regular_file_size(file);
    stream_.open(file, std::ios::binary);
    if (!stream_) throw InputError({name, ""}, "cannot be read", "", "check its permissions");

    // Read the preamble, then as much header as it announces and the file can hold.
    std::string bytes(std::min<std::uintmax_t>(size, cache_preamble_bytes), '\0');
    stream_.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const CachePreamble preamble = decode_cache_preamble(bytes, size, name);
    bytes.resize(preamble.header_bytes);
    stream_.read(bytes.data() + cache_preamble_bytes,
                 static_cast<std::streamsize>(preamble.header_bytes - cache_preamble_bytes));
    if (!stream_) {
        throw InputError({name, "header"}, "could not be read to its end", "",
                         "check that no other program changes the file");
    }
    header_ = decode_cache_header(bytes, preamble, name);

    // Count whole frames; a part of one at the end was never finished.
    version_ = preamble.version;
    seed_ = preamble.checksum;
    data_start_ = preamble.header_bytes;
    frame_bytes_ = preamble.frame_bytes;
    frames_ = static_cast<long>((size - data_start_) / frame_bytes_);
    cut_ = (size - data_start_) % frame_bytes_ != 0;
}

CacheFrame CacheReader::read(long frame) { return read(frame, true); }

CacheFrame CacheReader::read_any(long frame) { return read(frame, false); }

CacheFrame CacheReader::read(long frame, bool finite) {
    const ErrorPlace where{file_.string(), fmt::format("frame {}", frame)};
    if (frame < 0 || frame >= frames_) {
        throw InputError(where, "there is no such frame", "",
                         frames_ == 0 ? "the cache holds no frames"
                                      : fmt::format("the cache holds frames 0 to {}", frames_ - 1));
    }
    std::string bytes(frame_bytes_, '\0');
    stream_.clear();
    stream_.seekg(static_cast<std::streamoff>(data_start_ + static_cast<std::size_t>(frame) * frame_bytes_));
    stream_.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!stream_)
        throw InputError(where, "could not be read", "", "check that no other program changes the file");
    CacheFrame decoded = decode_frame(bytes, frame, seed_, header_, where);
    if (finite && !all_finite(decoded)) {
        throw InputError(where, "the frame holds a number that is not finite", "",
                         "use the frames before it, and see report.json for what happened");
    }
    return decoded;
}

}  // namespace taut::io
