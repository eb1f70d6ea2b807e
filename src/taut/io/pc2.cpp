#include "taut/io/pc2.hpp"

#include <fmt/format.h>

#include <bit>
#include <sstream>
#include <stdexcept>

#include "taut/base/error.hpp"
#include "taut/io/atomic_file.hpp"
#include "taut/io/binary.hpp"

namespace taut::io {
namespace {

static_assert(std::endian::native == std::endian::little, "PC2 files are little endian");

constexpr std::string_view pc2_magic{"POINTCACHE2\0", 12};
constexpr std::int32_t pc2_version = 1;
constexpr std::size_t header_bytes = 32;
constexpr std::streamoff count_at = 28;

std::uintmax_t sample_bytes(int points) { return std::uintmax_t{12} * static_cast<std::uintmax_t>(points); }

}  // namespace

Pc2Writer::Pc2Writer(const std::filesystem::path& file, int points, long keep_samples)
    : file_(file), points_(points), buffer_(3 * static_cast<std::size_t>(points)) {
    std::error_code error;
    if (keep_samples >= 0) {
        if (!std::filesystem::exists(file, error)) {
            throw InputError({file.string(), ""}, "there is no point cache to continue", "",
                             "leave the point cache out, or run the scene again from its start");
        }

        // Make sure that the file is ours and long enough, then drop what came later.
        const Pc2Reader reader(file, "run the scene again from its start");
        if (reader.header().points != points || reader.header().samples < keep_samples) {
            throw InputError(
                {file.string(), ""}, "the point cache does not belong to this run",
                fmt::format("{} points, {} samples", reader.header().points, reader.header().samples),
                fmt::format("{} points and {} samples are needed; run the scene again from its start", points,
                            keep_samples));
        }
        std::filesystem::resize_file(
            file, header_bytes + static_cast<std::uintmax_t>(keep_samples) * sample_bytes(points), error);
        if (error) refuse_stream(file, "the point cache");
        samples_ = keep_samples;
    } else {
        ByteWriter header;
        header.put_array<char>(pc2_magic);
        header.put(pc2_version);
        header.put<std::int32_t>(points);
        header.put(0.0f);
        header.put(1.0f);
        header.put<std::int32_t>(0);
        write_file(file, header.bytes());
    }
    stream_.open(file, std::ios::binary | std::ios::in | std::ios::out);
    write_count();
}

void Pc2Writer::append(ConstPoints x) {
    if (3 * x.size() != buffer_.size()) throw std::logic_error("a PC2 sample must hold every point");
    for (std::size_t k = 0; k < x.size(); ++k) {
        for (std::size_t c = 0; c < 3; ++c)
            buffer_[3 * k + c] = static_cast<float>(x[k][static_cast<int>(c)]);
    }
    stream_.seekp(static_cast<std::streamoff>(header_bytes +
                                              static_cast<std::uintmax_t>(samples_) * sample_bytes(points_)));
    stream_.write(reinterpret_cast<const char*>(buffer_.data()),
                  static_cast<std::streamsize>(buffer_.size() * sizeof(float)));
    stream_.flush();
    if (!stream_) refuse_stream(file_, "the point cache");
    ++samples_;
    write_count();
}

void Pc2Writer::write_count() {
    const auto count = static_cast<std::int32_t>(samples_);
    stream_.seekp(count_at);
    stream_.write(reinterpret_cast<const char*>(&count), sizeof(count));
    stream_.flush();
    if (!stream_) refuse_stream(file_, "the point cache");
}

Pc2Reader::Pc2Reader(std::string name, std::string remedy, std::unique_ptr<std::istream> stream,
                     std::uintmax_t size)
    : name_(std::move(name)), remedy_(std::move(remedy)), stream_(std::move(stream)) {
    std::string bytes(header_bytes, '\0');
    if (size < header_bytes || !stream_->read(bytes.data(), header_bytes) ||
        bytes.compare(0, 12, pc2_magic) != 0) {
        throw InputError({name_, ""}, "is not a PC2 point cache", "",
                         "give a file that begins with POINTCACHE2");
    }
    ByteReader in(std::string_view(bytes).substr(pc2_magic.size()), {name_, "header"});
    const auto version = in.get<std::int32_t>();
    if (version != pc2_version) {
        throw InputError({name_, "header"}, "is of an unknown version", std::to_string(version),
                         "allowed is 1");
    }
    header_.points = in.get<std::int32_t>();
    header_.start_frame = in.get<float>();
    header_.sample_rate = in.get<float>();
    header_.samples = in.get<std::int32_t>();
    require_samples(size);
}

Pc2Reader::Pc2Reader(const std::filesystem::path& file, std::string remedy)
    : Pc2Reader(file.string(), std::move(remedy), std::make_unique<std::ifstream>(file, std::ios::binary),
                regular_file_size(file)) {}

Pc2Reader Pc2Reader::from_bytes(std::string_view bytes, const std::string& name) {
    return {name, "export the file again", std::make_unique<std::istringstream>(std::string(bytes)),
            bytes.size()};
}

void Pc2Reader::require_samples(std::uintmax_t size) const {
    const ErrorPlace place{name_, "header"};
    if (header_.points < 0)
        throw InputError(place, "has a negative number of points", std::to_string(header_.points), remedy_);
    if (header_.samples < 0)
        throw InputError(place, "has a negative number of samples", std::to_string(header_.samples), remedy_);
    if (header_.points == 0) return;
    const std::uintmax_t held = (size - header_bytes) / sample_bytes(header_.points);
    if (static_cast<std::uintmax_t>(header_.samples) <= held) return;
    throw InputError(
        place, "holds fewer samples than its header says",
        fmt::format("{} of {} samples, with {} points each", held, header_.samples, header_.points), remedy_);
}

std::vector<float> Pc2Reader::read(long sample) {
    if (sample < 0 || sample >= header_.samples) {
        throw InputError({name_, fmt::format("sample {}", sample)}, "there is no such sample", "",
                         fmt::format("the file holds {} samples", header_.samples));
    }
    std::vector<float> values(3 * static_cast<std::size_t>(header_.points));
    stream_->clear();
    stream_->seekg(static_cast<std::streamoff>(header_bytes + static_cast<std::uintmax_t>(sample) *
                                                                  sample_bytes(header_.points)));
    stream_->read(reinterpret_cast<char*>(values.data()),
                  static_cast<std::streamsize>(values.size() * sizeof(float)));
    if (!*stream_) throw InputError({name_, ""}, "could not be read", "", remedy_);
    return values;
}

}  // namespace taut::io
