// A panel of a shirt, flat, beside the body: front or back, with short sleeves that point along the arms.
// The trunk is 2 w + 1 columns by h + 1 rows; its upper a + 1 rows go on into the sleeves, c columns each.
// Columns are straight between the upper edge, the line from underarm to underarm, and the hem, so rows bend
// with the shoulders. Front and back have the same vertices and seams, number by number.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

#include "taut/collision/mannequin.hpp"
#include "taut/mesh/yarns.hpp"
#include "taut/scene/garments.hpp"

namespace taut::scene {
namespace {

// The cut of the left half, x to her left and z up [m]. It clears the silhouette of the body by 4 cm,
// so that both panels together reach over shoulders and arms; the underarm lies between trunk and arm, where
// they measure 0.96 m and the body 0.73 m. With 0.85 m the arms could not be raised.
const Vec2 underarm(0.240, 1.175), neck_point(0.085, 1.505), shoulder(0.185, 1.475);
constexpr double front_dip = 0.035, back_dip = 0.012;  // of the neckline
constexpr double widening = 0.16;       // of a side, per height below the underarm; the hips need it
constexpr double armhole = 0.275;       // where the sleeve begins on the upper edge, in x
constexpr double sleeve_above = 0.095;  // upper edge of the sleeve from the axis of the arm
constexpr double cuff = 0.29;           // end of the sleeve along the arm, from the shoulder joint

// Counts of columns and rows, and the numbers of their vertices; sleeve column 0 is the side of the trunk.
struct PanelNet {
    int half, rows, arm_rows, sleeve;  // w, h, a, c
    int neck;                          // columns from the middle to the neck point

    int width() const { return 2 * half + 1; }
    int first_sleeve(bool right) const {
        return width() * (rows + 1) + (right ? sleeve * (arm_rows + 1) : 0);
    }
    int vertices() const { return first_sleeve(true) + sleeve * (arm_rows + 1); }

