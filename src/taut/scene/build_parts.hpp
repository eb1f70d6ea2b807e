// What the parts of building a scene share; private to the scene room.
#pragma once

#include <string>

#include "taut/base/error.hpp"
#include "taut/scene/build.hpp"

namespace taut::scene {

// Runs `make`; an InputError without a place of its own gets this one.
template <class Make>
auto placed(const Scene& scene, const std::string& pointer, Make make) {
    try {
        return make();
    } catch (const InputError& error) {
        if (!error.where().file.empty()) throw;
        throw InputError({scene.file, pointer}, error.problem(), error.value(), error.remedy());
    }
}

// The group a reference names, or itself.
const GroupSpec& group_of(const Scene& scene, const GroupSpec& given);

// Makes pins on the untouched initial positions, and starts what they hold on them and with their velocity;
// then those that leave vertices free along a curve or surface.
void add_pins(const Scene& scene, Assembly& out);
void add_guides(const Scene& scene, Assembly& out);

}  // namespace taut::scene
