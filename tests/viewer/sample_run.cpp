// Formulas of the sample run. Every profile is integrated from its turning angle along the arc, so
// that edges keep their length; a small known strain is then added for the heat map to show.
#include "sample_run.hpp"

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <numbers>

namespace taut::viewer_test {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double fps = 30;
constexpr double tolerance = 1e-3;
constexpr int chain_links = 40;

// Adds a grid of nu x nv vertices; edges along i are weft, along j warp.
void add_grid(io::CacheHeader& header, const std::string& name, int nu, int nv, double du, double dv) {
    Cloth cloth;
    cloth.name = name;
    cloth.first_vertex = header.vertices;
    cloth.first_face = static_cast<int>(header.faces.size());
    cloth.first_edge = static_cast<int>(header.edges.size());
    const auto vertex = [&](int i, int j) { return cloth.first_vertex + j * nu + i; };
    for (int j = 0; j + 1 < nv; ++j) {
        for (int i = 0; i + 1 < nu; ++i) {
            header.faces.push_back(
                {{vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)}});
        }
    }
    for (int j = 0; j < nv; ++j) {
        for (int i = 0; i < nu; ++i) {
            if (i + 1 < nu)
                header.edges.push_back({vertex(i, j), vertex(i + 1, j), mesh::Direction::weft, {0, -1}});
            if (i + 1 < nu) header.rest_length.push_back(du);
            if (j + 1 < nv)
                header.edges.push_back({vertex(i, j), vertex(i, j + 1), mesh::Direction::warp, {0, -1}});
            if (j + 1 < nv) header.rest_length.push_back(dv);
        }
    }
    cloth.vertex_count = nu * nv;
    cloth.face_count = static_cast<int>(header.faces.size()) - cloth.first_face;
    cloth.edge_count = static_cast<int>(header.edges.size()) - cloth.first_edge;
    header.vertices += cloth.vertex_count;
    header.cloths.push_back(cloth);
}

void add_chain(io::CacheHeader& header, const std::string& name, double length) {
    Cloth cloth;
    cloth.name = name;
    cloth.first_vertex = header.vertices;
    cloth.vertex_count = chain_links + 1;
    cloth.first_face = static_cast<int>(header.faces.size());
    cloth.first_edge = static_cast<int>(header.edges.size());
    cloth.edge_count = chain_links;
    for (int k = 0; k < chain_links; ++k) {
        header.edges.push_back(
            {header.vertices + k, header.vertices + k + 1, mesh::Direction::warp, {-1, -1}});
        header.rest_length.push_back(length / chain_links);
    }
    header.vertices += cloth.vertex_count;
    header.cloths.push_back(cloth);
}

// n points of a plane curve with step ds and turning angle(s), s from 0 to 1.
std::vector<Vec2> profile(int n, double ds, const std::function<double(double)>& angle) {
    std::vector<Vec2> points{Vec2::Zero()};
    for (int k = 1; k < n; ++k) {
        const double a = angle((k - 0.5) / (n - 1));
        points.push_back(points.back() + ds * Vec2(std::cos(a), std::sin(a)));
    }
    return points;
}

// A strain that grows towards one end of the cloth and breathes over time, `stretch` tolerances at most.
double strain(double stretch, double s, double t) {
    const double swing = 0.5 + 0.5 * std::sin(2 * pi * 0.8 * t);
    return stretch * tolerance * swing * std::pow(s, 3);
}

void append_sheet(Points& x, int n, double stretch, double t) {
    const double step = 1.0 / (n - 1), swing = 0.5 * std::sin(2 * pi * 0.5 * t);
    const auto down = profile(n, step, [&](double s) {
        return -0.5 * pi * std::min(1.0, 0.25 + 1.1 * s) + swing * s +
               0.25 * std::sin(3 * pi * s + 5 * t) * s;
    });
    for (int j = 0; j < n; ++j) {
        const double s = static_cast<double>(j) / (n - 1);
        for (int i = 0; i < n; ++i) {
            const double u = (static_cast<double>(i) / (n - 1) - 0.5) * (1 + strain(stretch, s, t));
            x.push_back(Vec3(u, -0.15 - down[j][0], 1.35 + down[j][1]));
        }
    }
}

