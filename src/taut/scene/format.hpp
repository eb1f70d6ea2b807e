// The keys of the scene format that are not plain parameters: objects, arrays and names. One table
// per kind of object serves the reader (what is allowed), the JSON Schema and the reference pages.
#pragma once

#include <string>
#include <vector>

namespace taut::scene {

struct FormatKey {
    std::string name;
    std::string type;  // in words: "array of cloths"
    std::string text;  // one sentence
    bool required = false;
};

const std::vector<FormatKey>& top_keys();
const std::vector<FormatKey>& cloth_keys();
const std::vector<FormatKey>& group_keys();
const std::vector<FormatKey>& pin_keys();
const std::vector<FormatKey>& seam_keys();
const std::vector<FormatKey>& obstacle_keys();
const std::vector<FormatKey>& friction_keys();
const std::vector<FormatKey>& map_keys();
const std::vector<FormatKey>& guide_keys();
const std::vector<FormatKey>& motion_keys();
const std::vector<FormatKey>& output_keys();

const std::vector<std::string>& force_groups();  // "step", "relax", "both"
const std::vector<std::string>& corner_names();  // of a grid: "u0v0", ...
const std::vector<std::string>& edge_names();    // of a grid: "u0", ...

std::vector<std::string> names_in(const std::vector<FormatKey>& keys);

}  // namespace taut::scene
