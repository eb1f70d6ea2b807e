// Obstacles that are meshes in pictures: drawn where the frame has them, with smooth normals.
#include <gtest/gtest.h>

#include <cmath>

#include "io/small_run.hpp"
#include "taut/io/picture.hpp"
#include "taut/io/picture_scene.hpp"

namespace taut::io {
namespace {

// A cloth far above a ball of 180 triangles, its lowest corner a quarter of a metre below its middle.
struct MeshScene {
    CacheHeader header = tests::small_header();
    CacheFrame frame = tests::small_frame(0);
    PictureSettings settings;

    explicit MeshScene(bool deforming) {
        collision::Obstacle ball;
        ball.shape = collision::Shape::polygon_sphere;
        ball.radius = 0.25;
        ball.frequency = 3;
        auto shell = *collision::as_mesh(ball);
        ball.shape = collision::Shape::mesh;
        ball.radius = 0;
        ball.mesh = std::make_shared<const collision::ObstacleMesh>(
            collision::ObstacleMesh{shell.triangles, shell.points, nullptr});
        header.obstacles = {ball};
        frame.obstacles.resize(1);
        frame.obstacles[0].translation = Vec3(0.5, 0.5, -1);
        if (deforming) {
            header.deforming = {1};
            frame.deformed = {shell.points};
            for (Vec3& p : frame.deformed[0]) p = 2 * p + Vec3(0.5, 0.5, -1);
        }
        settings.width = 160;
        settings.height = 120;
    }
    Camera camera() const { return fit_camera(header, std::span(&frame, 1), settings); }
};

TEST(PictureMesh, IsDrawnWhereTheFrameHasItWithSmoothNormals) {
    for (const bool deforming : {false, true}) {
        const MeshScene scene(deforming);
        const double radius = deforming ? 0.5 : 0.25;
        const Camera camera = scene.camera();
        const picture::Scene drawn = picture::build_scene(scene.header, scene.frame, camera, scene.settings);
        const Vec3 center = Vec3(0.5, 0.5, -1) - camera.center;
        std::size_t corners = 0;
        for (std::size_t k = drawn.position.size() - scene.header.obstacles[0].mesh->rest.size();
             k < drawn.position.size(); ++k) {
            const Vec3 out = drawn.position[k].cast<double>() - center;
            EXPECT_NEAR(out.norm(), radius, 0.03);
            EXPECT_LT(out.norm(), radius);
            EXPECT_GT(out.normalized().dot(drawn.normal[k].cast<double>()), 0.99);
            ++corners;
        }
        EXPECT_EQ(corners, 92u);
        EXPECT_GE(drawn.triangles.size(), 180u);
    }
}

TEST(PictureMesh, TheCameraSeesAllOfIt) {
    CacheHeader none = MeshScene(true).header;
    none.obstacles.clear();
    const MeshScene scene(true);
    const Camera with = scene.camera(),
                 without = fit_camera(none, std::span(&scene.frame, 1), scene.settings);
    EXPECT_LT(with.ground, without.ground + 1e-9);
    EXPECT_NE(with.eye, without.eye);
    EXPECT_NE(render_frame(scene.header, scene.frame, with, scene.settings).rgb,
              render_frame(none, scene.frame, with, scene.settings).rgb);
}

TEST(PictureMesh, SurvivesWreckedPoints) {
    for (const double bad : {std::nan(""), double(INFINITY), 1e300}) {
        MeshScene scene(true);
        scene.frame.deformed[0][7].x() = bad;
        const Image image = render_frame(scene.header, scene.frame, scene.camera(), scene.settings);
        EXPECT_EQ(image.rgb.size(), 160u * 120 * 3);
    }
    MeshScene lacking(true);
    lacking.frame.deformed.clear();
    lacking.frame.obstacles.clear();
    EXPECT_NO_THROW(render_frame(lacking.header, lacking.frame, lacking.camera(), lacking.settings));
}

}  // namespace
}  // namespace taut::io
