// Where scenes come from on the command line.
#include "scene_source.hpp"

#include <filesystem>

#include "taut/base/parameter.hpp"
#include "taut/scene/library.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

namespace fs = std::filesystem;

// A plain word, as names of built-in scenes are; anything else is meant as a file.
bool is_word(const std::string& argument) { return argument.find_first_of("/\\.") == std::string::npos; }

}  // namespace

scene::Scene open_scene(const std::string& argument, const std::vector<std::string>& overrides) {
    const std::vector<std::string> changes = with_fractions(overrides);
    std::error_code error;
    if (!is_word(argument) || fs::is_regular_file(argument, error))
        return scene::load_scene(argument, changes);
    const auto scenes = scene::built_in_scenes();
    return scene::parse_scene(scene::find_scene(scenes, argument).text, argument, ".", changes);
}

std::vector<std::string> with_fractions(std::vector<std::string> overrides) {
    for (std::string& text : overrides) {
        const std::size_t equal = text.find('=');
        if (equal == std::string::npos) continue;
        double quotient = 0;
        if (is_fraction(text.substr(equal + 1), quotient)) {
            text = text.substr(0, equal + 1) + number_text(quotient);
        }
    }
    return overrides;
}

}  // namespace taut::cli
