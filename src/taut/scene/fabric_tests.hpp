// Reads the tests of a fabric file; private to the scene room.
#pragma once

#include <filesystem>

#include "taut/scene/fabric_file.hpp"
#include "taut/scene/json_reader.hpp"

namespace taut::scene {

// Where the tables of a fabric are: in a folder, or inside the program.
struct FabricSource {
    std::filesystem::path folder;
    bool inside = false;
};

// {"warp": ..., "weft": ...}, or one description for both.
void read_bending(const JsonReader& reader, const FabricSource& source, FabricFile& file);
// The same; the curve is fitted to both directions at once, numbers are averaged.
void read_shear(const JsonReader& reader, const FabricSource& source, FabricFile& file);

}  // namespace taut::scene
