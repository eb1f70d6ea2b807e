// Files of fabrics: forms of curves and units, the library, and scenes that name them.
#include "taut/scene/fabric_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "scene/scene_text.hpp"
#include "taut/scene/build.hpp"
#include "taut/scene/fabric_kes.hpp"
#include "taut/scene/fabric_units.hpp"

namespace taut::scene {
namespace {

TEST(FabricFile, EveryFabricOfTheLibraryReadsAndFits) {
    const auto names = built_in_fabrics();
    EXPECT_EQ(names, (std::vector<std::string>{"cotton", "denim", "polyester_cotton", "silk", "wool"}));
    for (const std::string& name : names) {
        const FabricFile file = open_fabric(name);
        EXPECT_EQ(file.fabric.name, name);
        EXPECT_FALSE(file.source.empty());
        for (const FabricTest* test : {&file.bend_warp, &file.bend_weft, &file.shear}) {
            EXPECT_EQ(test->form, CurveForm::points);
            EXPECT_LT(test->errors.out.rms, 0.03) << name;
            EXPECT_LT(test->errors.cycle.rms, 0.03) << name;
        }
    }
}

}  // namespace
}  // namespace taut::scene
