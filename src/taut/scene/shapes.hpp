// Makers behind the registry's cloths, initial shapes and obstacles. They take their parameter
// struct and throw InputError where numbers that are fine one by one make no shape.
#pragma once

#include "taut/collision/mannequin.hpp"
#include "taut/io/obj.hpp"
#include "taut/scene/params.hpp"
#include "taut/scene/registry.hpp"

namespace taut::scene {

// The OBJ file, from disk or from inside the program.
io::ObjMesh read_mesh(const std::string& file, const io::ObjOptions& options);

RigidTransform transform_of(const PlaceParams& place);

MadeCloth make_grid_cloth(const GridParams& params);
MadeCloth make_woven_disc_cloth(const WovenDiscParams& params);  // parts: center, rim, clamp
MadeCloth make_polyline_cloth(const PolylineParams& params);
MadeCloth make_cone_cloth(const ConeParams& params);
MadeCloth make_obj_cloth(const ObjParams& params);  // refuses meshes with errors

Points start_at_rest(const RestParams& params, const MadeCloth& cloth);
Points start_sagging(const SagParams& params, const MadeCloth& cloth);
Points start_on_line(const LineParams& params, const MadeCloth& cloth);
Points start_in_mode(const ModeParams& params, const MadeCloth& cloth);
Points start_from_obj(const ObjParams& params, const MadeCloth& cloth);

collision::Obstacle make_plane(const PlaneParams& params);
collision::Obstacle make_sphere(const SphereParams& params);
collision::Obstacle make_capsule(const CapsuleParams& params);
collision::Obstacle make_box(const BoxParams& params);
collision::Obstacle make_polygon_sphere(const PolygonSphereParams& params);
collision::Obstacle make_mesh_obstacle(const MeshObstacleParams& params);
collision::Obstacle make_mannequin(const collision::MannequinParams& params);

// Turns and shifts a mesh obstacle before any motion, with all that it deforms to.
void place_mesh(collision::Obstacle& obstacle, const PlaceParams& place);

}  // namespace taut::scene
