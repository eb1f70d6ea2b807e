#include "taut/scene/sections.hpp"

#include <algorithm>

#include "taut/scene/scene.hpp"

namespace taut::scene {
namespace {

// The sentence of a key, of the scene itself where nothing else is said.
std::string text_of(const std::string& key, const std::vector<FormatKey>& keys = top_keys()) {
    const auto found =
        std::find_if(keys.begin(), keys.end(), [&](const FormatKey& k) { return k.name == key; });
    return found == keys.end() ? std::string() : found->text;
}

}  // namespace

std::vector<Section> scene_sections() {
    return {
        {"scene", "The top level of a scene, one JSON object.", top_keys(), {}},
        {"run", text_of("run"), {}, Settings::make<RunParams>()},
        {"output", text_of("output"), output_keys(), Settings::make<OutputParams>()},
        {"preview", "How preview.png is drawn.", {}, Settings::make<PreviewParams>()},
        {"cloths", "What every cloth has besides the parameters of its type.", cloth_keys(),
         Settings::make<ClothParams>()},
        {"place",
         "Rotation and shift of a cloth, or of an obstacle that is a mesh.",
         {},
         Settings::make<PlaceParams>()},
        {"materials", text_of("materials"), {}, Settings::make<MaterialParams>()},
        {"groups", text_of("groups"), group_keys(), {}},
        {"box", text_of("box", group_keys()), {}, Settings::make<BoxSelector>(), {"min", "max"}},
        {"sphere",
         text_of("sphere", group_keys()),
         {},
         Settings::make<SphereSelector>(),
         {"center", "radius"}},
        {"pins", text_of("pins"), pin_keys(), Settings::make<PinParams>()},
        {"on",
         "Curve or surface that the vertices of a pin stay on.",
         guide_keys(),
         Settings::make<GuideParams>(),
         {"type"}},
        {"motion", "A rigid motion of the anchors of a pin or of an obstacle.", motion_keys(),
         Settings::make<MotionParams>()},
        {"keyframes", "Where a motion stands at a time.", {}, Settings::make<KeyframeParams>(), {"time"}},
        {"seams", text_of("seams"), seam_keys(), Settings::make<SeamParams>()},
        {"obstacles", "What every obstacle has besides the parameters of its type.", obstacle_keys(),
         Settings::make<ObstacleParams>()},
        {"friction", text_of("friction"), friction_keys(), Settings::make<FrictionParams>(), {"coefficient"}},
        {"correction_maps", text_of("correction_maps"), map_keys(), Settings::make<MapParams>()},
    };
}

}  // namespace taut::scene
