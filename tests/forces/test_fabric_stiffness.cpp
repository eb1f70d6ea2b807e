// Forces on cloths of a fabric: its stiffness in place of their own, cloth by cloth, and energies in closed
// form.
#include "forces/condition_checks.hpp"
#include "taut/forces/bend_condition.hpp"
#include "taut/forces/isometric_bending.hpp"
#include "taut/forces/shear_condition.hpp"
#include "taut/forces/shear_springs.hpp"

namespace taut::forces::fabric_stiffness_tests {
namespace {

using namespace taut::testing;

constexpr double warp = 3e-5, weft = 1e-5, shear = 40;  // [N m], [N/m]

std::shared_ptr<const Fabric> straight_fabric(double factor = 1) {
    auto fabric = std::make_shared<Fabric>();
    fabric->bend_warp = elements::straight(factor * warp);
    fabric->bend_weft = elements::straight(factor * weft);
    fabric->shear = elements::straight(factor * shear);
    return fabric;
}

Model with_fabric(Model model, std::shared_ptr<const Fabric> fabric) {
    Cloth cloth;
    cloth.vertex_count = model.vertex_count();
    cloth.face_count = static_cast<int>(model.faces.size());
    cloth.edge_count = model.edge_count();
    cloth.fabric = std::move(fabric);
    model.cloths = {cloth};
    return model;
}

template <class F>
double energy_of(const Model& model, typename F::Params params, const Points& x) {
    F force(std::move(params));
    force.prepare(model);
    return force.energy(x);
}

// Twice the same sheet in one model, the second beside the first.
Model two_sheets(const Model& one) {
    Model model = with_fabric(one, nullptr);
    const int n = one.vertex_count(), faces = model.cloths[0].face_count, edges = model.cloths[0].edge_count;
    model.cloths.push_back(model.cloths[0]);
    model.cloths[1].first_vertex = n, model.cloths[1].first_face = faces, model.cloths[1].first_edge = edges;
    for (const Vec3& p : one.rest) model.rest.push_back(p + Vec3(5, 0, 0));
    for (mesh::Face face : one.faces) {
        for (int& c : face.corner) c += c >= 0 ? n : 0;
        model.faces.push_back(face);
    }
    for (mesh::Edge edge : one.edges) {
        edge.a += n, edge.b += n;
        for (int& f : edge.face) f += f >= 0 ? faces : 0;
        model.edges.push_back(edge);
        model.rest_length.push_back((model.rest[edge.b] - model.rest[edge.a]).norm());
    }
    model.mass.assign(model.rest.size(), 1.0);
    return model;
}

template <class F>
void expect_cloth_by_cloth(const typename F::Params& own, const typename F::Params& as_fabric) {
    const Model one = mixed_sheet();
    Model two = two_sheets(one);
    two.cloths[1].fabric = straight_fabric();
    const Points x = shaken(two.rest, 0.03, 4);
    const std::size_t n = one.rest.size();
    const Points first(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n));
    const Points second(x.begin() + static_cast<std::ptrdiff_t>(n), x.end());
    const double sum = energy_of<F>(one, own, first) + energy_of<F>(one, as_fabric, second);
    EXPECT_NEAR(energy_of<F>(two, own, x), sum, 1e-9 * sum);
}

TEST(FabricStiffness, EachClothHasItsOwn) {
    expect_cloth_by_cloth<IsometricBending>({.warp = 7e-6, .weft = 2e-6}, {.warp = warp, .weft = weft});
    expect_cloth_by_cloth<IsometricBending>({.warp = 0, .weft = 0}, {.warp = warp, .weft = weft});
    expect_cloth_by_cloth<BendCondition>({.weft = 7e-6, .warp = 2e-6}, {.weft = weft, .warp = warp});
    expect_cloth_by_cloth<ShearCondition>({.stiffness = 3}, {.stiffness = shear});
}

// A sheet rolled to a cylinder has the energy B / (2 R^2) per area, warp and weft apart.
TEST(FabricStiffness, CylindersBendWarpOrWeft) {
    const Model model = with_fabric(flat_grid(41, 41, 0.2, 0.2), straight_fabric());
    const double radius = 0.1;
    for (const auto& [angle, stiffness] : {std::pair{0.0, weft}, std::pair{M_PI / 2, warp}}) {
        const Points x = roll(model.rest, radius, angle);
        const double smooth = 0.5 * stiffness * total_area(model) / (radius * radius);
        EXPECT_NEAR(energy_of<IsometricBending>(model, {}, x), smooth, 2e-3 * smooth);
        EXPECT_NEAR(energy_of<BendCondition>(model, {}, x), smooth * 39 / 40, 1e-6 * smooth);
    }
}

// The straight line of a curve with friction is its slope where the Kawabata system takes it.
TEST(FabricStiffness, CurvesCountByTheirSlope) {
    auto fabric = std::make_shared<Fabric>(*straight_fabric());
    fabric->bend_weft.yielding[0] = {2e-4, 60};
    const double b = weft + 2e-4 * (std::exp(-50.0 / 60) - std::exp(-150.0 / 60)) / 100;
    EXPECT_NEAR(fabric->bending_weft(), b, 1e-12 * b);
    const Model sheet = flat_grid(11, 11, 0.2, 0.2);
    const Points x = roll(sheet.rest, 0.1, 0.3);
    const double expected = energy_of<IsometricBending>(sheet, {.warp = warp, .weft = b}, x);
    EXPECT_NEAR(energy_of<IsometricBending>(with_fabric(sheet, fabric), {}, x), expected, 1e-12 * expected);
}

// A small homogeneous shear costs G gamma^2 / 2 per area, whatever the sides of the cells and their angle.
TEST(FabricStiffness, SmallShearCostsTheSameOnAnyCells) {
    const double gamma = 1e-4;
    for (const auto& [a, b, skew] :
         {std::tuple{0.02, 0.02, 0.0}, std::tuple{0.01, 0.03, 0.0}, std::tuple{0.02, 0.015, 0.4}}) {
        const Model model =
            with_fabric(grid(6, 5,
                             [&](int i, int j) {
                                 return Vec3(a * i + b * j * std::sin(skew), b * j * std::cos(skew), 0);
                             }),
                        straight_fabric());
        // Turn warp about weft by the angle, lengths kept.
        Points x;
        for (int j = 0; j < 5; ++j) {
            for (int i = 0; i < 6; ++i)
                x.push_back({a * i + b * j * std::sin(skew + gamma), b * j * std::cos(skew + gamma), 0});
        }
        const double smooth = 0.5 * shear * gamma * gamma * total_area(model);
        EXPECT_NEAR(energy_of<ShearSprings>(model, {}, x), smooth, 1e-3 * smooth)
            << a << " " << b << " " << skew;
        if (skew == 0) {
            EXPECT_NEAR(energy_of<ShearCondition>(model, {}, x), smooth, 1e-3 * smooth);
        }
    }
}

// Both diagonals of a quad are of one fabric, and cloths without one keep the parameter.
TEST(FabricStiffness, SpringsOfTwoCloths) {
    const Model one = flat_grid(4, 4, 0.3, 0.3);
    Model two = two_sheets(one);
    two.cloths[1].fabric = straight_fabric();
    ShearSprings springs({.stiffness = 2});
    springs.prepare(two);
    Points x = two.rest;
    for (std::size_t i = one.rest.size(); i < x.size(); ++i) x[i].x() += 0.01 * x[i].y();
    EXPECT_NEAR(springs.energy(x), 0.5 * shear * 1e-4 * 0.09, 2e-2 * 0.5 * shear * 1e-4 * 0.09);
    for (std::size_t i = 0; i < one.rest.size(); ++i) x[i].x() += 0.01 * x[i].y();
    EXPECT_NEAR(springs.energy(x) / (0.5 * (shear + 2) * 1e-4 * 0.09), 1, 2e-2);
    expect_force_is_minus_gradient(springs, shaken(two.rest, 0.02, 3), 1e-5, 1e-5);
    const MatrixXd k = dense_stiffness(springs, two.vertex_count());
    EXPECT_EQ(largest(k - k.transpose()), 0);
    EXPECT_GE(majorant_gap(springs, shaken(two.rest, 0.02, 5), 1e-5), -1e-6 * largest(k));
}

}  // namespace
}  // namespace taut::forces::fabric_stiffness_tests
