// Atomic replacement by rename(2): POSIX promises that a rename within one folder is seen whole.
#include "taut/io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "taut/base/error.hpp"

namespace taut::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& file, const std::string& problem, int error,
                         const std::string& remedy) {
    throw InputError({file.string(), ""}, problem + ": " + std::generic_category().message(error), "",
                     remedy);
}

[[noreturn]] void refuse_writing(const fs::path& file, int error) {
    const std::string remedy = error == ENOSPC || error == EDQUOT
                                   ? "free some disk space or choose another folder"
                                   : "choose a folder that exists and that you may write to";
    refuse(file, "cannot be written", error, remedy);
}

// A file that vanishes unless it is renamed in time.
class TemporaryFile {
public:
    explicit TemporaryFile(const fs::path& target) : target_(target) {
        static std::atomic<unsigned> counter{0};
        fs::path name = target.filename();
        name += fmt::format(".{}-{}.tmp", ::getpid(), counter++);
        path_ = target.parent_path() / name;
        descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor_ < 0) refuse_writing(target, errno);
    }
    ~TemporaryFile() {
        if (descriptor_ >= 0) ::close(descriptor_);
        if (!renamed_) ::unlink(path_.c_str());
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    void write(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t done = ::write(descriptor_, bytes.data(), bytes.size());
            if (done < 0 && errno == EINTR) continue;
            if (done < 0) refuse_writing(target_, errno);
            bytes.remove_prefix(static_cast<std::size_t>(done));
        }
    }

    void sync() {
        if (::fsync(descriptor_) != 0) refuse_writing(target_, errno);
    }

    void rename() {
        // Close first: some file systems report a failed write only here.
        const int closed = ::close(descriptor_);
        descriptor_ = -1;
        if (closed != 0) refuse_writing(target_, errno);
        if (::rename(path_.c_str(), target_.c_str()) != 0) refuse_writing(target_, errno);
        renamed_ = true;
    }

private:
    fs::path target_, path_;
    int descriptor_ = -1;
    bool renamed_ = false;
};

// Synchronises a file or folder that exists; where the file system cannot, nothing is lost but time.
void sync_path(const fs::path& path, int flags) {
    const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);
    ::close(descriptor);
}

}  // namespace

void write_file(const fs::path& file, std::string_view bytes, Durability durability) {
    TemporaryFile temporary(file);
    temporary.write(bytes);
    if (durability == Durability::power) temporary.sync();
    temporary.rename();
    if (durability == Durability::power) {
        const fs::path folder = file.parent_path();
        sync_path(folder.empty() ? fs::path(".") : folder, O_RDONLY | O_DIRECTORY);
    }
}

std::uintmax_t regular_file_size(const fs::path& file) {
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    const std::string name = file.string();
    if (status.type() == fs::file_type::not_found) {
        throw InputError({name, ""}, "there is no such file", "", "check the name and the folder");
    }
    if (error) refuse(file, "cannot be read", error.value(), "check the path and its permissions");
    if (status.type() == fs::file_type::directory) {
        throw InputError({name, ""}, "is a folder, not a file", "", "name the file inside it");
    }
    if (status.type() != fs::file_type::regular) {
        throw InputError({name, ""}, "is not a regular file", "", "give a file on disk");
    }
    const std::uintmax_t size = fs::file_size(file, error);
    if (error) refuse(file, "cannot be read", error.value(), "check the path and its permissions");
    return size;
}

std::string read_file(const fs::path& file, std::uintmax_t limit) {
    const std::uintmax_t size = regular_file_size(file);
    if (size > limit) {
        throw InputError({file.string(), ""}, "is too large", fmt::format("{} bytes", size),
                         fmt::format("at most {} bytes are read", limit));
    }
    std::ifstream stream(file, std::ios::binary);
    if (!stream) refuse(file, "cannot be read", errno, "check its permissions");
    std::string bytes(static_cast<std::size_t>(size), '\0');
    stream.read(bytes.data(), static_cast<std::streamsize>(size));
    if (static_cast<std::uintmax_t>(stream.gcount()) != size) {
        throw InputError({file.string(), ""}, "could not be read to its end", "",
                         "check that no other program changes it");
    }
    return bytes;
}

void synchronise(const fs::path& file) { sync_path(file, O_RDONLY); }

void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (!error && !fs::is_directory(folder, error)) error = std::make_error_code(std::errc::not_a_directory);
    if (error) {
        refuse(folder, "cannot be made a folder", error.value(), "choose a place that you may write to");
    }
}

void refuse_stream(const fs::path& file, std::string_view what) {
    throw InputError({file.string(), ""}, std::string(what) + " cannot be written", "",
                     "choose a folder that you may write to and that has space left");
}

}  // namespace taut::io
