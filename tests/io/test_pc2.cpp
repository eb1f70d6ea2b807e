// PC2: the bytes the format asks for, continued files, refusals.
#include "taut/io/pc2.hpp"

#include <cstring>

#include "io/temporary_folder.hpp"

namespace taut::io {
namespace {

using namespace taut::tests;

Points sample(int k) { return {Vec3(k, 0.1, -2), Vec3(1e-3, k * 0.5, 1.0 / 3)}; }

template <class T>
T value_at(const std::string& bytes, std::size_t at) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    return value;
}

TEST(Pc2, HasTheStandardHeader) {
    const TemporaryFolder folder;
    Pc2Writer writer(folder / "cloth.pc2", 2);
    for (int k = 0; k < 3; ++k) writer.append(sample(k));
    const std::string bytes = bytes_of(folder / "cloth.pc2");
    ASSERT_EQ(bytes.size(), 32u + 3 * 2 * 12);
    EXPECT_EQ(bytes.substr(0, 12), std::string("POINTCACHE2\0", 12));
    EXPECT_EQ(value_at<std::int32_t>(bytes, 12), 1);
    EXPECT_EQ(value_at<std::int32_t>(bytes, 16), 2);
    EXPECT_EQ(value_at<float>(bytes, 20), 0.0f);
    EXPECT_EQ(value_at<float>(bytes, 24), 1.0f);
    EXPECT_EQ(value_at<std::int32_t>(bytes, 28), 3);
    EXPECT_EQ(value_at<float>(bytes, 32 + 24), 1.0f);
    EXPECT_EQ(value_at<float>(bytes, 32 + 24 + 20), 1.0f / 3);
}

TEST(Pc2, SamplesComeBackAndFilesGoOn) {
    const TemporaryFolder folder;
    {
        Pc2Writer writer(folder / "cloth.pc2", 2);
        for (int k = 0; k < 4; ++k) writer.append(sample(k + 10));
    }
    {
        Pc2Writer writer(folder / "cloth.pc2", 2, 1);
        EXPECT_EQ(Pc2Reader(folder / "cloth.pc2").header().samples, 1);
        writer.append(sample(5));
        EXPECT_EQ(writer.samples(), 2);
    }
    Pc2Reader reader(folder / "cloth.pc2");
    ASSERT_EQ(reader.header().samples, 2);
    EXPECT_EQ(reader.read(0), (std::vector<float>{10, 0.1f, -2, 1e-3f, 5, 1.0f / 3}));
    EXPECT_EQ(reader.read(1), (std::vector<float>{5, 0.1f, -2, 1e-3f, 2.5, 1.0f / 3}));
    input_error([&] { reader.read(2); });
    input_error([&] { reader.read(-1); });

    // The same from bytes, as the files inside the program come.
    const std::string bytes = bytes_of(folder / "cloth.pc2");
    Pc2Reader inside = Pc2Reader::from_bytes(bytes, "inside.pc2");
    EXPECT_EQ(inside.read(1), reader.read(1));
    EXPECT_NE(input_error([&] { inside.read(2); }).find("inside.pc2"), std::string::npos);
    input_error([&] { Pc2Reader::from_bytes(std::string_view(bytes).substr(0, 40), "cut.pc2"); });
}

TEST(Pc2, RefusesWhatDoesNotFit) {
    const TemporaryFolder folder;
    Pc2Writer(folder / "cloth.pc2", 2).append(sample(0));
    input_error([&] { Pc2Writer(folder / "cloth.pc2", 3, 1); });
    input_error([&] { Pc2Writer(folder / "cloth.pc2", 2, 2); });
    input_error([&] { Pc2Writer(folder / "none.pc2", 2, 0); });
    input_error([&] { Pc2Writer(folder / "none/cloth.pc2", 2); });
    const std::string bytes = bytes_of(folder / "cloth.pc2");
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        put_bytes(folder / "cut", bytes.substr(0, size));
        input_error([&] { Pc2Reader reader(folder / "cut"); });
    }
    put_bytes(folder / "cut", bytes.substr(0, bytes.size() - 1));
    EXPECT_NE(input_error([&] { Pc2Writer(folder / "cut", 2, 1); }).find("run the scene again"),
              std::string::npos);
    for (std::size_t at : {15u, 19u, 31u}) {
        std::string damaged = bytes;
        damaged[at] = '\x7f';
        put_bytes(folder / "damaged", damaged);
        input_error([&] { Pc2Reader reader(folder / "damaged"); });
    }
}

}  // namespace
}  // namespace taut::io
