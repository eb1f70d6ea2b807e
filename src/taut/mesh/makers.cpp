#include "taut/mesh/makers.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>

#include "taut/base/error.hpp"
#include "taut/base/parameter.hpp"

namespace taut::mesh {
namespace {

// Two edges per vertex must be countable in an int; a hundred million vertices need some 20 GB.
constexpr std::int64_t max_vertices = 100'000'000;

void require_count(const char* what, int value, int least) {
    if (value >= least) return;
    throw InputError({}, std::string(what) + " is too small", std::to_string(value),
                     "allowed: at least " + std::to_string(least));
}

void require_length(const char* what, double value) {
    if (std::isfinite(value) && value > 0) return;
    throw InputError({}, std::string(what) + " must be a positive length", number_text(value),
                     "allowed: > 0 m");
}

void require_size(std::int64_t a, std::int64_t b) {
    if (a * b <= max_vertices) return;
    throw InputError({}, "the cloth has too many vertices", std::to_string(a * b),
                     "allowed: at most " + std::to_string(max_vertices));
}

// length / cells, rounded so that k * spacing is exact for every k <= cells.
double exact_spacing(double length, int cells) {
    int exponent = 0;
    const double mantissa = std::frexp(length / cells, &exponent);
    const int bits = 53 - static_cast<int>(std::bit_width(static_cast<unsigned>(cells)));
    return std::ldexp(std::nearbyint(std::ldexp(mantissa, bits)), exponent - bits);
}

// Index arithmetic of a sheet whose rows may close on themselves.
struct Sheet {
    int nu, nv;
    bool closed;