void append_curtain(Points& x, int nu, int nv, double stretch, double t) {
    const auto across = profile(nu, 0.9 / (nu - 1), [&](double s) {
        return 1.05 * std::sin(2 * pi * 5 * s + 1.5 * t) * (0.75 + 0.25 * std::sin(2 * pi * s));
    });
    for (int j = 0; j < nv; ++j) {
        const double s = static_cast<double>(j) / (nv - 1);
        for (int i = 0; i < nu; ++i) {
            x.push_back(Vec3(-0.32 + across[i][0], 0.62 + across[i][1],
                             1.35 - 0.8 * s * (1 + strain(stretch, s, t) / 4)));
        }
    }
}

void append_chain(Points& x, double length, double t) {
    const auto line = profile(chain_links + 1, length / chain_links, [&](double s) {
        return -0.5 * pi + 0.55 * std::cos(2 * pi * 0.6 * t) * (1 - 0.4 * s) +
               0.2 * std::sin(4 * pi * s + 4 * t) * s;
    });
    for (const Vec2& p : line) x.push_back(Vec3(0.78 + p[0], -0.35, 1.35 + p[1]));
}

collision::Obstacle obstacle(const std::string& name, collision::Shape shape, const Vec3& center) {
    collision::Obstacle made;
    made.name = name;
    made.shape = shape;
    made.center = center;
    return made;
}

// A ball of triangles with a smooth dent.
collision::Obstacle shell(const std::string& name, int frequency, const Vec3& center) {
    collision::Obstacle made = obstacle(name, collision::Shape::polygon_sphere, Vec3::Zero());
    made.radius = 0.15;
    made.frequency = frequency;
    collision::TriangleShell triangles = *collision::as_mesh(made);
    for (Vec3& p : triangles.points) {
        const double dent = std::max(0.0, (p - Vec3(0.05, -0.15, 0.05)).norm() - 0.1);
        p = center + std::min(1.0, 0.6 + 4 * dent) * p;
    }
    made.shape = collision::Shape::mesh;
    made.mesh = std::make_shared<const collision::ObstacleMesh>(
        collision::ObstacleMesh{triangles.triangles, triangles.points, nullptr});
    return made;
}

}  // namespace

io::CacheHeader sample_header(const SampleOptions& options) {
    io::CacheHeader header;
    header.taut_version = "0.1.0";
    header.scene_name = "sample <swing> & sway";
    header.effective_scene =
        "{\n  \"name\": \"sample\",\n  \"note\": \"</script><script>nothing</script>\"\n}";
    header.fps = fps;
    header.tolerance = tolerance;
    const int n = options.size;
    add_grid(header, "sheet", n, n, 1.0 / (n - 1), 1.0 / (n - 1));
    add_grid(header, "curtain", 4 * n, n, 0.9 / (4 * n - 1), 0.8 / (n - 1));
    add_chain(header, "chain", 0.9);

    using collision::Shape;
    auto ball = obstacle("ball", Shape::sphere, Vec3(0, -0.55, 0.16));
    ball.radius = 0.16;
    auto block = obstacle("</script><b>block</b>", Shape::box, Vec3(0.78, 0.35, 0.12));
    block.half_size = Vec3(0.15, 0.12, 0.12);
    auto rod = obstacle("rod", Shape::capsule, Vec3(-0.62, -0.15, 1.35));
    rod.end = Vec3(0.62, -0.15, 1.35);
    rod.radius = 0.02;
    auto gem = obstacle("gem", Shape::polygon_sphere, Vec3(0.5, -0.25, 0.12));
    gem.radius = 0.12;
    gem.frequency = 2;
    header.obstacles = {obstacle("ground", Shape::plane, Vec3(0, 0, 0)),
                        ball,
                        block,
                        rod,
                        gem,
                        shell("stone", 6, Vec3(0.85, -0.25, 0.13)),
                        shell("blob", 5, Vec3(-0.35, -0.35, 0.2))};
    header.deforming = {0, 0, 0, 0, 0, 0, 1};
    return header;
}

