// Charts of a fabric: its points, the fitted curve and the loop of friction, in the units of the
// Kawabata system.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "taut/scene/fabric_file.hpp"

namespace taut::cli {

struct NamedTest {
    std::string name, title;  // "bending_warp", "bending, warp"
    bool shear = false;
    const scene::FabricTest* test = nullptr;
};

std::vector<NamedTest> tests_of(const scene::FabricFile& file);

// Writes stem_NAME.svg and .png for each test, and all side by side as stem.png; returns what was written.
std::vector<std::filesystem::path> write_fabric_charts(const scene::FabricFile& file,
                                                       const std::filesystem::path& stem);

}  // namespace taut::cli