    int cells() const { return closed ? nu : nu - 1; }  // faces along a row
    int vertex(int i, int j) const { return j * nu + (i == nu ? 0 : i); }
    int weft_edge(int i, int j) const { return j * cells() + i; }
    int warp_edge(int i, int j) const { return nv * cells() + j * nu + i; }
    // Face with lowest corner (i, j), or -1 beyond a border.
    int face(int i, int j) const {
        if (closed && i < 0) i += nu;
        return i < 0 || j < 0 || i >= cells() || j >= nv - 1 ? -1 : j * cells() + i;
    }
};

// Fills edges so that weft rows come first, then warp edges row by row, in the order of vertices.
std::vector<Edge> sheet_edges(const Sheet& s) {
    std::vector<Edge> edges(static_cast<std::size_t>(s.nv) * s.cells() +
                            static_cast<std::size_t>(s.nv - 1) * s.nu);
    for (int j = 0; j < s.nv; ++j)
        for (int i = 0; i < s.cells(); ++i)
            edges[s.weft_edge(i, j)] = {
                s.vertex(i, j), s.vertex(i + 1, j), Direction::weft, {s.face(i, j - 1), s.face(i, j)}};
    for (int j = 0; j + 1 < s.nv; ++j)
        for (int i = 0; i < s.nu; ++i)
            edges[s.warp_edge(i, j)] = {
                s.vertex(i, j), s.vertex(i, j + 1), Direction::warp, {s.face(i - 1, j), s.face(i, j)}};
    for (Edge& e : edges)
        if (e.face[0] < 0) std::swap(e.face[0], e.face[1]);
    return edges;
}

// Fills yarns: one weft yarn per row, one warp yarn per column.
std::vector<Yarn> sheet_yarns(const Sheet& s) {
    std::vector<Yarn> yarns(static_cast<std::size_t>(s.nv) + s.nu);
    for (int j = 0; j < s.nv; ++j) {
        Yarn& yarn = yarns[j];
        yarn.direction = Direction::weft;
        yarn.closed = s.closed;
        yarn.vertex.resize(s.nu);
        yarn.edge.resize(s.cells());
        for (int i = 0; i < s.nu; ++i) yarn.vertex[i] = s.vertex(i, j);
        for (int i = 0; i < s.cells(); ++i) yarn.edge[i] = s.weft_edge(i, j);
    }
    for (int i = 0; i < s.nu; ++i) {
        Yarn& yarn = yarns[static_cast<std::size_t>(s.nv) + i];
        yarn.direction = Direction::warp;
        yarn.vertex.resize(s.nv);
        yarn.edge.resize(s.nv - 1);
        for (int j = 0; j < s.nv; ++j) yarn.vertex[j] = s.vertex(i, j);
        for (int j = 0; j + 1 < s.nv; ++j) yarn.edge[j] = s.warp_edge(i, j);
    }
    return yarns;
}

MadeMesh make_sheet(const Sheet& s) {
    MadeMesh made;
    made.mesh.vertices = s.nu * s.nv;
    made.mesh.faces.resize(static_cast<std::size_t>(s.cells()) * (s.nv - 1));
    for (int j = 0; j + 1 < s.nv; ++j)
        for (int i = 0; i < s.cells(); ++i)
            made.mesh.faces[s.face(i, j)].corner = {s.vertex(i, j), s.vertex(i + 1, j),
                                                    s.vertex(i + 1, j + 1), s.vertex(i, j + 1)};
    made.net = {sheet_edges(s), sheet_yarns(s)};
    made.rest.resize(made.mesh.vertices);
    return made;
}

}  // namespace

MadeMesh make_grid(int nu, int nv, double width, double height) {
    require_count("the number of vertices along u", nu, 2);
    require_count("the number of vertices along v", nv, 2);
    require_length("the width", width);
    require_length("the height", height);
    require_size(nu, nv);

    const Sheet sheet{nu, nv, false};
    MadeMesh made = make_sheet(sheet);
    const double du = exact_spacing(width, nu - 1), dv = exact_spacing(height, nv - 1);
    for (int j = 0; j < nv; ++j)
        for (int i = 0; i < nu; ++i) made.rest[sheet.vertex(i, j)] = {i * du, j * dv, 0};
    return made;
}

void split_quads(MadeMesh& made) {
    const std::vector<Face> quads = std::move(made.mesh.faces);
    made.mesh.faces.clear();
    std::vector<int> first(quads.size());
    for (std::size_t f = 0; f < quads.size(); ++f) {
        const auto& c = quads[f].corner;
        first[f] = static_cast<int>(made.mesh.faces.size());
        made.mesh.faces.push_back({{c[0], c[1], c[2], -1}});
        if (quads[f].size() == 4) made.mesh.faces.push_back({{c[0], c[2], c[3], -1}});
    }

    // The sides at the fourth corner belong to the second triangle.
    for (Edge& e : made.net.edges) {
        for (int& f : e.face) {
            if (f < 0) continue;
            const int fourth = quads[static_cast<std::size_t>(f)].corner[3];
            const bool second = fourth >= 0 && (e.a == fourth || e.b == fourth);
            f = first[static_cast<std::size_t>(f)] + (second ? 1 : 0);
        }
    }
    for (std::size_t f = 0; f < quads.size(); ++f) {
        if (quads[f].size() == 4) {
            made.net.edges.push_back(
                {quads[f].corner[0], quads[f].corner[2], Direction::none, {first[f], first[f] + 1}});
        }
    }
}

MadeMesh make_polyline(int vertices, double length) {
    require_count("the number of vertices", vertices, 2);
    require_length("the length", length);
    require_size(vertices, 1);

    MadeMesh made;
    made.mesh.vertices = vertices;
    made.rest.resize(vertices);
    const double spacing = exact_spacing(length, vertices - 1);
    for (int i = 0; i < vertices; ++i) made.rest[i] = {i * spacing, 0, 0};

    // Join neighbours by lines, all on one yarn.
    Yarn yarn;
    yarn.direction = Direction::warp;
    for (int i = 0; i < vertices; ++i) yarn.vertex.push_back(i);
    for (int i = 0; i + 1 < vertices; ++i) {
        made.mesh.lines.push_back({i, i + 1});
        made.net.edges.push_back({i, i + 1, Direction::warp, {-1, -1}});
        yarn.edge.push_back(i);
    }
    made.net.yarns.push_back(std::move(yarn));
    return made;
}

MadeMesh make_cone(int around, int along, double radius_top, double radius_bottom, double height) {
    require_count("the number of vertices around", around, 3);
    require_count("the number of vertices along", along, 2);
    require_length("the top radius", radius_top);
    require_length("the bottom radius", radius_bottom);
    require_length("the height", height);
    require_size(around, along);

    const Sheet sheet{around, along, true};
    MadeMesh made = make_sheet(sheet);
    for (Face& face : made.mesh.faces) std::swap(face.corner[1], face.corner[3]);  // turn normals outwards

    // Place rings from the top down; the last one lies exactly at z = 0 with radius_bottom.
    for (int i = 0; i < around; ++i) {
        const double angle = 2 * std::numbers::pi * i / around;
        const double c = std::cos(angle), s = std::sin(angle);
        for (int j = 0; j < along; ++j) {
            const double down = static_cast<double>(j) / (along - 1);
            const double radius = (1 - down) * radius_top + down * radius_bottom;
            made.rest[sheet.vertex(i, j)] = {radius * c, radius * s, (1 - down) * height};
        }
    }
    return made;
}

}  // namespace taut::mesh