    int trunk_vertex(int i, int j) const { return j * width() + i + half; }  // i from -half to half
    int sleeve_vertex(bool right, int c, int j) const {
        if (c == 0) return trunk_vertex(right ? -half : half, j);
        return first_sleeve(right) + j * sleeve + c - 1;
    }
    // Vertex k of the upper edge from the middle to the end of a sleeve.
    int upper_vertex(bool right, int k) const {
        return k <= half ? trunk_vertex(right ? -k : k, 0) : sleeve_vertex(right, k - half, 0);
    }
};

PanelNet panel_net(const ShirtPanelParams& params) {
    const auto parts = [&](double length) {
        return std::max(3, static_cast<int>(std::lround(length / params.edge)));
    };
    constexpr double sleeve_length = 0.16;  // between its upper and its lower edge
    const int half = parts(underarm.x()), arm_rows = parts(shoulder.y() - underarm.y());
    const int neck = std::max(1, static_cast<int>(std::lround(0.3 * half)));
    return {half, arm_rows + parts(underarm.y() - params.hem), arm_rows, parts(sleeve_length), neck};
}

// Points in even steps along a polyline, both ends among them.
std::vector<Vec2> even_steps(std::span<const Vec2> line, int steps) {
    std::vector<double> at{0};
    for (std::size_t k = 1; k < line.size(); ++k) at.push_back(at.back() + (line[k] - line[k - 1]).norm());
    std::vector<Vec2> points;
    std::size_t k = 1;
    for (int step = 0; step <= steps; ++step) {
        const double wanted = at.back() * step / steps;
        while (k + 1 < line.size() && at[k] < wanted) ++k;
        const double t = (wanted - at[k - 1]) / (at[k] - at[k - 1]);
        points.emplace_back((1 - t) * line[k - 1] + t * line[k]);
    }
    return points;
}

// Upper edge of the left half from the middle to the end of the sleeve, one point per column, and the lower
// edge of the sleeve from its column 0.
struct PanelEdges {
    std::vector<Vec2> upper, lower;
};

PanelEdges panel_edges(const PanelNet& net, double dip) {
    const collision::MannequinLandmarks& marks = collision::Mannequin::landmarks();
    const Vec3 way = marks.left_elbow - marks.left_shoulder;
    const Vec2 joint(marks.left_shoulder.x(), marks.left_shoulder.z());
    const Vec2 along = Vec2(way.x(), way.z()).normalized(), up(-along.y(), along.x());
    const Vec2 end = joint + cuff * along + sleeve_above * up;
    const Vec2 low = joint + cuff * along + (underarm - joint).dot(up) * up;

    // Run down the shoulder and round its corner with the upper line of the sleeve by a parabola.
    const Vec2 slope = shoulder - neck_point, gap = end - shoulder;
    const double ahead =
        (gap.x() * along.y() - gap.y() * along.x()) / (slope.x() * along.y() - slope.y() * along.x());
    const Vec2 corner = shoulder + ahead * slope;
    std::vector<Vec2> trunk_part{neck_point}, sleeve_part;
    constexpr int fine = 256;
    for (int k = 0; k <= fine; ++k) {
        const double t = static_cast<double>(k) / fine, s = 1 - t;
        const Vec2 p = s * s * shoulder + 2 * s * t * corner + t * t * end;
        if (p.x() <= armhole) trunk_part.push_back(p);
        if (p.x() >= armhole || k == fine) {
            if (sleeve_part.empty()) sleeve_part.push_back(trunk_part.back());
            sleeve_part.push_back(p);
        }
    }

    // Let the neckline hang, then share out the columns.
    PanelEdges edges;
    for (int i = 0; i < net.neck; ++i) {
        const double t = static_cast<double>(i) / net.neck, bow = std::cos(0.5 * std::numbers::pi * t);
        edges.upper.emplace_back(t * neck_point.x(), neck_point.y() - dip * bow * bow);
    }
    for (const Vec2& p : even_steps(trunk_part, net.half - net.neck)) edges.upper.push_back(p);
    edges.upper.pop_back();
    for (const Vec2& p : even_steps(sleeve_part, net.sleeve)) edges.upper.push_back(p);
    edges.lower = even_steps(std::array{underarm, low}, net.sleeve);
    return edges;
}

void place_panel(const PanelNet& net, const ShirtPanelParams& params, double y, Points& rest) {
    const PanelEdges edges = panel_edges(net, params.side == "front" ? front_dip : back_dip);
    const auto between_ends = [](const Vec2& a, const Vec2& b, int part, int parts) {
        const double t = static_cast<double>(part) / parts;
        return Vec2((1 - t) * a + t * b);
    };
    for (const bool right : {false, true}) {
        const auto put = [&](int vertex, const Vec2& p) {
            rest[static_cast<std::size_t>(vertex)] = {right ? -p.x() : p.x(), y, p.y()};
        };
        for (int i = 0; i <= net.half; ++i) {
            // Run down from the upper edge to the line of the underarms, and on to the hem.
            const double t = static_cast<double>(i) / net.half;
            const Vec2 chest(t * underarm.x(), underarm.y());
            const Vec2 hem(t * (underarm.x() + widening * (underarm.y() - params.hem)), params.hem);
            const int column = right ? -i : i, lower_rows = net.rows - net.arm_rows;
            for (int j = 0; j < net.arm_rows; ++j)
                put(net.trunk_vertex(column, j),
                    between_ends(edges.upper[static_cast<std::size_t>(i)], chest, j, net.arm_rows));
            for (int j = 0; j <= lower_rows; ++j)
                put(net.trunk_vertex(column, net.arm_rows + j), between_ends(chest, hem, j, lower_rows));
        }
        for (int c = 1; c <= net.sleeve; ++c)
            for (int j = 0; j <= net.arm_rows; ++j)
                put(net.sleeve_vertex(right, c, j),
                    between_ends(
                        edges.upper[static_cast<std::size_t>(net.half) + static_cast<std::size_t>(c)],
                        edges.lower[static_cast<std::size_t>(c)], j, net.arm_rows));
    }
}

// Normals point away from the body.
mesh::PolygonMesh panel_faces(const PanelNet& net, bool front) {
    mesh::PolygonMesh mesh;
    mesh.vertices = net.vertices();
    const auto add = [&](int a, int b, int c, int d, bool turned) {
        mesh.faces.push_back({{a, b, c, d}});
        if (turned == front) std::swap(mesh.faces.back().corner[1], mesh.faces.back().corner[3]);
    };
    for (int j = 0; j < net.rows; ++j)
        for (int i = -net.half; i < net.half; ++i)
            add(net.trunk_vertex(i, j), net.trunk_vertex(i, j + 1), net.trunk_vertex(i + 1, j + 1),
                net.trunk_vertex(i + 1, j), false);
    for (const bool right : {false, true})
        for (int j = 0; j < net.arm_rows; ++j)
            for (int c = 0; c < net.sleeve; ++c)
                add(net.sleeve_vertex(right, c, j), net.sleeve_vertex(right, c, j + 1),
                    net.sleeve_vertex(right, c + 1, j + 1), net.sleeve_vertex(right, c + 1, j), right);
    return mesh;
}

// Seams from the neck outwards, from the underarm outwards and downwards; no vertex is on two of them.
std::vector<NamedPart> panel_parts(const PanelNet& net) {
    std::vector<NamedPart> parts;
    for (const bool right : {false, true}) {
        const std::string side = right ? "right_" : "left_";
        NamedPart upper{side + "shoulder", {}}, under{side + "underarm", {}}, flank{side + "side", {}},
            end{side + "cuff", {}};
        for (int k = net.neck; k <= net.half + net.sleeve; ++k)
            upper.vertices.push_back(net.upper_vertex(right, k));
        for (int c = 1; c <= net.sleeve; ++c)
            under.vertices.push_back(net.sleeve_vertex(right, c, net.arm_rows));
        for (int j = net.arm_rows; j <= net.rows; ++j)
            flank.vertices.push_back(net.trunk_vertex(right ? -net.half : net.half, j));
        for (int j = 0; j <= net.arm_rows; ++j)
            end.vertices.push_back(net.sleeve_vertex(right, net.sleeve, j));
        for (NamedPart* part : {&upper, &under, &flank, &end}) parts.push_back(std::move(*part));
    }
    NamedPart neck{"neck", {}}, hem{"hem", {}};
    for (int i = -net.neck; i <= net.neck; ++i) neck.vertices.push_back(net.trunk_vertex(i, 0));
    for (int i = -net.half; i <= net.half; ++i) hem.vertices.push_back(net.trunk_vertex(i, net.rows));
    parts.push_back(std::move(neck));
    parts.push_back(std::move(hem));
    return parts;
}

}  // namespace

MadeCloth make_shirt_panel(const ShirtPanelParams& params) {
    // Find how far the body reaches to front and back beside the panel.
    const bool front = params.side == "front";
    double reach = 0;
    for (const Vec3& p : collision::Mannequin::rest_points())
        if (p.z() > params.hem - params.gap && p.z() < neck_point.y() + params.gap)
            reach = std::max(reach, front ? -p.y() : p.y());

    const PanelNet net = panel_net(params);
    MadeCloth cloth;
    cloth.made.mesh = panel_faces(net, front);
    cloth.made.rest.resize(static_cast<std::size_t>(net.vertices()));
    place_panel(net, params, front ? -reach - params.gap : reach + params.gap, cloth.made.rest);
    cloth.made.net = mesh::trace_net(cloth.made.mesh, cloth.made.rest, &cloth.warnings);
    cloth.parts = panel_parts(net);
    return cloth;
}

}  // namespace taut::scene
