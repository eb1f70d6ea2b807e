// Caches made by somebody else: every checksum is right, the content is not.
#include <cstdint>
#include <limits>

#include "io/temporary_folder.hpp"
#include "taut/base/hash.hpp"
#include "taut/io/cache.hpp"
#include "taut/io/cache_header.hpp"

namespace taut::io {
namespace {

using namespace taut::tests;

// A header whose checksum is right but whose content is made by somebody else.
std::string forge(const std::string& json, const std::string& arrays, std::uint64_t frame_bytes) {
    std::string body = json + arrays;
    body.resize((body.size() + 7) / 8 * 8);
    std::string head = "TAUTCACH";
    const auto put = [&](auto value) { head.append(reinterpret_cast<const char*>(&value), sizeof value); };
    put(std::uint32_t{1});
    put(std::uint32_t{0x01020304});
    put(std::uint64_t{56 + body.size()});
    put(std::uint64_t{json.size()});
    put(std::uint64_t{arrays.size()});
    put(frame_bytes);
    put(hash_bytes(body.data(), body.size(), hash_bytes(head.data(), head.size())));
    return head + body;
}

std::string forged_json(const std::string& change, const std::string& value) {
    std::string text =
        R"({"taut_version":"1","scene_name":"s","effective_scene":"{}","fps":60,"tolerance":0,)"
        R"("vertices":2,"faces":0,"edges":0,"cloths":[],"obstacles":[]})";
    const std::size_t at = text.find("\"" + change + "\":");
    if (at == std::string::npos) return value;
    const std::size_t begin = at + change.size() + 3;
    std::size_t end = text.find_first_of(",}", begin);
    if (change == "effective_scene") end = begin + 4;
    return text.replace(begin, end - begin, value);
}

TEST(Cache, ForgedHeadersAreRefusedBeforeAnythingIsAllocated) {
    const TemporaryFolder folder;
    const auto refusal = [&](const std::string& json, const std::string& arrays, std::uint64_t frame_bytes) {
        put_bytes(folder / "forged", forge(json, arrays, frame_bytes));
        return input_error([&] { CacheReader reader(folder / "forged"); });
    };
    put_bytes(folder / "good", forge(forged_json("fps", "60"), "", cache_frame_bytes(2, 0)));
    EXPECT_NO_THROW(CacheReader(folder / "good"));

    const std::uint64_t two = cache_frame_bytes(2, 0);
    for (const char* count : {"-1", "1.5", "4000000000", "1e300", "\"2\"", "null", "99999999999999999999"}) {
        EXPECT_NE(refusal(forged_json("vertices", count), "", two).find("'vertices'"), std::string::npos)
            << count;
        EXPECT_NE(refusal(forged_json("edges", count), "", two).find("'edges'"), std::string::npos) << count;
    }
    refusal(forged_json("faces", "2000000000"), "", two);
    refusal(forged_json("edges", "2000000000"), std::string(64, 'x'), two);
    refusal(forged_json("vertices", "3"), "", two);
    refusal(forged_json("fps", "0"), "", two);
    refusal(forged_json("fps", "1e999"), "", two);
    refusal(forged_json("fps", "null"), "", two);
    refusal(forged_json("tolerance", "-1"), "", two);
    refusal(forged_json("scene_name", "7"), "", two);
    refusal(forged_json("cloths", "{}"), "", two);
    refusal(forged_json("cloths", "[7]"), "", two);
    refusal(forged_json("cloths", R"([{"name":"c"}])"), "", two);
    refusal(forged_json("obstacles", R"([{"name":"c","shape":"torus"}])"), "", two);
    refusal(forged_json("", "[]"), "", two);
    refusal(forged_json("", "{"), "", two);
    refusal(forged_json("", ""), "", two);
    refusal(forged_json("", std::string(200000, '[')), "", two);
    refusal(forged_json("", std::string(100000, '[') + std::string(100000, ']')), "", two);
    refusal(forged_json("fps", "60"), "extra", two);
    refusal(forged_json("fps", "60"), "", 0);
    refusal(forged_json("fps", "60"), "", std::numeric_limits<std::uint64_t>::max());
}

}  // namespace
}  // namespace taut::io
