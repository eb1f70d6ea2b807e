// How the front of a robe comes into space. It is blown up: points are pushed outwards, smoothed, drawn
// together or apart to the lengths of the pattern and kept clear of the body, over and over, and in the end
// without pressure. The back is its mirror image, so seams stay at y = 0. Coarse panels go first, each the
// start of the next finer one, since a sweep carries lengths over a few edges only.
#include "taut/mesh/robe_shape.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "taut/mesh/topology.hpp"

namespace taut::mesh {
namespace {

// What the sweeps do at most; both die away linearly over the first part of them. Pressure is a way in edge
// lengths per sweep, smoothing a part of the way to the mean of the neighbours. Against this pressure
// smoothing cannot narrow sleeves of more than a few edges around; more of it leaves stretch behind.
struct Stage {
    int sweeps;
    double pressure, smoothing;
};
constexpr Stage first_stage{600, 0.1, 0.1}, finer_stage{240, 0.005, 0.2};
constexpr double blown_part = 0.6;  // of the sweeps; the rest only mends lengths

// Passes over all edges per sweep.
constexpr int length_passes = 4;

// How far an edge that is too short is mended, of the way of one that is too long: folds stay rounder.
constexpr double short_part = 0.5;

std::size_t at(int v) { return static_cast<std::size_t>(v); }

struct Link {
    int a, b;
    double length;  // in the pattern [m]
};

// Where an opening is drawn to while the robe is blown up, which keeps trunk and sleeves straight.
Vec3 pull_of(const MeshPart& opening) {
    if (opening.name == "hem") return {0, 0, -1};
    if (opening.name == "left_cuff") return {1, 0, 0};
    if (opening.name == "right_cuff") return {-1, 0, 0};
    return Vec3::Zero();
}

class PanelShape {
public:
    PanelShape(const RobeParams& params, const RobePanel& panel);

    void start();
    void relax(const Stage& stage);

    Points x;  // [m]

private:
    Points normals() const;
    void blow(double distance);
    void smooth(double part);
    void mend(const Link& link);
    void set_height();
    void keep_clear();
    bool on_seam(std::size_t v) const { return panel_.on_seam[v] != 0; }

