// Correction maps in pictures: arrows where the edges are, heads at the vertices that move, colours by order,
// nothing through the cloth, lines alone on large meshes, and the same bits for any thread count.
#include "taut/io/picture_map.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "taut/base/parallel.hpp"

namespace taut::io::picture_map_test {
namespace {

using Rgb = std::array<std::uint8_t, 3>;

// Sheets of n x n vertices and side 1 m that stand upright in the planes y = depth, seen from the front.
struct Sheets {
    CacheHeader header;
    CacheFrame frame;
    PictureSettings settings;
    CorrectionMap map{"test", 0, {}, {}};

    explicit Sheets(int n, const std::vector<double>& depths = {0}) {
        for (const double depth : depths) {
            const int first = header.vertices;
            Cloth cloth;
            cloth.first_vertex = first;
            cloth.vertex_count = n * n;
            header.cloths.push_back(cloth);
            for (int j = 0; j < n; ++j) {
                for (int i = 0; i < n; ++i) {
                    const int v = first + j * n + i;
                    frame.x.push_back({double(i) / (n - 1), depth, double(j) / (n - 1)});
                    if (i + 1 < n && j + 1 < n) header.faces.push_back({{v, v + 1, v + n + 1, v + n}});
                }
            }
            header.vertices += n * n;
        }
        settings.width = settings.height = 400;
        settings.view = {0, -1, 0};
        settings.ground = false;
    }
    Camera camera() const { return fit_camera(header, std::span(&frame, 1), settings); }
    Image picture(bool with_map = true) const {
        return render_frame(header, frame, camera(), settings, {}, with_map ? &map : nullptr);
    }
    // Where a point lands [pixel].
    Vec2 place(const Vec3& p) const {
        const Camera camera = this->camera();
        const Vec3 q = p - camera.eye;
        const double scale =
            0.5 * settings.height / std::tan(camera.fov * EIGEN_PI / 360) / q.dot(camera.forward);
        return {0.5 * settings.width + scale * q.x(), 0.5 * settings.height - scale * q.z()};
    }
    Vec2 place(int v) const { return place(frame.x[static_cast<std::size_t>(v)]); }
};

int distance(const Rgb& a, const Rgb& b) {
    return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]);
}

bool in_legend(const Image& image, int x, int y) { return x > image.width / 2 && y > image.height * 3 / 4; }

// Colours far from the pale, grey cloth belong to arrows.
bool colored(const Rgb& c) { return std::max({c[0], c[1], c[2]}) - std::min({c[0], c[1], c[2]}) > 60; }

int colored_pixels(const Image& image) {
    int count = 0;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) count += !in_legend(image, x, y) && colored(image.pixel(x, y));
    }
    return count;
}

// Coloured pixels across an edge at a part of the way from a to b.
int width_at(const Sheets& scene, const Image& image, int a, int b, double part) {
    const Vec2 from = scene.place(a), to = scene.place(b), along = (to - from).normalized();
    const Vec2 side(-along.y(), along.x()), middle = from + part * (to - from);
    int count = 0;
    for (int k = -12; k <= 12; ++k) {
        const Vec2 p = middle + k * side;
        count += colored(image.pixel(static_cast<int>(p.x()), static_cast<int>(p.y())));
    }
    return count;
}

TEST(PictureMap, DrawsArrowsThatPointToTheVertexThatMoves) {
    Sheets scene(4);
    scene.map.list = {{9, 10, SpringKind::horizontal}, {14, 13, SpringKind::horizontal}};
    const Image plain = scene.picture(false), drawn = scene.picture();
    EXPECT_NE(plain.rgb, drawn.rgb);
    for (const Correction& c : scene.map.list) {
        const int shaft = width_at(scene, drawn, c.from, c.to, 0.5);
        const int head = width_at(scene, drawn, c.from, c.to, 0.86);
        EXPECT_GE(shaft, 1);
        EXPECT_GT(head, shaft + 1);
        EXPECT_EQ(width_at(scene, drawn, c.from, c.to, 0.15), shaft);
    }
    EXPECT_EQ(width_at(scene, drawn, 5, 6, 0.5), 0) << "an edge that is not corrected";
}

TEST(PictureMap, ColoursGoFromFirstToLast) {
    Sheets scene(6);
    for (int k = 0; k < 5; ++k) scene.map.list.push_back({18 + k, 19 + k, SpringKind::horizontal});
    const Image image = scene.picture();
    std::vector<Rgb> colors;
    for (int k = 0; k < 5; ++k) {
        const Vec2 middle = 0.5 * (scene.place(18 + k) + scene.place(19 + k));
        colors.push_back(image.pixel(static_cast<int>(middle.x()), static_cast<int>(middle.y())));
    }
    EXPECT_GT(colors[0][2], colors[0][0]) << "blue first";
    EXPECT_GT(colors[4][0], colors[4][2] + 60) << "amber last";
    for (std::size_t k = 1; k < 5; ++k) EXPECT_GT(colors[k][0], colors[k - 1][0]);
}

