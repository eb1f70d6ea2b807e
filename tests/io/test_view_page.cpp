// The view page: what goes in comes out again (decoded here by a second, independent reader), names
// cannot break out of their script element, large runs are thinned, and bad input is refused.
#include "taut/io/view_page.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "io/small_run.hpp"
#include "taut/io/view_blocks.hpp"

namespace taut::io {
namespace {

using namespace taut::tests;

ViewBytes decode(const std::string& text) {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    ViewBytes out;
    unsigned word = 0, bits = 0;
    for (const char c : text) {
        if (c == '=') break;
        word = word << 6 | static_cast<unsigned>(digits.find(c));
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        out.push_back(static_cast<std::uint8_t>(word >> bits));
    }
    return out;
}

template <class Number>
Number number_at(const ViewBytes& bytes, std::size_t offset) {
    Number value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

// Reads the varints of a block.
std::vector<std::uint64_t> varints(const ViewBytes& bytes) {
    std::vector<std::uint64_t> values;
    std::uint64_t value = 0, shift = 0;
    for (const std::uint8_t byte : bytes) {
        value |= std::uint64_t{byte & 127u} << shift;
        shift += 7;
        if (byte >= 128) continue;
        values.push_back(value);
        value = shift = 0;
    }
    return values;
}

std::int64_t unzigzag(std::uint64_t value) {
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

TEST(Base64, KnownTexts) {
    const std::vector<std::pair<std::string, std::string>> known = {
        {"", ""},        {"f", "Zg=="},        {"fo", "Zm8="},
        {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"\xff\xfe\xfd", "//79"}};
    for (const auto& [plain, coded] : known) {
        std::string out = "x";
        append_base64(out, ViewBytes(plain.begin(), plain.end()));
        EXPECT_EQ(out, "x" + coded);
        EXPECT_EQ(base64_size(plain.size()), coded.size());
    }
}

TEST(StrainScale, NeverPutsAToleratedStrainAboveTheTolerance) {
    for (const double tolerance : {1e-2, 5e-3, 1e-3, 3.7e-4, 1e-5, 1e-6}) {
        const StrainScale scale(tolerance);
        ASSERT_EQ(scale.code(tolerance), scale.reference_code());
        EXPECT_LE(scale.code(tolerance * 0.9999), scale.reference_code());
        EXPECT_GT(scale.code(tolerance * 1.0001), scale.reference_code());
        EXPECT_EQ(scale.code(0), 0);
        EXPECT_GE(scale.value(254), 1);
        EXPECT_EQ(scale.code(1e9), 254);
        EXPECT_EQ(scale.code(std::nan("")), 255);
        EXPECT_EQ(scale.code(std::numeric_limits<double>::infinity()), 255);

        // A code stands for its strain within a step.
        for (double strain = 0.12 * tolerance; strain < 0.5; strain *= 1.37) {
            const double upper = scale.value(scale.code(strain));
            EXPECT_LE(strain, upper * (1 + 1e-8));
            EXPECT_GE(strain, upper / std::pow(10.0, 1 / StrainScale::steps_per_decade) * (1 - 1e-8));
        }
    }
    EXPECT_DOUBLE_EQ(StrainScale(0).reference(), 1e-3);
}

TEST(FramesToShow, KeepsFirstAndLastWithinTheLimit) {
    EXPECT_TRUE(frames_to_show(0, 10).empty());
    EXPECT_EQ(frames_to_show(1, 0), (std::vector<long>{0}));
    EXPECT_EQ(frames_to_show(7, 0), (std::vector<long>{0, 6}));
    EXPECT_EQ(frames_to_show(5, 5), (std::vector<long>{0, 1, 2, 3, 4}));
    EXPECT_EQ(frames_to_show(6, 4), (std::vector<long>{0, 2, 4, 5}));
    for (long frames = 2; frames < 60; ++frames) {
        for (long most = 2; most < 70; ++most) {
            const auto kept = frames_to_show(frames, most);
            ASSERT_EQ(kept.front(), 0);
            ASSERT_EQ(kept.back(), frames - 1);
            ASSERT_LE(kept.size(), static_cast<std::size_t>(most)) << frames;
            for (std::size_t k = 1; k < kept.size(); ++k) ASSERT_LT(kept[k - 1], kept[k]);
        }
    }
}

TEST(ViewPage, TopologyComesBack) {
    const CacheHeader header = small_header();
    const auto faces = varints(encode_faces(header.faces)), edges = varints(encode_edges(header.edges));
    ASSERT_EQ(faces.size(), 8u);
    EXPECT_EQ(unzigzag(faces[4]), 1);      // first corner 1 after 0
    EXPECT_EQ(1 + unzigzag(faces[5]), 4);  // second corner
    EXPECT_EQ(faces[7], 0u) << "a triangle repeats its first corner";
    ASSERT_EQ(edges.size(), 16u);
    std::int64_t a = 0;
    for (std::size_t e = 0; e < header.edges.size(); ++e) {
        a += unzigzag(edges[2 * e]);
        EXPECT_EQ(a, header.edges[e].a);
        EXPECT_EQ(a + unzigzag(edges[2 * e + 1] >> 3), header.edges[e].b);
        EXPECT_EQ(edges[2 * e + 1] & 3, static_cast<std::uint64_t>(header.edges[e].direction));
        EXPECT_EQ(edges[2 * e + 1] >> 2 & 1, e >= 6 ? 1u : 0u) << "edges of no face";
    }
}

TEST(ViewPage, CorrectionMapsComeBack) {
    const TemporaryFolder folder;
    CacheReader cache(small_cache(folder, small_header(), 2));
    CorrectionMaps maps;
    maps.vertices = 8;
    maps.maps = {{"</script>", 0, {6, 1}, {{6, 7, SpringKind::vertical}, {6, 5, SpringKind::shear}}}};
    maps.changes = {{0.25, 0, {}}, {0.5, CorrectionMaps::left_out, "long"}, {0.75, CorrectionMaps::none, {}}};
    write_view_page(folder / "view.html", small_template, cache, "", maps);
    const std::string page = bytes_of(folder / "view.html");
    const Json told = run_of(page)["correction_maps"];
    EXPECT_EQ(told["maps"], Json::parse(R"([{"name": "</script>", "fixed": 2, "corrections": 2}])"));
    EXPECT_EQ(told["active"], Json::parse(R"([[0.25, 0], [0.5, "long"], [0.75, null]])"));
    const auto values = varints(decode(block_text(page, "taut-map-0")));
    ASSERT_EQ(values.size(), 6u);
    EXPECT_EQ(unzigzag(values[0]), 6);
    EXPECT_EQ(unzigzag(values[1]), 1 - 6);
    EXPECT_EQ(unzigzag(values[2]), 6);
    EXPECT_EQ(unzigzag(values[3] >> 2), 1);
    EXPECT_EQ(values[3] & 3, 1u);
    EXPECT_EQ(unzigzag(values[4]), 0);
    EXPECT_EQ(unzigzag(values[5] >> 2), -1);
    EXPECT_EQ(values[5] & 3, 2u);

    write_view_page(folder / "view.html", small_template, cache, "");
    EXPECT_TRUE(run_of(bytes_of(folder / "view.html"))["correction_maps"].is_null());
}

// A triangle at rest, and one that rises with the frames.
CacheHeader header_with_meshes() {
    CacheHeader header = small_header();
    collision::Obstacle mesh;
    mesh.shape = collision::Shape::mesh;
    mesh.mesh = std::make_shared<const collision::ObstacleMesh>(
        collision::ObstacleMesh{{{2, 0, 1}}, {{0, 0, 3}, {1, 0, 3}, {0, 1, 3}}, nullptr});
    header.obstacles = {mesh, mesh};
    header.deforming = {0, 1};
    return header;
}

TEST(ViewPage, MeshesOfObstaclesComeBack) {
    const TemporaryFolder folder;
    {
        CacheWriter writer(folder / "cache.taut", header_with_meshes());
        for (int k = 0; k < 3; ++k) {
            CacheFrame frame = small_frame(k);
            frame.deformed = {{}, {{0, 0, 4.0 + k}, {1, 0, 4}, {0, 1, 4}}};
            writer.append(frame);
        }
    }
    CacheReader cache(folder / "cache.taut");
    for (const auto precision : {ViewPrecision::single, ViewPrecision::packed}) {
        write_view_page(folder / "view.html", small_template, cache, "", {}, {40'000'000, precision});
        const std::string page = bytes_of(folder / "view.html");
        const Json run = run_of(page);
        EXPECT_EQ(run["obstacles"][1]["shape"], "mesh");
        EXPECT_EQ(run["obstacles"][0]["deforming"], false);
        EXPECT_EQ(run["obstacles"][1]["deforming"], true);
        EXPECT_EQ(run["obstacles"][1]["points"], 3);
        EXPECT_EQ(run["obstacles"][1]["triangles"], 1);
        const auto corners = varints(decode(block_text(page, "taut-triangles-1")));
        ASSERT_EQ(corners.size(), 4u);
        EXPECT_EQ(unzigzag(corners[0]), 2);
        EXPECT_EQ(2 + unzigzag(corners[1]), 0);

        // Read the height of the first point, as a float or as steps of the box.
        const bool packed = precision == ViewPrecision::packed;
        const auto height = [&](const std::string& id) {
            const ViewBytes bytes = decode(block_text(page, id));
            EXPECT_EQ(bytes.size(), points_size(3, packed));
            if (!packed) return double(number_at<float>(bytes, 24 + 8));
            return number_at<float>(bytes, 8) +
                   number_at<float>(bytes, 20) * number_at<std::uint16_t>(bytes, 24 + 4) / 65534.0;
        };
        EXPECT_NEAR(height("taut-points-0"), 3, 1e-4);
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(height("taut-points-1-" + std::to_string(k)), 4 + k, 1e-4);
        EXPECT_TRUE(block_text(page, "taut-points-1").empty());
    }
}

TEST(ViewPage, TellsTheRun) {
    const TemporaryFolder folder;
    CacheReader cache(small_cache(folder, small_header(), 4));
    const auto summary =
        write_view_page(folder / "view.html", small_template, cache, R"({"certified": true})");
    const std::string page = bytes_of(folder / "view.html");
    EXPECT_EQ(summary.frames, 4);
    EXPECT_EQ(summary.bytes, page.size());
    EXPECT_FALSE(summary.packed);
    EXPECT_TRUE(page.starts_with("<html>before<script"));
    EXPECT_TRUE(page.ends_with("</script>\nafter</html>"));

    const Json run = run_of(page);
    EXPECT_EQ(run["cache_frames"], 4);
    EXPECT_EQ(run["cloths"][1]["name"], "chain");
    EXPECT_EQ(run["obstacles"][0]["shape"], "sphere");
    EXPECT_EQ(run["obstacles"][0]["frequency"], 4);
    EXPECT_EQ(run["obstacles"][1]["shape"], "plane");
    EXPECT_EQ(run["report"]["certified"], true);
    EXPECT_EQ(run["bounds"]["low"], Json::array({-9.0, 0.0, -3.0}));
    EXPECT_EQ(run["bounds"]["high"][2], 7.0);

    // Check strains: the two weft edges of the quad are stretched by 0.1 % a frame.
    for (int k = 0; k < 4; ++k) {
        EXPECT_EQ(run["frames"][k]["t"], 0.25 * k);
        EXPECT_NEAR(run["frames"][k]["max_strain"].get<double>(), 1e-3 * k, 1e-12);
        EXPECT_EQ(run["frames"][k]["moved"].contains("0"), k > 0);
        EXPECT_FALSE(run["frames"][k]["moved"].contains("1"));
    }
    EXPECT_EQ(run["frames"][3]["moved"]["0"][11], 3.0);
}

TEST(ViewPage, NamesStayInsideTheirScript) {
    const TemporaryFolder folder;
    CacheReader cache(small_cache(folder, small_header(), 1));
    write_view_page(folder / "view.html", small_template, cache, R"({"x": "</script><!--"})");
    const std::string page = bytes_of(folder / "view.html");
    const std::string json = block_text(page, "taut-run");
    EXPECT_EQ(json.find('<'), std::string::npos);
    const std::string name = Json::parse(json)["scene"];
    EXPECT_TRUE(name.starts_with("a </script><!-- "));
    EXPECT_TRUE(name.ends_with("\"scene\""));
}

TEST(ViewPage, PositionsComeBackInBothPrecisions) {
    const TemporaryFolder folder;
    CacheReader cache(small_cache(folder, small_header(), 3));
    for (const auto precision : {ViewPrecision::single, ViewPrecision::packed}) {
        ViewOptions options;
        options.precision = precision;
        const bool packed =
            write_view_page(folder / "view.html", small_template, cache, "", {}, options).packed;
        ASSERT_EQ(packed, precision == ViewPrecision::packed);
        const std::string page = bytes_of(folder / "view.html");
        EXPECT_TRUE(run_of(page)["report"].is_null());
        for (int k = 0; k < 3; ++k) {
            const ViewBytes bytes = decode(block_text(page, "taut-frame-" + std::to_string(k)));
            const Points x = small_frame(k).x;
            ASSERT_EQ(bytes.size(), frame_size(2, 8, packed));
            for (std::size_t i = 0; i < 8; ++i) {
                const std::size_t box = i < 5 ? 0 : 24;
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    const double low = number_at<float>(bytes, box + 4 * axis);
                    const double size = number_at<float>(bytes, box + 12 + 4 * axis);
                    const double value =
                        packed ? low + size * number_at<std::uint16_t>(bytes, 48 + 6 * i + 2 * axis) / 65534
                               : number_at<float>(bytes, 48 + 12 * i + 4 * axis);
                    EXPECT_NEAR(value, x[i][axis], packed ? 0.51 * size / 65534 + 1e-6 : 1e-6);
                }
            }
        }
    }
}

TEST(ViewPage, ThinsARunThatIsTooLarge) {
    const TemporaryFolder folder;
    CacheReader cache(small_cache(folder, small_header(), 200));
    ViewOptions options;
    options.max_bytes = 60'000;
    const auto summary = write_view_page(folder / "view.html", small_template, cache, "", {}, options);
    EXPECT_TRUE(summary.packed);
    EXPECT_LE(summary.bytes, options.max_bytes);
    EXPECT_GT(summary.frames, 10);
    EXPECT_LT(summary.frames, 200);
    const Json frames = run_of(bytes_of(folder / "view.html"))["frames"];
    ASSERT_EQ(frames.size(), static_cast<std::size_t>(summary.frames));
    EXPECT_EQ(frames.front()["frame"], 0);
    EXPECT_EQ(frames.back()["frame"], 199);

    // Keep first and last even where nothing fits.
    options.max_bytes = 0;
    EXPECT_EQ(write_view_page(folder / "view.html", small_template, cache, "", {}, options).frames, 2);
}

TEST(ViewPage, MarksWhatIsNotANumber) {
    const CacheHeader header = small_header();
    const StrainScale scale(header.tolerance);
    Points x = small_frame(0).x;
    x[1] = Vec3::Constant(std::nan(""));
    ViewBytes codes(8);
    EXPECT_TRUE(std::isnan(encode_strain(header, x, scale, codes).strain));
    EXPECT_EQ(codes[1], 255);
    EXPECT_EQ(codes[3], 0);
    const ViewBytes bytes = encode_frame(header, x, true, codes);
    EXPECT_EQ(number_at<std::uint16_t>(bytes, 48 + 6), 65535);
    EXPECT_NE(number_at<std::uint16_t>(bytes, 48), 65535);
    EXPECT_EQ(bytes[48 + 48 + 1], 255);
    EXPECT_NEAR(number_at<float>(bytes, 12), 2, 1e-5) << "the box is that of the finite points";
}

TEST(ViewPage, EmptyRun) {
    const TemporaryFolder folder;
    CacheReader cache(small_cache(folder, small_header(), 0));
    EXPECT_EQ(write_view_page(folder / "view.html", small_template, cache, "").frames, 0);
    const Json run = run_of(bytes_of(folder / "view.html"));
    EXPECT_TRUE(run["frames"].empty());
    EXPECT_TRUE(run["bounds"].empty());
}

TEST(ViewPage, RefusesBadInputAndLeavesTheOldPage) {
    const TemporaryFolder folder;
    CacheReader cache(small_cache(folder, small_header(), 1));
    put_bytes(folder / "view.html", "old");
    const auto refusal = [&](const std::string& page_template, const std::string& report) {
        return input_error([&] { write_view_page(folder / "view.html", page_template, cache, report); });
    };
    EXPECT_NE(refusal("no marker", "").find("marker"), std::string::npos);
    EXPECT_NE(refusal(small_template + small_template, "").find("marker"), std::string::npos);
    EXPECT_NE(refusal(small_template, "{broken").find("report.json"), std::string::npos);
    EXPECT_NE(refusal(small_template, "[1, 2]").find("report.json"), std::string::npos);
    EXPECT_EQ(bytes_of(folder / "view.html"), "old");
    const std::string message =
        input_error([&] { write_view_page(folder / "nowhere" / "view.html", small_template, cache, ""); });
    EXPECT_NE(message.find("nowhere"), std::string::npos);
}

TEST(ViewPage, RefusesACacheWhosePartsDisagree) {
    const auto refused = [](const CacheHeader& header) {
        const TemporaryFolder folder;
        return input_error([&] {
            CacheReader cache(small_cache(folder, header, 1));
            write_view_page(folder / "view.html", small_template, cache, "");
        });
    };
    CacheHeader gap = small_header();
    gap.cloths[0].vertex_count = 4;
    EXPECT_NE(refused(gap).find("cloths that do not follow"), std::string::npos);
    CacheHeader missing = small_header();
    missing.cloths.pop_back();
    EXPECT_NE(refused(missing).find("belong to no cloth"), std::string::npos);
}

}  // namespace
}  // namespace taut::io