    const RobeParams& params_;
    const RobePanel& panel_;
    std::vector<Capsule> body_;
    std::vector<Link> links_;
    double mean_length_ = 0;  // [m]
};

PanelShape::PanelShape(const RobeParams& params, const RobePanel& panel)
    : params_(params), panel_(panel), body_(robe_body(params)) {
    const Filling& filling = panel.filling;
    PolygonMesh mesh;
    mesh.vertices = static_cast<int>(filling.points.size());
    for (const StripTriangle& t : filling.triangles)
        mesh.faces.push_back({{t.corner[0], t.corner[1], t.corner[2], -1}});
    for (const Edge& e : build_topology(mesh).edges) {
        links_.push_back({e.a, e.b, (filling.points[at(e.b)] - filling.points[at(e.a)]).norm()});
        mean_length_ += links_.back().length;
    }
    mean_length_ /= static_cast<double>(links_.size());
}

// Half the depth of a pillow: the root of u where -laplace u = 2, zero on seams, which is a half circle
// across a long sleeve. Less of it, for the sleeve is still as wide as it is flat.
void PanelShape::start() {
    constexpr int sweeps = 400;
    constexpr double share = 0.7;
    const std::size_t n = panel_.filling.points.size();
    std::vector<double> u(n, 0);
    for (int k = 0; k < sweeps; ++k) {
        std::vector<double> sum(n, 0);
        std::vector<int> count(n, 0);
        for (const Link& e : links_) {
            sum[at(e.a)] += u[at(e.b)];
            sum[at(e.b)] += u[at(e.a)];
            ++count[at(e.a)], ++count[at(e.b)];
        }
        for (std::size_t v = 0; v < n; ++v)
            if (!on_seam(v)) u[v] = sum[v] / count[v] + 0.5 * mean_length_ * mean_length_;
    }
    x.clear();
    for (std::size_t v = 0; v < n; ++v) {
        const Vec2& p = panel_.filling.points[v];
        x.emplace_back(p.x(), -share * std::sqrt(u[v]), p.y());
    }
}

// Of the whole robe: on seams those of front and back together.
Points PanelShape::normals() const {
    Points normal(x.size(), Vec3::Zero());
    for (const StripTriangle& t : panel_.filling.triangles) {
        const Vec3& p = x[at(t.corner[0])];
        const Vec3 n = (x[at(t.corner[1])] - p).cross(x[at(t.corner[2])] - p);
        for (const int v : t.corner) normal[at(v)] += n;
    }
    for (std::size_t v = 0; v < x.size(); ++v) {
        if (on_seam(v)) normal[v].y() = 0;
        normal[v] = normal[v].stableNormalized();
    }
    return normal;
}

void PanelShape::blow(double distance) {
    const Points normal = normals();
    for (std::size_t v = 0; v < x.size(); ++v) x[v] += distance * normal[v];
    for (const MeshPart& opening : panel_.openings)
        for (const int v : opening.vertices) x[at(v)] += 2 * distance * pull_of(opening);
}

// Moves points along their normals towards the mean of their neighbours.
void PanelShape::smooth(double part) {
    const Points normal = normals();
    Points sum(x.size(), Vec3::Zero());
    std::vector<int> count(x.size(), 0);
    for (const Link& e : links_) {
        const Vec3 way = x[at(e.b)] - x[at(e.a)];
        sum[at(e.a)] += way;
        sum[at(e.b)] -= way;
        ++count[at(e.a)], ++count[at(e.b)];
    }
    for (std::size_t v = 0; v < x.size(); ++v) x[v] += part / count[v] * sum[v].dot(normal[v]) * normal[v];
}

void PanelShape::mend(const Link& link) {
    Vec3 &a = x[at(link.a)], &b = x[at(link.b)];
    const Vec3 way = b - a;
    const double length = way.norm();
    if (length == 0) return;
    const Vec3 move = 0.5 * (length < link.length ? short_part : 1) * (1 - link.length / length) * way;
    const Vec3 level(move.x(), 0, move.z());
    a += on_seam(at(link.a)) ? level : move;
    b -= on_seam(at(link.b)) ? level : move;
}

void PanelShape::set_height() {
    double top = -std::numeric_limits<double>::infinity();
    for (std::size_t v = 0; v < x.size(); ++v)
        if (on_seam(v)) top = std::max(top, x[v].z());
    for (Vec3& p : x) p.z() += params_.shoulder - top;
}

void PanelShape::keep_clear() {
    for (std::size_t v = 0; v < x.size(); ++v) {
        for (const Capsule& limb : body_) {
            const Vec3 axis = limb.end - limb.start;
            const double t = std::clamp((x[v] - limb.start).dot(axis) / axis.squaredNorm(), 0.0, 1.0);
            const Vec3 away = x[v] - limb.start - t * axis;
            const double distance = away.norm(), least = limb.radius + robe_ease;
            if (distance >= least) continue;
            const Vec3 fallback = on_seam(v) ? Vec3(0, 0, 1) : Vec3(0, -1, 0);
            x[v] += (least - distance) * (distance > 0 ? Vec3(away / distance) : fallback);
        }
        x[v].y() = on_seam(v) ? 0 : std::min(x[v].y(), 0.0);
    }
}

void PanelShape::relax(const Stage& stage) {
    for (int k = 0; k < stage.sweeps; ++k) {
        const double left = 1 - k / (blown_part * stage.sweeps);
        if (left > 0) {
            blow(left * stage.pressure * mean_length_);
            smooth(left * stage.smoothing);
        }
        for (int pass = 0; pass < length_passes; ++pass) {
            if (pass % 2 == 0) {
                for (const Link& e : links_) mend(e);
            } else {
                for (auto e = links_.rbegin(); e != links_.rend(); ++e) mend(*e);
            }
        }
        set_height();
        keep_clear();
    }
}

// The triangles of a panel by the cells of a lattice that they are near to.
class PanelCells {
public:
    PanelCells(const Filling& filling, double size);

