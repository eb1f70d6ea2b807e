// Wavefront OBJ: polygon meshes of triangles and quads, polylines, texture coordinates. Normals,
// groups, materials and smoothing are read past; free-form curves and surfaces are refused. Every
// fault of a file is an InputError that names the line and shows its text.
#pragma once

#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "taut/base/vec.hpp"
#include "taut/mesh/mesh.hpp"

namespace taut::io {

struct ObjOptions {
    std::string up = "z";  // axis that points up in the file: "z", or "y" (turned to z)
    double scale = 1;      // metres per unit of the file
};

struct ObjMesh {
    mesh::PolygonMesh mesh;          // corner_uv only where every face has texture coordinates
    Points points;                   // [m], z up
    int file_vertices = 0;           // in the file, used or not
    std::vector<int> file_index;     // per vertex its place in the file from 0; empty: the same order
    std::vector<std::string> notes;  // what was left out, in words
};

// Vertices that belong to no face and no line are left out, with a note. Throws InputError.
ObjMesh read_obj(const std::filesystem::path& file, const ObjOptions& options = {});

// The same from text in memory; `name` stands for the file in messages.
ObjMesh parse_obj(std::string_view text, const std::string& name, const ObjOptions& options = {});

// What is written; corner_uv is empty or has one entry per face.
struct ObjContent {
    ConstPoints points;  // [m]
    std::span<const mesh::Face> faces;
    std::span<const std::array<int, 2>> lines;
    std::span<const std::array<Vec2, 4>> corner_uv;
};

// Coordinates are written so that they read back to the same bits. The file appears when complete.
void write_obj(const std::filesystem::path& file, const ObjContent& content);

}  // namespace taut::io
