#include <fmt/core.h>
#include <taut/taut.hpp>

int main() {
    const char* sheet = R"({"taut": 1,
        "cloths": [{"type": "grid", "nu": 41, "nv": 41, "initial": {"type": "sag", "chord": 0.98}}],
        "pins": [{"group": {"corner": ["u0v0", "u1v0"]}}]})";
    const auto simulation = taut::build(taut::parse_scene(sheet, "hello"));
    simulation->run({});
    fmt::print("after {} s: certified {}\n", simulation->state().t, simulation->certified());
    return simulation->certified() ? 0 : 1;
}
