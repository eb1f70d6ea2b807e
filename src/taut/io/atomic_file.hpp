// Whole files: read in one go, written all or nothing. A written file appears under its name only
// when it is complete: the bytes go to a temporary file in the same folder, which is then renamed.
// Whoever reads sees the old file or the new one, never half of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace taut::io {

enum class Durability {
    process,  // survives the end of this program
    power     // survives a power cut: file and folder are synchronised to disk
};

// Writes `bytes` as `file`, replacing what was there. Throws InputError when that is impossible.
void write_file(const std::filesystem::path& file, std::string_view bytes,
                Durability durability = Durability::process);

// Size of a regular file [bytes]. Throws InputError for a missing file, a folder or a device.
std::uintmax_t regular_file_size(const std::filesystem::path& file);

// The content of a regular file. Throws InputError where it cannot be read or exceeds `limit` bytes.
std::string read_file(const std::filesystem::path& file, std::uintmax_t limit);

// Brings what other streams have handed over for `file` onto the disk; a missing file is no error.
void synchronise(const std::filesystem::path& file);

// Throws the InputError of a stream that cannot be written; `what` names it: "the cache".
[[noreturn]] void refuse_stream(const std::filesystem::path& file, std::string_view what);

// Makes a folder and its parents. Throws InputError when that is impossible.
void make_folder(const std::filesystem::path& folder);

}  // namespace taut::io
