// Pictures: what is where, the same bits for any thread count, and files that libpng reads.
#include "taut/io/picture.hpp"

#include <gtest/gtest.h>
#include <png.h>

#include <cmath>
#include <limits>

#include "io/temporary_folder.hpp"
#include "taut/base/parallel.hpp"
#include "taut/io/picture_scene.hpp"

namespace taut::io {
namespace {

using Rgb = std::array<std::uint8_t, 3>;

// A level n x n sheet of side 1 m at height z, centred on the z axis.
void add_sheet(CacheHeader& header, CacheFrame& frame, int n, double z) {
    const int first = header.vertices;
    Cloth cloth;
    cloth.first_vertex = first;
    cloth.vertex_count = n * n;
    header.cloths.push_back(cloth);
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            const int v = first + j * n + i;
            frame.x.push_back({double(i) / (n - 1) - 0.5, double(j) / (n - 1) - 0.5, z});
            const auto face = [&](int a, int b) {
                return a < 0 || b < 0 || a >= n - 1 || b >= n - 1 ? -1 : b * (n - 1) + a;
            };
            const auto add_edge = [&](int to, mesh::Direction direction, int f, int g) {
                header.edges.push_back({v, to, direction, {f < 0 ? g : f, f < 0 ? -1 : g}});
                header.rest_length.push_back(1.0 / (n - 1));
            };
            if (i + 1 < n) add_edge(v + 1, mesh::Direction::weft, face(i, j - 1), face(i, j));
            if (j + 1 < n) add_edge(v + n, mesh::Direction::warp, face(i - 1, j), face(i, j));
            if (i + 1 < n && j + 1 < n) header.faces.push_back({{v, v + 1, v + n + 1, v + n}});
        }
    }
    header.vertices += n * n;
}

// A sheet high above a grey ball that lies on the floor; the ball is seen below the sheet.
struct SheetAndBall {
    CacheHeader header;
    CacheFrame frame;
    PictureSettings settings;

    SheetAndBall() {
        add_sheet(header, frame, 21, 0.9);
        collision::Obstacle ball;
        ball.shape = collision::Shape::sphere;
        ball.radius = 0.25;
        ball.center = {0, 0, 0.25};
        header.obstacles = {ball};
        frame.obstacles.resize(1);
        settings.width = 320;
        settings.height = 240;
        settings.view = {0, -1, 0.45};
    }
    Camera camera() const { return fit_camera(header, std::span(&frame, 1), settings); }
    Image picture() const { return render_frame(header, frame, camera(), settings); }
};

// Where a point of the world lands in the picture [pixel].
std::array<int, 2> project(const Camera& camera, const PictureSettings& settings, const Vec3& p) {
    const Vec3 right = camera.forward.cross(Vec3::UnitZ()).normalized(), up = right.cross(camera.forward);
    const Vec3 q = p - camera.eye;
    const double scale =
        0.5 * settings.height / std::tan(camera.fov * EIGEN_PI / 360) / q.dot(camera.forward);
    return {int(0.5 * settings.width + scale * q.dot(right)), int(0.5 * settings.height - scale * q.dot(up))};
}

Rgb at(const SheetAndBall& scene, const Image& image, const Vec3& p) {
    const auto [x, y] = project(scene.camera(), scene.settings, p);
    return image.pixel(x, y);
}

int spread(const Rgb& c) { return std::max({c[0], c[1], c[2]}) - std::min({c[0], c[1], c[2]}); }

TEST(Picture, ShowsClothBallShadowAndBackgroundWhereTheyAre) {
    const SheetAndBall scene;
    const Image image = scene.picture();
    const Rgb cloth = at(scene, image, {0.1, 0.1, 0.9});
    EXPECT_GT(cloth[0], cloth[1] + 60);
    EXPECT_GT(cloth[0], 140);
    const Rgb ball = at(scene, image, {0, -0.24, 0.25});
    EXPECT_LT(spread(ball), 25);
    EXPECT_GT(ball[1], 30);
    EXPECT_LT(ball[1], 215);

    // The light comes from the left of the eye: the sheet's shadow lies to the right of the ball.
    const Rgb corner = image.pixel(2, 2), shadow = at(scene, image, {0.6, 0.3, 0});
    EXPECT_GT(corner[1], 200);
    EXPECT_LT(spread(corner), 12);
    EXPECT_LT(shadow[1] + 40, corner[1]);
    EXPECT_LT(spread(shadow), 40);
}

