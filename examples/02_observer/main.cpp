// Watches a run: an observer sees every committed step and frame and changes nothing. This one
// follows the energy of a sheet that falls from two corners and checks that it never grows.
#include <fmt/core.h>
#include <taut/taut.hpp>

#include <algorithm>

namespace {

class EnergyWatch : public taut::Observer {
public:
    void step(const taut::Simulation&, const taut::StepReport& report) override {
        if (report.step == 1) first_ = report.energy();
        highest_ = std::max(highest_, report.energy() - first_);
        lowest_ = std::min(lowest_, report.energy() - first_);
        kinetic_ = std::max(kinetic_, report.kinetic);
    }

    void frame(const taut::Simulation& simulation, int frame) override {
        if (frame % 30 == 0) {
            fmt::print("t = {:.2f} s, last corner at z = {:.3f} m\n", simulation.state().t,
                       simulation.state().x.back().z());
        }
    }

    double growth() const { return highest_; }   // above the first step [J]
    double loss() const { return -lowest_; }     // below the first step [J]
    double kinetic() const { return kinetic_; }  // the most in any step [J]

private:
    double first_ = 0, highest_ = 0, lowest_ = 0, kinetic_ = 0;
};

}  // namespace

int main() {
    const char* sheet = R"({"taut": 1, "run": {"duration": 1},
        "cloths": [{"type": "grid", "nu": 31, "nv": 31, "initial": {"type": "sag", "chord": 0.98}}],
        "pins": [{"group": {"corner": ["u0v0", "u1v0"]}}]})";
    const auto simulation = taut::build(taut::parse_scene(sheet, "sheet"));
    EnergyWatch watch;
    simulation->run({&watch});

    // Expect a real swing (0.2 kg that fall about half a metre move with about 1 J) and no growth.
    fmt::print("kinetic energy up to {:.3f} J, total: grew {:.2e} J, lost {:.3f} J\n", watch.kinetic(),
               watch.growth(), watch.loss());
    const bool good = watch.kinetic() > 0.3 && watch.growth() < 1e-3 * watch.kinetic();
    return good && simulation->certified() ? 0 : 1;
}
