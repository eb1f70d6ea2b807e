// A run made in code that holds everything, to plant faults in: two sheets and a chain that travel together,
// pins that carry the upper sheet, and obstacles of every shape out of their way.
#pragma once

#include <cmath>
#include <functional>

#include "io/temporary_folder.hpp"
#include "taut/io/cache.hpp"
#include "taut/io/verify.hpp"

namespace taut::tests {

// The obstacles, in order.
enum Solid { ball = 0, rod = 1, block = 2, tent = 3, ground = 4 };

class PlantedRun {
public:
    static constexpr int side = 5;                           // vertices of a sheet along a side
    static constexpr double cell = 0.1;                      // [m]
    static constexpr int lower = 0, upper = 25, chain = 50;  // first vertices
    static constexpr double tolerance = 1e-3;

    io::CacheHeader header;
    std::vector<io::CacheFrame> frames;

    explicit PlantedRun(int count = 8) {
        header.scene_name = "planted";
        header.effective_scene = "{}";
        header.fps = 10;
        header.tolerance = tolerance;
        Points rest;
        add_sheet("lower", Vec3(0.03, 0.04, 0), rest);
        add_sheet("upper", Vec3(0, 0, 0.1), rest);
        add_chain(Vec3(0.23, 0.14, 0.3), rest);
        header.vertices = static_cast<int>(rest.size());
        add_pins(rest);
        add_obstacles();
        for (int k = 0; k < count; ++k) {
            io::CacheFrame frame;
            frame.t = k / header.fps;
            const RigidTransform place = (*header.pins)[0].motion.at(frame.t);
            for (const Vec3& p : rest) frame.x.push_back(place(p));
            frame.obstacles.resize(header.obstacles.size());
            frame.deformed.resize(header.obstacles.size());
            frame.deformed[tent] = header.obstacles[tent].mesh->rest;
            frames.push_back(std::move(frame));
        }
    }

    Vec3& x(std::size_t frame, int vertex) { return frames[frame].x[static_cast<std::size_t>(vertex)]; }

    // Moves vertices from `first` on, in frames from `frame` on.
    void shift(std::size_t frame, int first, int count, const Vec3& by) {
        for (std::size_t k = frame; k < frames.size(); ++k) {
            for (int v = first; v < first + count; ++v) x(k, v) += by;
        }
    }

    void write(const std::filesystem::path& file, io::CacheContent content = io::CacheContent::frames) const {
        io::CacheHeader marked = header;
        marked.content = content;
        io::CacheWriter writer(file, marked);
        for (const io::CacheFrame& frame : frames) writer.append(frame);
    }

    // Checks the run, as frames only or as frames and steps.
    io::VerifyReport verify(bool steps = false, io::VerifyOptions options = {}) const {
        const TemporaryFolder folder;
        write(folder / "cache.taut");
        if (steps) write(folder / "steps.taut", io::CacheContent::steps);
        return io::verify_run(folder / "cache.taut", steps ? folder / "steps.taut" : std::filesystem::path(),
                              options);
    }

private:
    void add_sheet(const char* name, const Vec3& corner, Points& rest) {
        Cloth cloth;
        cloth.name = name;
        cloth.first_vertex = static_cast<int>(rest.size());
        cloth.vertex_count = side * side;
        cloth.first_face = static_cast<int>(header.faces.size());
        cloth.face_count = (side - 1) * (side - 1);
        cloth.first_edge = static_cast<int>(header.edges.size());
        const auto vertex = [&](int i, int j) { return cloth.first_vertex + i + side * j; };
        for (int j = 0; j < side; ++j) {
            for (int i = 0; i < side; ++i) rest.push_back(corner + Vec3(cell * i, cell * j, 0));
        }
        for (int j = 0; j + 1 < side; ++j) {
            for (int i = 0; i + 1 < side; ++i)
                header.faces.push_back(
                    {{vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)}});
        }
        for (int j = 0; j < side; ++j) {
            for (int i = 0; i < side; ++i) {
                const int face =
                    cloth.first_face + std::min(i, side - 2) + (side - 1) * std::min(j, side - 2);
                if (i + 1 < side) add_edge(vertex(i, j), vertex(i + 1, j), mesh::Direction::weft, face);
                if (j + 1 < side) add_edge(vertex(i, j), vertex(i, j + 1), mesh::Direction::warp, face);
            }
        }
        cloth.edge_count = static_cast<int>(header.edges.size()) - cloth.first_edge;
        header.cloths.push_back(cloth);
    }

    void add_edge(int a, int b, mesh::Direction direction, int face) {
        header.edges.push_back({a, b, direction, {face, -1}});
        header.rest_length.push_back(cell);
    }

    void add_chain(const Vec3& start, Points& rest) {
        Cloth cloth;
        cloth.name = "chain";
        cloth.first_vertex = static_cast<int>(rest.size());
        cloth.vertex_count = 3;
        cloth.first_face = static_cast<int>(header.faces.size());
        cloth.first_edge = static_cast<int>(header.edges.size());
        cloth.edge_count = 2;
        for (int k = 0; k < 3; ++k) rest.push_back(start + Vec3(0, cell * k, 0));
        for (int k = 0; k < 2; ++k)
            add_edge(cloth.first_vertex + k, cloth.first_vertex + k + 1, mesh::Direction::warp, -1);
        header.cloths.push_back(cloth);
    }

    void add_pins(const Points& rest) {
        PinGroup pin;
        pin.name = "corners";
        pin.vertices = {upper, upper + side - 1};
        for (const int v : pin.vertices) pin.anchor.push_back(rest[static_cast<std::size_t>(v)]);
        pin.motion = Motion({{0, Vec3::Zero(), Vec3::Zero()}, {10, Vec3(0.3, 0.1, 0), Vec3::Zero()}},
                            Vec3::Zero(), Interpolation::linear);
        header.pins = std::vector{pin};
    }

    void add_obstacles() {
        const auto add = [&](const char* name, collision::Shape shape, const Vec3& center, double radius) {
            collision::Obstacle obstacle;
            obstacle.name = name;
            obstacle.shape = shape;
            obstacle.center = center;
            obstacle.radius = radius;
            header.obstacles.push_back(obstacle);
        };
        add("ball", collision::Shape::sphere, Vec3(0.2, 0.2, -0.5), 0.1);
        add("rod", collision::Shape::capsule, Vec3(-1, 0.2, -0.3), 0.05);
        header.obstacles[rod].end = Vec3(1, 0.2, -0.3);
        add("block", collision::Shape::box, Vec3(0.22, 0.23, 1), 0);
        header.obstacles[block].half_size = Vec3(0.02, 0.02, 0.02);
        add("tent", collision::Shape::mesh, Vec3::Zero(), 0);
        header.obstacles[tent].mesh = std::make_shared<const collision::ObstacleMesh>(
            collision::ObstacleMesh{{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}},
                                    {{0.2, 0.2, 0.7}, {0.25, 0.2, 0.7}, {0.2, 0.25, 0.7}, {0.22, 0.22, 0.72}},
                                    nullptr});
        add("ground", collision::Shape::plane, Vec3(0, 0, -1), 0);
        header.deforming = {0, 0, 0, 1, 0};
    }
};

}  // namespace taut::tests
