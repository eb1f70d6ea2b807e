// Repelling of House, DeVaul and Breen 1996 (Eq. 2 and 4): all particles closer than the nominal distance
// push each other away, by the energy  C A ((s - r)/s)^5 s/r,  with A the mean of their patches. Between the
// ends of a warp or weft edge s is its rest length; all others are found by spatial enumeration, and s is
// `distance`. Keeps particles apart, not what lies between them: cloth with shorter distances than its edges
// may still pass through itself. See docs/theory/repel.md.
#pragma once

#include <array>
#include <vector>

#include "taut/base/incidence.hpp"
#include "taut/model/interfaces.hpp"

namespace taut::forces {

struct RepelParams {
    double stiffness = 1e4;  // C [N/m]
    double distance = 0;     // [m]; 0: the shortest warp or weft edge
};
void describe(ParamList& list, RepelParams& params);

class Repel final : public Force {
public:
    using Params = RepelParams;
    static constexpr const char* type_name = "repel";

    explicit Repel(Params params) : params_(params) {}
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    void add_force(const ForceInput& in, PointsView f) const override;
    bool has_energy() const override { return true; }
    double energy(ConstPoints x) const override;
    // Pairs other than edges come and go: each gives twice its block to the diagonals of both, which bounds
    // it.
    bool has_hessian() const override { return true; }
    void add_pattern(std::vector<std::array<int, 2>>& pairs) const override;
    void add_hessian(const ForceInput& in, double scale, linalg::BlockMatrix& hessian) const override;

    double distance() const { return distance_; }  // nominal, of pairs that are no edge [m]

private:
    bool joined(std::size_t i, int j) const;  // by a warp or weft edge
    double weight(std::size_t i, std::size_t j) const {
        return 0.5 * params_.stiffness * (area_[i] + area_[j]);
    }

    RepelParams params_;
    double distance_ = 0;
    std::vector<double> area_;  // patch of every vertex [m^2]
    std::vector<std::array<int, 2>> ends_;
    std::vector<double> rest_length_, edge_weight_;  // [m], [J]
    Incidence incident_;  // ends of edges at each vertex: 2 e for the first, 2 e + 1
};

}  // namespace taut::forces
