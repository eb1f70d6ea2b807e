// Warp and weft edges keep their rest length (Goldenthal 2007, Eq. 1-2): one row per classed edge,
// in one of three forms. Edges of no yarn direction are not constrained unless asked for: constraining all
// edges of a triangulation locks it (section 3 of the paper). Behind the edges come the pairs of vertices
// that seams hold together, in the same form, with lengths that change over time (docs/theory/seams.md).
#pragma once

#include <string>

#include "taut/elements/edge_length.hpp"
#include "taut/model/interfaces.hpp"

namespace taut::constraints {

struct EdgeLengthParams {
    std::string form = "goldenthal";
    std::string edges = "yarns";  // or "all"
};
void describe(ParamList& list, EdgeLengthParams& params);

class EdgeLength final : public Constraint {
public:
    using Params = EdgeLengthParams;
    static constexpr const char* type_name = "edge_length";

    explicit EdgeLength(Params params = {});
    std::string_view name() const override { return type_name; }
    void prepare(const Model& model) override;
    int rows() const override { return int(ends_.size()); }
    void advance(double time) override;
    void add_rate(ConstPoints x, std::span<double> rate) const override;
    void residual(ConstPoints x, std::span<double> c) const override;
    void jacobian(ConstPoints x, linalg::RowBlocks& rows) const override;
    void geometric_stiffness(ConstPoints x, std::span<const double> lambda,
                             std::span<double> w) const override;
    double violation(ConstPoints x) const override;
    const std::vector<linalg::RowChain>& chains() const override { return chains_; }

    // The row whose strain |l/l0 - 1| is largest.
    int worst_row(ConstPoints x) const;
    double rest_length(int row) const { return length_[std::size_t(row)]; }  // of seams: at this time [m]
    double squared_gradient(int row) const;       // |dC/dx_b|^2 of an edge or seam of the right length
    int edge_rows() const { return edge_rows_; }  // rows from this one on are of seams
    const std::string& seam_of(int row) const;    // name of the seam of a row
    std::array<int, 2> ends(int row) const { return ends_[std::size_t(row)]; }

private:
    elements::EdgeForm form_;
    bool all_edges_;
    std::vector<std::array<int, 2>> ends_;
    std::vector<double> length_;  // rest lengths [m]
    int edge_rows_ = 0;
    std::vector<Seam> seams_;
    double time_ = 0;  // that lengths of seams are for [s]
    std::vector<linalg::RowChain> chains_;
};

}  // namespace taut::constraints
