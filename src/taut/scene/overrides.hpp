// --set path=value: changes to the JSON of a scene before it is read. A path is a JSON pointer
// ("/run/dt") or names apart by slashes or dots ("filters/stable_projection/tolerance",
// "cloths.sheet.nu"); elements of arrays go by number, name or type. The value is JSON, or a text
// where it is not. Keys not there yet are added; the reader later refuses those it does not know.
#pragma once

#include <string>
#include <vector>

#include "taut/scene/json_text.hpp"

namespace taut::scene {

struct AppliedOverride {
    std::string text;     // as given
    std::string pointer;  // where it ended
};

// Throws InputError on a path that leads nowhere, with the nearest name.
AppliedOverride apply_override(Json& root, const std::string& text);

}  // namespace taut::scene
