// PC2 point caches, the exchange format of modelling programs: a header of 32 bytes, then float32
// positions of every sample. The header's count is raised after each sample is on disk, so that a
// run that was cut off leaves a valid file. Little endian, as the format asks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "taut/base/vec.hpp"

namespace taut::io {

class Pc2Writer {
public:
    // Starts a new file, or, with keep_samples >= 0, goes on in an existing one after that many samples.
    Pc2Writer(const std::filesystem::path& file, int points, long keep_samples = -1);
    void append(ConstPoints x);  // [m]; flushed
    long samples() const { return samples_; }

private:
    void write_count();

    std::filesystem::path file_;
    std::fstream stream_;
    int points_ = 0;
    long samples_ = 0;
    std::vector<float> buffer_;
};

struct Pc2Header {
    int points = 0;
    float start_frame = 0;  // frame of the first sample
    float sample_rate = 1;  // frames from one sample to the next
    int samples = 0;
};

// Throws InputError on a file that is missing, foreign or shorter than its header says.
class Pc2Reader {
public:
    // remedy: what to do about a damaged file.
    explicit Pc2Reader(const std::filesystem::path& file,
                       std::string remedy = "the file is damaged or was cut off: export it again");
    // The same from the bytes of a file, which are copied.
    static Pc2Reader from_bytes(std::string_view bytes, const std::string& name);
    const std::string& name() const { return name_; }  // of the file
    const Pc2Header& header() const { return header_; }
    std::vector<float> read(long sample);  // 3 per point [m]

private:
    Pc2Reader(std::string name, std::string remedy, std::unique_ptr<std::istream> stream,
              std::uintmax_t size);
    void require_samples(std::uintmax_t size) const;  // of the file [bytes]

    std::string name_, remedy_;
    std::unique_ptr<std::istream> stream_;
    Pc2Header header_;
};

}  // namespace taut::io