io::CacheFrame sample_frame(const SampleOptions& options, const io::CacheHeader& header, int frame) {
    io::CacheFrame made;
    made.t = frame / fps;
    const double t = options.pace * made.t;
    append_sheet(made.x, options.size, options.stretch, t);
    append_curtain(made.x, 4 * options.size, options.size, options.stretch, t);
    append_chain(made.x, 0.9, t);

    // Let the ball bounce along and the block turn about its own middle.
    made.obstacles.resize(header.obstacles.size());
    made.obstacles[1].translation =
        Vec3(0.3 * std::sin(pi * made.t), 0, 0.25 * std::abs(std::sin(2 * pi * made.t)));
    RigidTransform& turn = made.obstacles[2];
    turn.rotation = Eigen::AngleAxisd(0.5 * pi * made.t, Vec3::UnitZ()).toRotationMatrix();
    turn.translation = header.obstacles[2].center - turn.rotation * header.obstacles[2].center;

    // Let the stone slide and the blob swell in waves.
    made.obstacles[5].translation = Vec3(0, 0.1 * std::sin(pi * made.t), 0);
    made.deformed.resize(header.obstacles.size());
    made.deformed[6] = header.obstacles[6].mesh->rest;
    for (Vec3& p : made.deformed[6]) p.x() += 0.06 * std::sin(20 * p.z() + 2 * pi * made.t);
    return made;
}

std::string sample_report(const io::CacheHeader& header, const SampleOptions& options) {
    const nlohmann::json report = {{"taut_version", header.taut_version},
                                   {"scene", header.scene_name},
                                   {"vertices", header.vertices},
                                   {"constraints", header.edges.size()},
                                   {"steps", 2 * options.frames},
                                   {"frames", options.frames},
                                   {"retries", 1},
                                   {"failed_steps", 0},
                                   {"wall_s", 3.21},
                                   {"setup_s", 0.12},
                                   {"threads", 2},
                                   {"max_strain", 0.00097},
                                   {"tolerance", tolerance},
                                   {"certified", true},
                                   {"projection_iterations", {{"total", 300}, {"max", 4}, {"mean", 2.46}}},
                                   {"linear_iterations", {{"total", 4000}, {"mean", 12.4}}},
                                   {"penetration_m", 2.1e-6}};
    return report.dump();
}

io::CorrectionMaps sample_maps(const SampleOptions& options, const io::CacheHeader& header) {
    const int n = options.size, half = n / 2;
    CorrectionMap both{"two <i>corners</i>", 0, {0, n - 1}, {}}, edge{"edge", 1, {0}, {}};
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < half; ++i) {
            const int left = j * n + i, right = j * n + n - 1 - i;
            both.list.push_back({left, left + 1, SpringKind::horizontal});
            both.list.push_back({right, right - 1, SpringKind::horizontal});
        }
        if (j + 1 < n) both.list.push_back({j * n, j * n + n, SpringKind::vertical});
        if (j + 1 < n) both.list.push_back({j * n + n - 1, j * n + 2 * n - 1, SpringKind::vertical});
    }
    for (int i = 0; i + 1 < n; ++i) edge.list.push_back({i, i + 1, SpringKind::horizontal});
    io::CorrectionMaps maps;
    maps.vertices = header.vertices;
    maps.maps = {both, edge};
    maps.changes = {{1 / fps, 0, {}}, {1.0, 1, {}}, {1.5, io::CorrectionMaps::left_out, "long"}};
    maps.whole = false;
    return maps;
}

}  // namespace taut::viewer_test
