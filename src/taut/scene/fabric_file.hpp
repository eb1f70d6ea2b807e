// Files of fabrics: {"taut_fabric": 1, "name", "description", "source", "density", "thickness", "bending",
// "shear"}. A curve is given by measured points, here or in a table (fabric_csv.hpp), by the parameters of
// the Kawabata system, or by the parameters of a LoadCurve. Points are fitted on reading (fabric_fit.hpp).
// See docs/theory/fabrics.md.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "taut/model/fabric.hpp"
#include "taut/scene/fabric_fit.hpp"

namespace taut::scene {

inline constexpr int fabric_version = 1;

// How a curve was given.
enum class CurveForm { points, parameters, curve };

// One test of a fabric: what was measured, and the curve that stands for it.
struct FabricTest {
    CurveForm form = CurveForm::curve;
    elements::LoadCurve curve;    // SI
    std::vector<LoadPath> paths;  // SI; of shear up to two, along warp and weft; empty: no points
    FitErrors errors;             // where there are points
};

struct FabricFile {
    std::string file;  // as named in messages; of a fabric inside the program its name
    std::string description, source;
    Fabric fabric;
    FabricTest bend_warp, bend_weft, shear;
};

// A plain word is a fabric inside the program, anything else a file, relative to the folder. All throw
// InputError.
FabricFile open_fabric(const std::string& name, const std::filesystem::path& folder = ".");
bool is_fabric_name(const std::string& name);

// `name` stands for the file in messages; tables are sought from the folder.
FabricFile parse_fabric(std::string_view text, const std::string& name, const std::filesystem::path& folder);

std::vector<std::string> built_in_fabrics();  // names, sorted

}  // namespace taut::scene
