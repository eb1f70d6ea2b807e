#include "taut/constraints/edge_length.hpp"

#include <algorithm>
#include <cmath>

#include "taut/base/parallel.hpp"

namespace taut::constraints {

void describe(ParamList& list, EdgeLengthParams& params) {
    list.choice("form", params.form, {"goldenthal", "squared", "relative"},
                "Form of the length constraint: |d|^2/l - l, |d|^2 - l^2, or |d|/l - 1.");
    list.choice("edges", params.edges, {"yarns", "all"},
                "Which edges keep their length: warp and weft, or all, which locks triangles.");
}

EdgeLength::EdgeLength(Params params)
    : form_(params.form == "squared"    ? elements::EdgeForm::squared
            : params.form == "relative" ? elements::EdgeForm::relative
                                        : elements::EdgeForm::goldenthal),
      all_edges_(params.edges == "all") {}

void EdgeLength::prepare(const Model& model) {
    std::vector<int> row_of(model.edges.size(), -1);
    ends_.clear();
    length_.clear();
    for (std::size_t e = 0; e < model.edges.size(); ++e) {
        if (model.edges[e].direction == mesh::Direction::none && !all_edges_) continue;
        row_of[e] = int(ends_.size());
        ends_.push_back({model.edges[e].a, model.edges[e].b});
        length_.push_back(model.rest_length[e]);
    }
    chains_.clear();
    for (const mesh::Yarn& yarn : model.yarns) {
        linalg::RowChain chain;
        chain.family = yarn.direction == mesh::Direction::warp ? 0 : 1;
        chain.closed = yarn.closed;
        chain.vertex = yarn.vertex;
        for (int e : yarn.edge) chain.row.push_back(row_of[std::size_t(e)]);
        chains_.push_back(std::move(chain));
    }

    // Let every edge of no yarn be a chain of its own.
    for (std::size_t e = 0; e < model.edges.size(); ++e) {
        if (model.edges[e].direction != mesh::Direction::none || row_of[e] < 0) continue;
        chains_.push_back({2, false, {row_of[e]}, {model.edges[e].a, model.edges[e].b}});
    }

    // And so every pair of a seam.
    edge_rows_ = rows();
    seams_ = model.seams;
    for (const Seam& seam : seams_) {
        for (const auto& pair : seam.pairs) {
            chains_.push_back({2, false, {rows()}, {pair[0], pair[1]}});
            ends_.push_back(pair);
        }
    }
    length_.resize(ends_.size());
    advance(0);
}

void EdgeLength::advance(double time) {
    time_ = time;
    auto r = std::size_t(edge_rows_);
    for (const Seam& seam : seams_) {
        for (std::size_t k = 0; k < seam.pairs.size(); ++k) length_[r++] = seam.distance(k, time);
    }
}

void EdgeLength::add_rate(ConstPoints x, std::span<double> rate) const {
    auto r = std::size_t(edge_rows_);
    for (const Seam& seam : seams_) {
        for (std::size_t k = 0; k < seam.pairs.size(); ++k, ++r) {
            rate[r] += elements::length_derivative(form_, x[ends_[r][1]] - x[ends_[r][0]], length_[r]) *
                       seam.rate(k, time_);
        }
    }
}

void EdgeLength::residual(ConstPoints x, std::span<double> c) const {
    parallel_for(ends_.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = begin; r < end; ++r) {
            c[r] = elements::value(form_, x[ends_[r][1]] - x[ends_[r][0]], length_[r]);
        }
    });
}

void EdgeLength::jacobian(ConstPoints x, linalg::RowBlocks& rows) const {
    if (rows.rows() != int(ends_.size())) {
        rows.start.resize(ends_.size() + 1);
        rows.vertex.resize(2 * ends_.size());
        rows.gradient.resize(2 * ends_.size());
        for (std::size_t r = 0; r < ends_.size(); ++r) {
            rows.start[r + 1] = int(2 * (r + 1));
            rows.vertex[2 * r] = ends_[r][0];
            rows.vertex[2 * r + 1] = ends_[r][1];
        }
    }
    parallel_for(ends_.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = begin; r < end; ++r) {
            const Vec3 g = elements::gradient(form_, x[ends_[r][1]] - x[ends_[r][0]], length_[r]);
            rows.gradient[2 * r] = -g;
            rows.gradient[2 * r + 1] = g;
        }
    });
}

void EdgeLength::geometric_stiffness(ConstPoints x, std::span<const double> lambda,
                                     std::span<double> w) const {
    parallel_for(ends_.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = begin; r < end; ++r) {
            w[r] = elements::stiffness_weight(form_, x[ends_[r][1]] - x[ends_[r][0]], length_[r], lambda[r]);
        }
    });
}

double EdgeLength::violation(ConstPoints x) const {
    const double worst = parallel_max(ends_.size(), [&](std::size_t begin, std::size_t end) {
        double largest = 0;
        for (std::size_t r = begin; r < end; ++r) {
            const double strain = std::abs((x[ends_[r][1]] - x[ends_[r][0]]).norm() / length_[r] - 1);
            if (std::isnan(strain)) return strain;
            largest = std::max(largest, strain);
        }
        return largest;
    });
    return ends_.empty() ? 0.0 : worst;
}

double EdgeLength::squared_gradient(int row) const {
    const double length = length_[std::size_t(row)];
    return elements::gradient(form_, {length, 0, 0}, length).squaredNorm();
}

const std::string& EdgeLength::seam_of(int row) const {
    int last = edge_rows_;
    std::size_t s = 0;
    while (row >= (last += int(seams_[s].pairs.size()))) ++s;
    return seams_[s].name;
}

int EdgeLength::worst_row(ConstPoints x) const {
    int worst = -1;
    double largest = -1;
    for (std::size_t r = 0; r < ends_.size(); ++r) {
        const double strain = std::abs((x[ends_[r][1]] - x[ends_[r][0]]).norm() / length_[r] - 1);
        if (strain > largest) {
            largest = strain;
            worst = int(r);
        }
    }
    return worst;
}

}  // namespace taut::constraints
