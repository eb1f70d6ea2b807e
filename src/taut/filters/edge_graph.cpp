#include "taut/filters/edge_graph.hpp"

#include <algorithm>
#include <numeric>

#include "taut/base/random.hpp"

namespace taut::filters {

std::vector<GraphEdge> edges_of(const constraints::EdgeLength& constraint) {
    std::vector<GraphEdge> edges;
    edges.reserve(std::size_t(constraint.rows()));
    for (int r = 0; r < constraint.rows(); ++r) {
        edges.push_back({constraint.ends(r)[0], constraint.ends(r)[1], constraint.rest_length(r), r});
    }
    return edges;
}

std::vector<GraphEdge> diagonals_of(const Model& model) {
    std::vector<GraphEdge> edges;
    for (const mesh::Face& face : model.faces) {
        for (int k = 0; face.size() == 4 && k < 2; ++k) {
            const int a = face.corner[k], b = face.corner[k + 2];
            edges.push_back({a, b, (model.rest[b] - model.rest[a]).norm(), -1});
        }
    }
    return edges;
}

void update_lengths(const constraints::EdgeLength& constraint, std::vector<GraphEdge>& edges) {
    if (constraint.rows() == constraint.edge_rows()) return;
    for (GraphEdge& edge : edges) {
        if (edge.row >= 0) edge.length = constraint.rest_length(edge.row);
    }
}

void shuffle(std::vector<GraphEdge>& edges, std::uint64_t seed) {
    for (std::size_t k = edges.size(); k > 1; --k) {
        std::swap(edges[k - 1], edges[next_random(seed) % k]);
    }
}

std::vector<std::size_t> sort_by_color(int vertices, std::vector<GraphEdge>& edges) {
    // Give every edge the first color that none of its neighbours has.
    std::vector<std::vector<std::uint8_t>> used(static_cast<std::size_t>(vertices));
    std::vector<std::size_t> color(edges.size());
    std::size_t colors = 0;
    const auto has = [&](int vertex, std::size_t c) { return c < used[vertex].size() && used[vertex][c]; };
    for (std::size_t e = 0; e < edges.size(); ++e) {
        std::size_t c = 0;
        while (has(edges[e].a, c) || has(edges[e].b, c)) ++c;
        for (int vertex : {edges[e].a, edges[e].b}) {
            if (used[vertex].size() <= c) used[vertex].resize(c + 1, 0);
            used[vertex][c] = 1;
        }
        color[e] = c;
        colors = std::max(colors, c + 1);
    }

    // Sort by color, keeping the order within.
    std::vector<std::size_t> order(edges.size()), start(colors + 1, 0);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return color[a] < color[b]; });
    std::vector<GraphEdge> sorted;
    sorted.reserve(edges.size());
    for (std::size_t e : order) {
        sorted.push_back(edges[e]);
        ++start[color[e] + 1];
    }
    for (std::size_t c = 0; c < colors; ++c) start[c + 1] += start[c];
    edges = std::move(sorted);
    return start;
}

void inverse_masses(const StepContext& context, std::vector<double>& inverse) {
    inverse.resize(context.model->mass.size());
    for (std::size_t i = 0; i < inverse.size(); ++i) {
        inverse[i] = context.pinned[i] ? 0.0 : 1 / context.model->mass[i];
    }
}

}  // namespace taut::filters