TEST(PictureMap, NothingShowsThroughTheCloth) {
    Sheets scene(5, {0, 0.02});
    const int behind = 25;
    for (int j = 1; j < 4; ++j) {
        for (int i = 1; i < 3; ++i)
            scene.map.list.push_back({behind + 5 * j + i, behind + 5 * j + i + 1, SpringKind::horizontal});
    }
    scene.map.fixed = {behind + 12};
    EXPECT_EQ(colored_pixels(scene.picture()), 0);
    for (Correction& c : scene.map.list) c.from -= behind, c.to -= behind;
    EXPECT_GT(colored_pixels(scene.picture()), 300);

    // Seen from behind, the same arrows are on the far side of the other sheet.
    scene.settings.view = {0, 1, 0};
    EXPECT_EQ(colored_pixels(scene.picture()), 0);
}

TEST(PictureMap, DiagonalsLieOnTheFoldOfTheirQuad) {
    // Lift the corners of the fold towards the eye: the straight line between the others is behind the cloth.
    Sheets scene(2);
    scene.frame.x[0].y() = scene.frame.x[3].y() = -0.3;
    scene.map.list = {{1, 2, SpringKind::shear}};
    EXPECT_GT(width_at(scene, scene.picture(), 1, 2, 0.5), 0);
    EXPECT_GT(width_at(scene, scene.picture(), 1, 2, 0.3), 0);
}

TEST(PictureMap, FixedVerticesAreDots) {
    Sheets scene(5);
    scene.map.fixed = {12};
    scene.map.list = {{12, 13, SpringKind::horizontal}};
    const Image image = scene.picture();
    const Vec2 p = scene.place(12);
    EXPECT_LT(distance(image.pixel(static_cast<int>(p.x()), static_cast<int>(p.y())), {0, 0, 0}), 140);
}

TEST(PictureMap, LegendTellsTheNumberAndStandsAboveThatOfStrain) {
    Sheets scene(5);
    scene.settings.width = 640;
    scene.map.list = {{0, 1, SpringKind::horizontal}};
    const Image plain = scene.picture(false), one = scene.picture();
    const auto changed = [](const Image& a, const Image& b, int top, int bottom) {
        int count = 0;
        for (int y = top; y < bottom; ++y) {
            for (int x = 480; x < 640; ++x) count += distance(a.pixel(x, y), b.pixel(x, y)) > 60;
        }
        return count;
    };
    EXPECT_GT(changed(plain, one, 340, 400), 500);
    scene.map.list.push_back({1, 2, SpringKind::horizontal});
    EXPECT_GT(changed(one, scene.picture(), 340, 400), 0) << "another number";
    scene.settings.strain_colors = true;
    const Image strain = scene.picture(false);
    EXPECT_EQ(changed(strain, scene.picture(), 350, 400), 0);
    EXPECT_GT(changed(strain, scene.picture(), 270, 350), 500);
}

TEST(PictureMap, LargeMapsHaveLinesAlone) {
    Sheets scene(45);
    for (int v = 0; v + 1 < 45 * 45; ++v) {
        if (v % 45 != 44) scene.map.list.push_back({v, v + 1, SpringKind::horizontal});
        if (v + 45 < 45 * 45) scene.map.list.push_back({v, v + 45, SpringKind::vertical});
    }
    ASSERT_GT(scene.map.list.size(), picture::most_arrow_heads);
    const double lines = colored_pixels(scene.picture()) / double(scene.map.list.size());
    scene.map.list.resize(picture::most_arrow_heads);
    const double arrows = colored_pixels(scene.picture()) / double(picture::most_arrow_heads);
    EXPECT_GT(lines, 2);
    EXPECT_LT(lines, 0.85 * arrows);
}

TEST(PictureMap, HasTheSameBitsForAnyThreadCount) {
    Sheets scene(5, {0, 0.3});
    scene.settings.view = {0.3, -1, 0.4};
    scene.map.fixed = {0, 30};
    for (int v = 0; v < 45; v += 2) scene.map.list.push_back({v, v + 1, SpringKind::horizontal});
    Image one;
    {
        const ThreadLimit limit(1);
        one = scene.picture();
    }
    EXPECT_EQ(one.rgb, scene.picture().rgb);
}

TEST(PictureMap, LeavesOutWhatIsNotThere) {
    // Vertices that are not finite, none of the cloth, behind the eye, and lists of nothing.
    Sheets scene(5);
    scene.frame.x[6] = Vec3::Constant(std::nan(""));
    scene.map.list = {
        {6, 7, SpringKind::horizontal}, {12, 99, SpringKind::vertical}, {-1, 3, SpringKind::shear}};
    scene.map.fixed = {6, 99, -1};
    EXPECT_EQ(colored_pixels(scene.picture()), 0);
    scene.map = {};
    EXPECT_EQ(colored_pixels(scene.picture()), 0);
}

TEST(PictureMap, ChainsAreCorrectedToo) {
    Sheets scene(2);
    scene.header = {};
    scene.frame = {};
    for (int k = 0; k < 6; ++k) {
        scene.frame.x.push_back({0.2 * k, 0, 0.1 * (k % 2)});
        if (k > 0) scene.header.edges.push_back({k - 1, k, mesh::Direction::warp, {-1, -1}});
        if (k > 0) scene.header.rest_length.push_back(0.22);
        if (k > 0) scene.map.list.push_back({k - 1, k, SpringKind::vertical});
    }
    scene.header.vertices = 6;
    scene.header.cloths.resize(1);
    scene.header.cloths[0].vertex_count = 6;
    EXPECT_GT(colored_pixels(scene.picture()), 200);
}

}  // namespace
}  // namespace taut::io::picture_map_test
