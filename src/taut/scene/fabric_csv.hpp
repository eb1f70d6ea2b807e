// Measurements of fabrics as tables: a header row with names and units in brackets,
//     test, direction, curvature [1/cm], moment [gf.cm/cm], angle [deg], force [gf/cm]
// and one row per point in order of time; test is bending or shear, direction warp or weft. Rows of bending
// leave the columns of shear empty and the other way round, or the columns are not there at all.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "taut/scene/fabric_fit.hpp"

namespace taut::scene {

struct CsvPath {
    LoadPath path;           // SI
    std::vector<int> lines;  // of each point, from 1
};

// By test ("bending", "shear") and direction ("warp", "weft").
using CsvPaths = std::map<std::pair<std::string, std::string>, CsvPath>;

// `file` names the table in errors. Throws InputError with line and column.
CsvPaths read_fabric_csv(std::string_view text, const std::string& file);

}  // namespace taut::scene
