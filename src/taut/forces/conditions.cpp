#include "taut/forces/conditions.hpp"

#include "taut/model/pattern.hpp"

namespace taut::forces {

void describe_curvature(ParamList& list, std::string& value) {
    list.choice(
        "curvature", value, {"positive", "exact", "none"},
        "Second derivatives of the condition in implicit steps: made positive, as they are, or left out.");
}

elements::Curvature curvature_of(const std::string& value) {
    if (value == "exact") return elements::Curvature::exact;
    return value == "none" ? elements::Curvature::none : elements::Curvature::positive;
}

void ConditionTriangles::prepare(const Model& model) {
    std::vector<std::array<int, 3>> vertices;
    material_.clear();
    for (const PatternTriangle& triangle : pattern_triangles(model)) {
        vertices.push_back(triangle.vertex);
        material_.push_back(elements::material_triangle(triangle.uv));
    }
    blocks_.prepare(model.vertex_count(), std::move(vertices));
}

MaterialFrame ConditionTriangles::frame(std::size_t t, ConstPoints x) const {
    const auto [a, b, c] = blocks_.vertices(t);
    return {elements::combine(material_[t].du, x[a], x[b], x[c]),
            elements::combine(material_[t].dv, x[a], x[b], x[c])};
}

}  // namespace taut::forces
