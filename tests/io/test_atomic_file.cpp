// Atomic files: whole or not at all, nothing left behind, clear refusals.
#include "taut/io/atomic_file.hpp"

#include "io/temporary_folder.hpp"

namespace taut::io {
namespace {

namespace fs = std::filesystem;
using namespace taut::tests;

long count_entries(const fs::path& folder) {
    return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

TEST(AtomicFile, WritesReplacesAndLeavesNothingElse) {
    const TemporaryFolder folder;
    const std::string binary("a\0b\xff\n", 5);
    write_file(folder / "file", "old and longer than the new one");
    write_file(folder / "file", binary, Durability::power);
    EXPECT_EQ(bytes_of(folder / "file"), binary);
    EXPECT_EQ(read_file(folder / "file", 5), binary);
    EXPECT_EQ(count_entries(folder.path()), 1);
}

TEST(AtomicFile, RefusesAFolderThatIsNotThere) {
    const TemporaryFolder folder;
    const std::string message = input_error([&] { write_file(folder / "none/file", "text"); });
    EXPECT_NE(message.find("none/file"), std::string::npos) << message;
    EXPECT_NE(message.find("choose a folder"), std::string::npos) << message;
}

TEST(AtomicFile, FailedReplacementKeepsTheOldAndCleansUp) {
    const TemporaryFolder folder;
    fs::create_directory(folder / "file");
    put_bytes(folder / "file/inside", "kept");
    input_error([&] { write_file(folder / "file", "text"); });
    EXPECT_EQ(bytes_of(folder / "file/inside"), "kept");
    EXPECT_EQ(count_entries(folder.path()), 1);
}

TEST(AtomicFile, AFullDiskKeepsTheOldFile) {
    const TemporaryFolder folder;
    write_file(folder / "file", "old");
    std::string message;
    {
        const FullDisk full(1000);
        message = input_error([&] { write_file(folder / "file", std::string(5000, 'x')); });
    }
    EXPECT_NE(message.find("cannot be written"), std::string::npos) << message;
    EXPECT_EQ(bytes_of(folder / "file"), "old");
    EXPECT_EQ(count_entries(folder.path()), 1);
}

TEST(AtomicFile, ReadingRefusesWhatIsNoFile) {
    const TemporaryFolder folder;
    put_bytes(folder / "file", "12345");
    EXPECT_NE(input_error([&] { read_file(folder / "none", 9); }).find("no such file"), std::string::npos);
    EXPECT_NE(input_error([&] { read_file(folder.path(), 9); }).find("is a folder"), std::string::npos);
    EXPECT_NE(input_error([&] { read_file("/dev/zero", 9); }).find("not a regular file"), std::string::npos);
    EXPECT_NE(input_error([&] { read_file(folder / "file", 4); }).find("too large"), std::string::npos);
    EXPECT_NE(input_error([&] { read_file(folder / "file/below", 4); }).find("file/below"),
              std::string::npos);
}

TEST(AtomicFile, MakesFoldersAndRefusesWhereAFileStands) {
    const TemporaryFolder folder;
    make_folder(folder / "a/b");
    make_folder(folder / "a/b");
    EXPECT_TRUE(fs::is_directory(folder / "a/b"));
    put_bytes(folder / "file", "");
    input_error([&] { make_folder(folder / "file"); });
    input_error([&] { make_folder(folder / "file/below"); });
}

}  // namespace
}  // namespace taut::io
