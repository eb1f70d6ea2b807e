// The first half of the registry, and what both halves are made with; private to them.
#pragma once

#include <vector>

#include "taut/scene/registry.hpp"

namespace taut::scene {

template <class Params>
Entry entry(Kind kind, const char* name, const char* text) {
    Entry result;
    result.kind = kind;
    result.name = name;
    result.text = text;
    result.settings = [] { return Settings::make<Params>(); };
    return result;
}

// Adds all cloths, initial shapes and obstacles.
void add_shapes(std::vector<Entry>& list);

}  // namespace taut::scene