TEST(Picture, HasTheSameBitsForAnyThreadCount) {
    SheetAndBall scene;
    scene.settings.wireframe = scene.settings.strain_colors = true;
    Image one, two, all;
    {
        const ThreadLimit limit(1);
        one = scene.picture();
    }
    {
        const ThreadLimit limit(2);
        two = scene.picture();
    }
    all = scene.picture();
    EXPECT_EQ(one.rgb, two.rgb);
    EXPECT_EQ(one.rgb, all.rgb);
}

TEST(Picture, ShadowOfTheSheetDarkensTheBall) {
    SheetAndBall scene;
    const Image covered = scene.picture();
    CacheFrame aside = scene.frame;
    for (Vec3& p : aside.x) p.z() -= 100;
    const Image open = render_frame(scene.header, aside, scene.camera(), scene.settings);
    const Vec3 top{-0.1, -0.15, 0.4};
    EXPECT_LT(at(scene, covered, top)[1] + 30, at(scene, open, top)[1]);
}

TEST(Picture, FrontAndBackOfTheClothDiffer) {
    SheetAndBall scene;
    scene.header.obstacles.clear();
    const Rgb front = at(scene, scene.picture(), {0, 0, 0.9});
    for (auto& face : scene.header.faces) std::swap(face.corner[1], face.corner[3]);
    const Rgb back = at(scene, scene.picture(), {0, 0, 0.9});
    EXPECT_GT(back[1], front[1] + 40);
}

TEST(Picture, StrainColorsFollowTheStrainAndCarryALegend) {
    SheetAndBall scene;
    scene.settings.width = 640;
    scene.settings.height = 400;
    const Image plain = scene.picture();
    scene.settings.strain_colors = true;
    scene.settings.strain_limit = 0.1;
    const Image calm = scene.picture();
    const Vec3 middle{0, 0, 0.9};
    const Rgb none = at(scene, calm, middle);
    EXPECT_GT(none[2], none[1]);
    EXPECT_NE(at(scene, plain, middle), none);

    // Stretch everything to the end of the scale: from violet to yellow.
    for (double& length : scene.header.rest_length) length /= 1.1;
    const Rgb full = at(scene, scene.picture(), middle);
    EXPECT_GT(full[0], full[2] + 60);
    EXPECT_GT(full[1], full[2] + 60);

    int changed = 0;
    for (int x = 450; x < 640; ++x) {
        for (int y = 350; y < 400; ++y) changed += plain.pixel(x, y) != calm.pixel(x, y);
    }
    EXPECT_GT(changed, 500);
}

TEST(Picture, StrainScaleEndsAtTheToleranceUnlessGiven) {
    SheetAndBall scene;
    scene.settings.strain_colors = true;
    for (double& length : scene.header.rest_length) length /= 1.002;
    const Vec3 middle{0, 0, 0.9};
    scene.header.tolerance = 0.002;
    const Rgb full = at(scene, scene.picture(), middle);
    scene.settings.strain_limit = 10;
    const Rgb none = at(scene, scene.picture(), middle);
    EXPECT_GT(full[1], full[2] + 60);
    EXPECT_LT(none[1], none[2]);
}

TEST(Picture, WireframeDarkensYarnsAndKeepsCells) {
    SheetAndBall scene;
    const Image plain = scene.picture();
    scene.settings.wireframe = true;
    const Image wired = scene.picture();
    const auto [x, y] = project(scene.camera(), scene.settings, {0, 0, 0.9});
    int darkest = 0, least = 255;
    for (int k = -12; k <= 12; ++k) {
        const int change = plain.pixel(x + k, y)[0] - wired.pixel(x + k, y)[0];
        darkest = std::max(darkest, change);
        least = std::min(least, change);
    }
    EXPECT_GT(darkest, 25);
    EXPECT_LT(least, darkest / 2);
}

TEST(Picture, DrawsChains) {
    CacheHeader header;
    CacheFrame frame;
    for (int k = 0; k < 10; ++k) {
        frame.x.push_back({0.1 * k, 0, 0});
        if (k == 0) continue;
        header.edges.push_back({k - 1, k, mesh::Direction::warp, {-1, -1}});
        header.rest_length.push_back(0.1);
    }
    header.vertices = 10;
    header.cloths.resize(1);
    header.cloths[0].vertex_count = 10;
    PictureSettings settings;
    settings.width = 400;
    settings.height = 200;
    const Camera camera = fit_camera(header, std::span(&frame, 1), settings);
    const Image image = render_frame(header, frame, camera, settings);
    const auto [x, y] = project(camera, settings, {0.45, 0, 0});
    const Rgb tube = image.pixel(x, y);
    EXPECT_GT(tube[0], tube[1] + 40);
}

