// Obstacles that are meshes. From files: faces become triangles once, at rest; recorded frames move their
// corners. From inside the program: the mannequin.

#include <algorithm>

#include "taut/base/error.hpp"
#include "taut/io/mesh_recording.hpp"
#include "taut/scene/library.hpp"
#include "taut/scene/shapes.hpp"

namespace taut::scene {
namespace {

using collision::ObstacleMesh;

// Splits quads along their shorter diagonal.
std::vector<collision::Triangle> split_faces(const io::ObjMesh& obj) {
    const auto at = [&](int v) -> const Vec3& { return obj.points[static_cast<std::size_t>(v)]; };
    std::vector<collision::Triangle> triangles;
    for (const mesh::Face& face : obj.mesh.faces) {
        const auto& [a, b, c, d] = face.corner;
        if (face.size() == 3) {
            triangles.push_back({a, b, c});
        } else if ((at(a) - at(c)).squaredNorm() <= (at(b) - at(d)).squaredNorm()) {
            triangles.push_back({a, b, c});
            triangles.push_back({a, c, d});
        } else {
            triangles.push_back({a, b, d});
            triangles.push_back({b, c, d});
        }
    }
    return triangles;
}

io::Pc2Reader open_pc2(const std::string& file) {
    const auto bytes = prefixed_file(file);
    return bytes ? io::Pc2Reader::from_bytes(*bytes, file) : io::Pc2Reader(std::filesystem::path(file));
}

std::shared_ptr<const Deformation> read_recording(const MeshObstacleParams& params, const io::ObjMesh& obj,
                                                  const std::string& file) {
    if (params.sequence.empty() && params.pc2.empty()) return nullptr;
    const io::ObjOptions options{params.up, params.scale};
    io::Recording recording = params.pc2.empty()
                                  ? io::read_obj_frames(io::FrameNames(params.sequence),
                                                        {params.first, params.count}, obj, file, options)
                                  : io::read_pc2_frames(open_pc2(params.pc2), obj, file, options);
    return std::make_shared<RecordedFrames>(
        std::move(recording.frames), params.fps / recording.stride, params.start,
        params.interpolation == "linear" ? Interpolation::linear : Interpolation::smooth);
}

// What deforms, turned and shifted.
class PlacedDeformation final : public Deformation {
public:
    PlacedDeformation(std::shared_ptr<const Deformation> inner, const RigidTransform& place)
        : inner_(std::move(inner)), place_(place) {}
    void at(double time, PointsView x) const override {
        inner_->at(time, x);
        for (Vec3& p : x) p = place_(p);
    }
    std::uint64_t content() const override { return inner_->content(); }

private:
    std::shared_ptr<const Deformation> inner_;
    RigidTransform place_;
};

}  // namespace

collision::Obstacle make_mesh_obstacle(const MeshObstacleParams& params) {
    const std::string file =
        !params.file.empty() ? params.file : io::FrameNames(params.sequence).file(params.first).string();
    io::ObjMesh obj = read_mesh(file, {params.up, params.scale});
    if (obj.mesh.faces.empty() || !obj.mesh.lines.empty()) {
        throw InputError({file, ""}, obj.mesh.faces.empty() ? "holds no faces" : "holds lines", {},
                         "export faces only: nothing collides with lines");
    }
    collision::Obstacle obstacle;
    obstacle.shape = collision::Shape::mesh;
    ObstacleMesh mesh;
    mesh.deformation = read_recording(params, obj, file);
    mesh.triangles = split_faces(obj);
    mesh.rest = std::move(obj.points);
    obstacle.mesh = std::make_shared<const ObstacleMesh>(std::move(mesh));
    return obstacle;
}

collision::Obstacle make_mannequin(const collision::MannequinParams& params) {
    auto mannequin = std::make_shared<collision::Mannequin>(params);
    ObstacleMesh mesh;
    const auto triangles = collision::Mannequin::triangles();
    mesh.triangles.assign(triangles.begin(), triangles.end());
    mesh.rest.resize(collision::Mannequin::rest_points().size());
    mannequin->at(params.start, mesh.rest);
    if (mannequin->duration() > 0) mesh.deformation = std::move(mannequin);
    collision::Obstacle obstacle;
    obstacle.shape = collision::Shape::mesh;
    obstacle.mesh = std::make_shared<const ObstacleMesh>(std::move(mesh));
    return obstacle;
}

void place_mesh(collision::Obstacle& obstacle, const PlaceParams& params) {
    const RigidTransform place = transform_of(params);
    ObstacleMesh mesh = *obstacle.mesh;
    for (Vec3& p : mesh.rest) {
        p = place(p);
        if (!p.allFinite())
            throw InputError({}, "the points of the mesh are not finite", {}, "check place and scale");
    }
    if (mesh.deformation) mesh.deformation = std::make_shared<PlacedDeformation>(mesh.deformation, place);
    obstacle.mesh = std::make_shared<const ObstacleMesh>(std::move(mesh));
}

}  // namespace taut::scene
