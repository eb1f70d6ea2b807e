// The plain parameter structs of the scene format that belong to no component of the step:
// cloth makers, initial shapes, materials, obstacles, friction. Those of pins are in pin_params.hpp, those
// of run and output in run_params.hpp. Each has a describe() beside it; together with the components' own
// lists they are the whole format.
#pragma once

#include <string>

#include "taut/base/parameter.hpp"

namespace taut::scene {

// Cloth makers: the rest shape.
struct GridParams {
    int nu = 41, nv = 41;
    double width = 1, height = 1;  // [m]
    std::string cells = "quads";   // or "triangles"
};
struct WovenDiscParams {
    double radius = 0.15;  // [m]
    int across = 60;
    double clamp = 0;  // [m]
};
struct PolylineParams {
    int vertices = 81;
    double length = 1;  // [m]
};
struct ConeParams {
    int around = 64, along = 33;
    double radius_top = 0.1, radius_bottom = 0.3, height = 0.5;  // [m]
};
struct ObjParams {
    std::string file;
    std::string up = "z";
    double scale = 1;  // metres per unit of the file
};

// Initial shapes: where the cloth starts, before `place` moves it.
struct RestParams {};
struct SagParams {
    double chord = 0.98;  // [m]
    std::string axis = "u";
};
struct LineParams {
    Vec3 direction = -Vec3::UnitZ();
    double angle = 0;  // [deg]
};
struct ModeParams {
    int number = 1;
    double amplitude = 0.01;  // [m]
};

// What every cloth has besides its maker's parameters.
struct ClothParams {
    std::string name;
    Vec3 velocity = Vec3::Zero();  // [m/s]
    Vec3 spin = Vec3::Zero();      // [deg/s]
    double thickness = 0;          // [m]; 0: that of the filter
    double friction = 0.3;
    std::string pattern = "auto";  // or "rest", "uv"
    double uv_scale = 1;           // [m]
    double grain = 0;              // [deg]
};
struct PlaceParams {
    Vec3 translate = Vec3::Zero();  // [m]
    Vec3 rotate = Vec3::Zero();     // rotation vector [deg]
};
struct MaterialParams {
    double density = 0.2;         // [kg/m^2]
    double linear_density = 0.1;  // [kg/m]
    std::string fabric;           // name or file, or empty
};

// Obstacles.
struct PlaneParams {
    Vec3 point = Vec3::Zero();  // [m]
    Vec3 normal = Vec3::UnitZ();
};
struct SphereParams {
    Vec3 center = Vec3::Zero();  // [m]
    double radius = 0.25;        // [m]
};
struct CapsuleParams {
    Vec3 start = Vec3::Zero();       // [m]
    Vec3 end = 0.5 * Vec3::UnitZ();  // [m]
    double radius = 0.1;             // [m]
};
struct BoxParams {
    Vec3 center = Vec3::Zero();       // [m]
    Vec3 size = Vec3::Constant(0.5);  // full edge lengths [m]
};
struct PolygonSphereParams {
    Vec3 center = Vec3::Zero();  // [m]
    double radius = 0.25;        // of the corners [m]
    int frequency = 4;
};
struct MeshObstacleParams {
    std::string file;
    std::string up = "z";
    double scale = 1;      // metres per unit of the files
    std::string sequence;  // pattern of OBJ files, or empty
    int first = 0, count = 0;
    std::string pc2;                       // or empty
    double fps = 30, start = 0;            // [1/s], [s]
    std::string interpolation = "smooth";  // or "linear"
};
struct ObstacleParams {
    std::string name;
    double friction = 0.3;
};
struct FrictionParams {
    double coefficient = 0.3;
};

void describe(ParamList& list, GridParams& params);
void describe(ParamList& list, WovenDiscParams& params);
void describe(ParamList& list, PolylineParams& params);
void describe(ParamList& list, ConeParams& params);
void describe(ParamList& list, ObjParams& params);
void describe(ParamList& list, RestParams& params);
void describe(ParamList& list, SagParams& params);
void describe(ParamList& list, LineParams& params);
void describe(ParamList& list, ModeParams& params);
void describe(ParamList& list, ClothParams& params);
void describe(ParamList& list, PlaceParams& params);
void describe(ParamList& list, MaterialParams& params);
void describe(ParamList& list, PlaneParams& params);
void describe(ParamList& list, SphereParams& params);
void describe(ParamList& list, CapsuleParams& params);
void describe(ParamList& list, BoxParams& params);
void describe(ParamList& list, PolygonSphereParams& params);
void describe(ParamList& list, MeshObstacleParams& params);
void describe(ParamList& list, ObstacleParams& params);
void describe(ParamList& list, FrictionParams& params);

}  // namespace taut::scene