TEST(Picture, OneCameraHoldsAllFrames) {
    SheetAndBall scene;
    CacheFrame far = scene.frame;
    for (Vec3& p : far.x) p += Vec3(3, 1, -0.5);
    const std::vector<CacheFrame> frames{scene.frame, far};
    for (const Vec3& view :
         {Vec3(Vec3::Zero()), Vec3(1, 1, 1), Vec3(0, 0, 1), Vec3(0, -1, 0), Vec3(0.1, 0.2, -1)}) {
        scene.settings.view = view;
        const Camera camera = fit_camera(scene.header, frames, scene.settings);
        if (view.head<2>().norm() == 0 && view.z() > 0) continue;  // `project` knows no view from the top
        for (const CacheFrame& frame : frames) {
            for (const Vec3& p : frame.x) {
                const auto [x, y] = project(camera, scene.settings, p);
                EXPECT_TRUE(x >= 0 && y >= 0 && x < scene.settings.width && y < scene.settings.height);
            }
        }
    }
}

TEST(Picture, SurvivesEmptyDegenerateAndBrokenFrames) {
    PictureSettings settings;
    settings.width = 64;
    settings.height = 48;
    settings.strain_colors = settings.wireframe = true;
    const auto draw = [&](const CacheHeader& header, const CacheFrame& frame) {
        return render_frame(header, frame, fit_camera(header, std::span(&frame, 1), settings), settings);
    };
    EXPECT_EQ(draw({}, {}).rgb.size(), 64u * 48 * 3);

    CacheHeader header;
    CacheFrame frame;
    add_sheet(header, frame, 5, 0);
    for (double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e300, -1e12}) {
        CacheFrame broken = frame;
        broken.x[7] = {0, bad, 0};
        EXPECT_EQ(draw(header, broken).rgb.size(), 64u * 48 * 3);
        broken.x.assign(broken.x.size(), Vec3::Constant(bad));
        EXPECT_EQ(draw(header, broken).rgb.size(), 64u * 48 * 3);
    }
    CacheFrame point = frame;
    point.x.assign(point.x.size(), Vec3(5, 5, 5));
    EXPECT_EQ(draw(header, point).rgb.size(), 64u * 48 * 3);
    CacheFrame cut = frame;
    cut.x.resize(3);
    EXPECT_EQ(draw(header, cut).rgb.size(), 64u * 48 * 3);
}

TEST(Picture, SurvivesObstaclesOfNoSizeAndHugeOnes) {
    CacheHeader header;
    CacheFrame frame;
    add_sheet(header, frame, 5, 0);
    PictureSettings settings;
    settings.width = 64;
    settings.height = 48;
    for (auto shape : {collision::Shape::plane, collision::Shape::sphere, collision::Shape::capsule,
                       collision::Shape::box, collision::Shape::polygon_sphere}) {
        for (double size : {0.0, 1e4}) {
            collision::Obstacle obstacle;
            obstacle.shape = shape;
            obstacle.radius = size;
            obstacle.half_size = {size, size, size / 10};
            obstacle.end = {size, 0, 0};
            obstacle.normal = size > 0 ? Vec3(0, -0.6, 0.8) : Vec3(0, 0, 1);
            header.obstacles = {obstacle};
            const Camera camera = fit_camera(header, std::span(&frame, 1), settings);
            EXPECT_EQ(render_frame(header, frame, camera, settings).rgb.size(), 64u * 48 * 3);
        }
    }
}

TEST(Picture, PolygonSphereHasFlatFacets) {
    SheetAndBall scene;
    collision::Obstacle& ball = scene.header.obstacles.front();
    ball.shape = collision::Shape::polygon_sphere;
    ball.frequency = 3;
    scene.frame.obstacles[0].rotation = Eigen::AngleAxisd(0.7, Vec3::UnitX()).toRotationMatrix();
    const Camera camera = scene.camera();
    const picture::Scene drawn = picture::build_scene(scene.header, scene.frame, camera, scene.settings);
    const Vec3 center = scene.frame.obstacles[0](ball.center) - camera.center;
    int facets = 0;
    for (const picture::Triangle& triangle : drawn.triangles) {
        const auto corner = [&](std::size_t k) { return static_cast<std::size_t>(triangle.v[k]); };
        if (corner(0) < drawn.two_sided) continue;
        ++facets;
        const picture::Vec3f a = drawn.position[corner(0)];
        const picture::Vec3f normal =
            (drawn.position[corner(1)] - a).cross(drawn.position[corner(2)] - a).normalized();
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_LT((drawn.normal[corner(k)] - normal).norm(), 1e-4f);
            EXPECT_NEAR((drawn.position[corner(k)].cast<double>() - center).norm(), 0.25, 0.0126);
        }
    }
    EXPECT_EQ(facets, 20 * 9);
    ball.frequency = 99;
    EXPECT_EQ(picture::build_scene(scene.header, scene.frame, camera, scene.settings).triangles.size() + 180,
              drawn.triangles.size());
}

