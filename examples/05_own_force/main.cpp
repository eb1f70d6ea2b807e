// A force of one's own beside those of a scene: prepare() reads the model once, add_force() adds
// newtons. A steady push on a free sheet moves its centre of mass as Newton says.
#include <fmt/core.h>
#include <taut/taut.hpp>

#include <cmath>

namespace {

// A push along x, spread over the cloth by mass.
class Push : public taut::Force {
public:
    explicit Push(double newtons) : newtons_(newtons) {}
    std::string_view name() const override { return "push"; }

    void prepare(const taut::Model& model) override {
        share_ = model.mass;
        double total = 0;
        for (const double mass : model.mass) total += mass;
        for (double& share : share_) share /= total;
    }

    void add_force(const taut::ForceInput&, taut::PointsView f) const override {
        for (std::size_t i = 0; i < f.size(); ++i) f[i].x() += newtons_ * share_[i];
    }

private:
    double newtons_;             // along x, on the whole cloth [N]
    std::vector<double> share_;  // of each vertex [1]
};

}  // namespace

int main() {
    const taut::Scene scene = taut::parse_scene(
        R"({"taut": 1, "cloths": [{"type": "grid", "nu": 21, "nv": 21}], "forces": [], "run": {"duration": 1}})",
        "own_force");

    // Take the scene's model and pipeline apart and add the force: 0.1 N on 0.2 kg.
    taut::scene::Assembly assembly = taut::scene::assemble(scene);
    taut::Pipeline pipeline = taut::scene::make_pipeline(scene, assembly);
    pipeline.forces.push_back(std::make_unique<Push>(0.1));
    taut::Simulation simulation(std::move(assembly.model), std::move(assembly.start), std::move(pipeline),
                                taut::scene::run_settings(scene));
    simulation.run({});

    // Compare with a t^2 / 2; the first step is of first order and costs a little.
    double x = 0;
    for (const taut::Vec3& p : simulation.state().x) x += p.x() / double(simulation.state().x.size());
    fmt::print("moved {:.4f} m, expected {:.4f} m\n", x - 0.5, 0.25);
    return simulation.certified() && std::abs(x - 0.5 - 0.25) < 0.005 ? 0 : 1;
}