    // The place of a point of the pattern, linear within the triangle that holds it, or nearly so.
    Vec3 place(const Vec2& p, const Points& places) const;

private:
    std::size_t column(double x) const { return cell_of(x - low_.x(), columns_); }
    std::size_t row(double y) const { return cell_of(y - low_.y(), rows_); }
    std::size_t cell_of(double from_low, std::size_t cells) const {
        return static_cast<std::size_t>(std::clamp(from_low / size_, 0.0, static_cast<double>(cells - 1)));
    }

    const Filling& filling_;
    double size_;  // [m]
    Vec2 low_;     // [m]
    std::size_t columns_, rows_;
    std::vector<std::vector<std::size_t>> near_;
};

PanelCells::PanelCells(const Filling& filling, double size)
    : filling_(filling), size_(size), low_(filling.points[0]) {
    Vec2 high = low_;
    for (const Vec2& p : filling.points) {
        low_ = low_.cwiseMin(p);
        high = high.cwiseMax(p);
    }
    columns_ = 1 + static_cast<std::size_t>((high.x() - low_.x()) / size);
    rows_ = 1 + static_cast<std::size_t>((high.y() - low_.y()) / size);
    near_.resize(columns_ * rows_);
    for (std::size_t k = 0; k < filling.triangles.size(); ++k) {
        // Points of a finer outline may lie a little outside of this one.
        const StripTriangle& t = filling.triangles[k];
        const Vec2 a = filling.corner(t, 0), b = filling.corner(t, 1), c = filling.corner(t, 2);
        const Vec2 from = a.cwiseMin(b).cwiseMin(c).array() - 0.5 * size;
        const Vec2 to = a.cwiseMax(b).cwiseMax(c).array() + 0.5 * size;
        for (std::size_t j = row(from.y()); j <= row(to.y()); ++j)
            for (std::size_t i = column(from.x()); i <= column(to.x()); ++i)
                near_[j * columns_ + i].push_back(k);
    }
}

Vec3 PanelCells::place(const Vec2& p, const Points& places) const {
    double best = -std::numeric_limits<double>::infinity();
    Vec3 result = Vec3::Zero();
    for (const std::size_t k : near_[row(p.y()) * columns_ + column(p.x())]) {
        const StripTriangle& t = filling_.triangles[k];
        const Vec2 a = filling_.corner(t, 0), w = p - a;
        const Vec2 u = filling_.corner(t, 1) - a, v = filling_.corner(t, 2) - a;
        const double area = u.x() * v.y() - u.y() * v.x();
        const double along_u = (w.x() * v.y() - w.y() * v.x()) / area;
        const double along_v = (u.x() * w.y() - u.y() * w.x()) / area;
        const double least = std::min({along_u, along_v, 1 - along_u - along_v});
        if (least <= best) continue;
        best = least;
        result = (1 - along_u - along_v) * places[at(t.corner[0])] + along_u * places[at(t.corner[1])] +
                 along_v * places[at(t.corner[2])];
    }
    return result;
}

Points shaped(const RobeParams& params, const RobePanel& panel, double spacing) {
    // Begin where the narrowest part is six edges wide or a little more.
    const double narrow = std::min({params.cuff, params.neck, 0.5 * (params.arm_span - params.chest)});
    PanelShape shape(params, panel);
    if (12 * spacing > narrow) {
        shape.start();
        shape.relax(first_stage);
        return shape.x;
    }
    const RobePanel coarse = cut_robe_panel(params, 2 * spacing);
    const Points places = shaped(params, coarse, 2 * spacing);
    const PanelCells cells(coarse.filling, 2 * spacing);
    for (const Vec2& p : panel.filling.points) shape.x.push_back(cells.place(p, places));
    shape.relax(finer_stage);
    return shape.x;
}

}  // namespace

Points shape_robe_panel(const RobeParams& params, const RobePanel& panel) {
    return shaped(params, panel, params.fill.spacing);
}

}  // namespace taut::mesh