TEST(Picture, CutsOffWhatIsBehindTheEye) {
    // A table that reaches behind the camera must still fill the lower part of the picture.
    SheetAndBall scene;
    collision::Obstacle table;
    table.shape = collision::Shape::box;
    table.half_size = {50, 50, 0.5};
    table.center = {0, 0, -0.5};
    scene.header.obstacles.push_back(table);
    scene.settings.background = {0, 0, 1};
    Camera camera = scene.camera();
    camera.eye = {0, -2, 2};
    camera.forward = Vec3(0, 0.6, -0.8);
    camera.fov = 60;
    const Image image = render_frame(scene.header, scene.frame, camera, scene.settings);
    for (int x = 5; x < 320; x += 10) EXPECT_LT(spread(image.pixel(x, 238)), 40);
}

TEST(Picture, RefusesSettingsOutOfRange) {
    const CacheHeader header;
    const auto with = [&](auto change) {
        PictureSettings settings;
        change(settings);
        return tests::input_error([&] { render_frame(header, {}, {}, settings); });
    };
    EXPECT_NE(with([](auto& s) { s.width = 0; }).find("width"), std::string::npos);
    EXPECT_NE(with([](auto& s) { s.height = 100000; }).find("height"), std::string::npos);
    EXPECT_NE(with([](auto& s) { s.samples = 0; }).find("samples"), std::string::npos);
    EXPECT_NE(with([](auto& s) { s.fov = std::nan(""); }).find("fov"), std::string::npos);
    EXPECT_NE(with([](auto& s) { s.view.x() = INFINITY; }).find("view"), std::string::npos);
    Camera lost;
    lost.eye.x() = std::nan("");
    EXPECT_NE(tests::input_error([&] { render_frame(header, {}, lost, {}); }).find("camera"),
              std::string::npos);
}

TEST(Picture, FilmStripPlacesPicturesAndLabels) {
    const std::vector<Image> images{Image(100, 80, {255, 0, 0}), Image(100, 80, {0, 255, 0}),
                                    Image(100, 80, {0, 0, 255})};
    const Image strip = film_strip(images, 2, {});
    EXPECT_EQ(strip.width, 202);
    EXPECT_EQ(strip.height, 162);
    EXPECT_EQ(strip.pixel(150, 40), (Rgb{0, 255, 0}));
    EXPECT_EQ(strip.pixel(50, 120), (Rgb{0, 0, 255}));
    EXPECT_EQ(strip.pixel(150, 120), (Rgb{255, 255, 255}));
    const Image labelled = film_strip(images, 2, {"0.00 s", "0.50 s", "1.00 s"});
    EXPECT_NE(labelled.rgb, strip.rgb);
    EXPECT_EQ(film_strip({}, 3, {}).width, 0);
    EXPECT_THROW(film_strip(images, 0, {}), InputError);
}

// Reads a file back with libpng alone.
Image read_back(const std::filesystem::path& file) {
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    Image image;
    if (png_image_begin_read_from_file(&header, file.c_str()) == 0) return image;
    header.format = PNG_FORMAT_RGB;
    image = Image(static_cast<int>(header.width), static_cast<int>(header.height), {0, 0, 0});
    png_image_finish_read(&header, nullptr, image.rgb.data(), 0, nullptr);
    return image;
}

TEST(Picture, PngReadsBackTheSame) {
    const tests::TemporaryFolder folder;
    const SheetAndBall scene;
    const Image image = scene.picture();
    write_png(folder / "preview.png", image, "sheet and ball");
    const Image back = read_back(folder / "preview.png");
    EXPECT_EQ(back.width, image.width);
    EXPECT_EQ(back.height, image.height);
    EXPECT_EQ(back.rgb, image.rgb);
    EXPECT_NE(tests::bytes_of(folder / "preview.png").find("sheet and ball"), std::string::npos);

    // Nothing else is left in the folder, and a bad place is an error.
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
    EXPECT_THROW(write_png(folder / "no/such/place.png", image), InputError);
    EXPECT_THROW(write_png(folder / "empty.png", Image{}), InputError);
}

}  // namespace
}  // namespace taut::io
