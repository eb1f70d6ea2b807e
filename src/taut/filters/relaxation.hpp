// The second phase of the three-phase step of Breen and House as House, DeVaul and Breen 1996, section 2,
// recall it: the energy of the forces in the group `relax` is minimised over the positions, from where the
// candidate ends. All particles move at once, each along its own force (`gradient`), or by sparse Newton
// steps (`newton`); random displacements, mostly across the cloth, which fade, keep it from resting on a
// ridge and make it uneven. Their algorithm is known by that summary alone; what is ours is said in
// docs/theory/relaxation.md.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "taut/linalg/block_cholesky.hpp"
#include "taut/linalg/block_matrix.hpp"
#include "taut/linalg/sparse.hpp"
#include "taut/model/interfaces.hpp"

namespace taut::filters {

struct RelaxationParams {
    std::string method = "gradient";
    int iterations = 100;
    double tolerance = 1e-4;  // part of an edge
    double max_move = 0.1;    // part of an edge
    double noise = 0;         // part of an edge
    double noise_decay = 0.5;
    double noise_fade = 2;  // [1/s]
    int seed = 1;
};
void describe(ParamList& list, RelaxationParams& params);

class Relaxation final : public VelocityFilter {
public:
    using Params = RelaxationParams;
    static constexpr const char* type_name = "relaxation";

    explicit Relaxation(Params params);
    std::string_view name() const override { return type_name; }
    std::vector<MemoryBlock> memory() override;
    void prepare(const Model& model) override;
    void apply(const StepContext& context, Candidate& c, FilterReport& report) override;
    void measure(const StepContext&, const Candidate&, FilterReport&) const override {}
    Promise promise() const override { return Promise::other; }
    ContractBreaks breaks() const override { return {true, true, true, true}; }

private:
    void meet_forces(const StepContext& context);
    double energy() const;                            // at x_ [J]
    void evaluate(const StepContext& context);        // fills f_
    void assemble(const StepContext& context);        // fills matrix_
    void gradient_moves(const StepContext& context);  // fills move_
    bool newton_moves(const StepContext& context);    // the same; false: none
    bool search(const StepContext& context, double& reached);
    double farthest() const;  // of move_ after the search, part of an edge
    void shake(const StepContext& context, double amplitude);

    Params params_;
    const Model* model_ = nullptr;
    std::vector<const Force*> forces_;  // those the pattern was made for
    std::vector<double> reach_;         // shortest edge of every vertex [m]
    linalg::BlockMatrix matrix_;
    linalg::SymmetricCsr stiffness_;  // of forces without a Hessian
    linalg::BlockCholesky cholesky_;
    std::vector<std::uint8_t> analysed_for_;
    std::vector<double> random_;  // state of the random numbers in two halves, and what is left of the noise
    double step_ = 1;             // part of their moves that particles take together
    double damping_ = 1;          // of Newton steps, part of that which keeps particles within reach
    Points x_, still_, f_, move_, trial_, normal_;
};

}  // namespace taut::filters
