#include "taut/scene/registry.hpp"

#include <type_traits>

#include "taut/filters/collision.hpp"
#include "taut/filters/constrained_dynamics.hpp"
#include "taut/filters/contact.hpp"
#include "taut/filters/directional.hpp"
#include "taut/filters/fast_projection.hpp"
#include "taut/filters/hierarchical.hpp"
#include "taut/filters/hierarchical_corrected.hpp"
#include "taut/filters/icd.hpp"
#include "taut/filters/rattle.hpp"
#include "taut/filters/relaxation.hpp"
#include "taut/filters/sap.hpp"
#include "taut/filters/shake.hpp"
#include "taut/filters/stable_projection.hpp"
#include "taut/filters/strain_limit_gauss_seidel.hpp"
#include "taut/filters/strain_limit_jacobi.hpp"
#include "taut/filters/strain_rate_limit.hpp"
#include "taut/filters/xpbd.hpp"
#include "taut/forces/air_drag.hpp"
#include "taut/forces/bend_condition.hpp"
#include "taut/forces/bend_springs.hpp"
#include "taut/forces/gravity.hpp"
#include "taut/forces/isometric_bending.hpp"
#include "taut/forces/repel.hpp"
#include "taut/forces/shear_condition.hpp"
#include "taut/forces/shear_springs.hpp"
#include "taut/forces/stiff_springs.hpp"
#include "taut/forces/stretch_condition.hpp"
#include "taut/forces/stretch_well.hpp"
#include "taut/forces/trellis.hpp"
#include "taut/forces/velocity_damping.hpp"
#include "taut/forces/yarn_bend.hpp"
#include "taut/integrators/backward_euler.hpp"
#include "taut/integrators/baraff_witkin.hpp"
#include "taut/integrators/bdf2.hpp"
#include "taut/integrators/implicit_euler.hpp"
#include "taut/integrators/midpoint.hpp"
#include "taut/integrators/position_verlet.hpp"
#include "taut/integrators/symplectic_euler.hpp"
#include "taut/integrators/velocity_verlet.hpp"
#include "taut/integrators/viscous_fall.hpp"
#include "taut/linalg/cholesky.hpp"
#include "taut/linalg/ldlt.hpp"
#include "taut/linalg/lu.hpp"
#include "taut/linalg/yarn_cg.hpp"
#include "taut/scene/registry_shapes.hpp"
#ifdef TAUT_HAVE_CHOLMOD
#include "taut/linalg/cholmod.hpp"
#endif

namespace taut::scene {
namespace {

const char* const inextensible_pieces = R"({
    "forces": ["gravity", "velocity_damping", "shear_springs", "isometric_bending"],
    "integrator": "bdf2",
    "filters": [{"type": "stable_projection", "tolerance": 0.001, "solver": "yarn_cg"}, "contact"]
})";

const char* const goldenthal2007_pieces = R"({
    "forces": ["gravity", "velocity_damping", "shear_springs", "isometric_bending"],
    "integrator": "symplectic_euler",
    "filters": [{"type": "fast_projection", "tolerance": 0.01, "solver": "cholesky"}, "contact"]
})";

const char* const implicit_springs_pieces = R"({
    "forces": ["gravity", "velocity_damping", "shear_springs", "isometric_bending", "stiff_springs"],
    "integrator": "backward_euler",
    "filters": ["contact"]
})";

const char* const ozgen_kallmann2011_pieces = R"({
    "forces": ["gravity", {"type": "stiff_springs", "stiffness": 0.375},
               {"type": "shear_springs", "stiffness": 15}, {"type": "bend_springs", "stiffness": 15}],
    "integrator": {"type": "position_verlet", "multiplier": 0.999},
    "filters": ["directional", "contact"]
})";

// One Newton step and one look at contacts in turn: contacts are no part of what is minimised, and more steps
// at once would draw the cloth into what holds it up. The medium takes most of the speed that these moves
// leave.
const char* const breen1994_pieces = R"({
    "forces": [{"type": "gravity", "group": "both"}, {"type": "repel", "group": "relax"},
               {"type": "stretch_well", "group": "relax"}, {"type": "yarn_bend", "group": "relax"},
               {"type": "trellis", "group": "relax"}],
    "integrator": {"type": "viscous_fall", "viscosity": 100},
    "filters": [{"type": "relaxation", "method": "newton", "iterations": 1, "noise": 0.02, "noise_fade": 10},
                "contact"]
})";

const char* const baraff_witkin1998_pieces = R"({
    "forces": ["gravity", "velocity_damping", "stretch_condition", "shear_condition", "bend_condition"],
    "integrator": "baraff_witkin",
    "filters": ["contact"]
})";

const char* const house1996_pieces = R"({
    "forces": ["gravity", "velocity_damping"],
    "integrator": "symplectic_euler",
    "filters": ["hierarchical_corrected"]
})";

template <class F>
Entry force(const char* text) {
    Entry result = entry<typename F::Params>(Kind::force, F::type_name, text);
    result.factory =
        ForceFactory([](const Settings& s) { return std::make_unique<F>(s.get<typename F::Params>()); });
    if constexpr (requires { F::takes_fabric; }) result.takes_fabric = F::takes_fabric;
    return result;
}

// What is made with obstacles and their friction.
template <class C>
constexpr bool sees_solids = std::is_constructible_v<C, typename C::Params, std::vector<collision::Obstacle>,
                                                     collision::FrictionTable>;

template <class I>
Entry integrator(const char* text) {
    Entry result = entry<typename I::Params>(Kind::integrator, I::type_name, text);
    result.factory = IntegratorFactory([](const Settings& s, SolidParts parts) {
        using Params = typename I::Params;
        if constexpr (sees_solids<I>) {
            return std::make_unique<I>(s.get<Params>(), std::move(parts.obstacles),
                                       std::move(parts.friction));
        } else {
            return std::make_unique<I>(s.get<Params>());
        }
    });
    result.sees_obstacles = sees_solids<I>;
    return result;
}

template <class P>
Entry projection(const char* text, const char* default_solver) {
    Entry result = entry<typename P::Params>(Kind::filter, P::type_name, text);
    result.default_solver = default_solver;
    result.holds_strain = true;
    result.factory = FilterFactory([](const Settings& s, FilterParts parts) {
        return std::make_unique<P>(s.get<typename P::Params>(), std::move(parts.solver));
    });
    return result;
}

template <class F>
Entry filter(const char* text) {
    Entry result = entry<typename F::Params>(Kind::filter, F::type_name, text);
    result.holds_strain = std::is_base_of_v<filters::LengthFilter, F>;
    result.factory = FilterFactory(
        [](const Settings& s, FilterParts) { return std::make_unique<F>(s.get<typename F::Params>()); });
    return result;
}

template <class C>
Entry contact_filter(const char* text) {
    Entry result = entry<typename C::Params>(Kind::filter, C::type_name, text);
    result.sees_obstacles = true;
    result.factory = FilterFactory([](const Settings& s, FilterParts parts) {
        using Params = typename C::Params;
        if constexpr (sees_solids<C>) {
            return std::make_unique<C>(s.get<Params>(), std::move(parts.solids.obstacles),
                                       std::move(parts.solids.friction));
        } else {
            return std::make_unique<C>(s.get<Params>(), std::move(parts.solids.obstacles));
        }
    });
    return result;
}

template <class F>
Entry map_filter(const char* text) {
    Entry result = entry<typename F::Params>(Kind::filter, F::type_name, text);
    result.takes_maps = true;
    result.factory = FilterFactory([](const Settings& s, FilterParts parts) {
        return std::make_unique<F>(s.get<typename F::Params>(), std::move(parts.maps),
                                   std::move(parts.start));
    });
    return result;
}

template <class S>
Entry solver(const char* text) {
    Entry result = entry<typename S::Params>(Kind::solver, S::type_name, text);
    result.factory =
        SolverFactory([](const Settings& s) { return std::make_unique<S>(s.get<typename S::Params>()); });
    return result;
}

Entry preset(const char* name, const char* text, const char* pieces) {
    Entry result;
    result.kind = Kind::preset;
    result.name = name;
    result.text = text;
    result.settings = [] { return Settings(); };
    result.pieces = pieces;
    return result;
}

void add_forces(std::vector<Entry>& list) {
    list.push_back(force<forces::Gravity>("Uniform gravity."));
    list.push_back(force<forces::AirDrag>("Drag of still air or of a uniform wind on every face."));
    list.push_back(force<forces::VelocityDamping>("Damping of all velocities at one rate."));
    list.push_back(force<forces::ShearSprings>("Springs on both diagonals of every quad resist shear."));
    list.push_back(force<forces::BendSprings>(
        "Linear springs over two cells, along yarns and diagonals: the bending of mass-spring cloth."));
    list.push_back(force<forces::IsometricBending>(
        "Quadratic bending of inextensible cloth, with a stiffness for warp and for weft."));
    list.push_back(force<forces::StiffSprings>(
        "Stretch springs along warp and weft, in place of constraints; for backward_euler."));

    list.push_back(force<forces::StretchCondition>(
        "Stretch of triangles along weft, warp and bias of Baraff and Witkin 1998, with damping."));
    list.push_back(
        force<forces::ShearCondition>("Shear of triangles of Baraff and Witkin 1998, with damping."));
    list.push_back(force<forces::BendCondition>(
        "Bending over the edges of triangles of Baraff and Witkin 1998, with damping."));

    list.push_back(force<forces::Repel>(
        "Particles closer than the nominal distance push each other away; House, DeVaul and Breen 1996."));
    list.push_back(force<forces::StretchWell>(
        "Warp and weft edges beyond their length pull, by a steep well; House, DeVaul and Breen 1996."));
    list.push_back(force<forces::YarnBend>(
        "Bending of warp and weft yarns by the moment over curvature of a fabric, with friction if wanted."));
    list.push_back(force<forces::Trellis>(
        "Shear at yarn crossings by the force over angle of a fabric, with friction and slip if wanted."));
}

void add_integrators(std::vector<Entry>& list) {
    list.push_back(integrator<integrators::SymplecticEuler>(
        "Explicit first-order step; shear and bending limit its length."));
    list.push_back(integrator<integrators::VelocityVerlet>(
        "Explicit second-order step; shear and bending limit its length."));
    list.push_back(integrator<integrators::PositionVerlet>(
        "Verlet's explicit step on positions, damped by a multiplier, of Ozgen and Kallmann 2011."));
    list.push_back(integrator<integrators::ViscousFall>(
        "Particles that fall freely through a viscous medium: the first phase of Breen and House."));
    list.push_back(integrator<integrators::ImplicitEuler>(
        "Linearised backward Euler: first order, very stable, damps visibly at long steps."));
    list.push_back(integrator<integrators::BackwardEuler>(
        "Backward Euler solved by Newton with the Hessians of stiff and bend springs."));
    list.push_back(
        integrator<integrators::BaraffWitkin>("Large implicit steps of Baraff and Witkin 1998: pins and "
                                              "contacts exact inside conjugate gradients."));
    list.push_back(integrator<integrators::Midpoint>(
        "Linearised implicit midpoint rule: second order, keeps energy, and with it every unresolved wave."));
    list.push_back(integrator<integrators::Bdf2>(
        "Linearised second-order backward differences: stable at frame-long steps without much damping."));
}

void add_filters(std::vector<Entry>& list) {
    list.push_back(projection<filters::FastProjection>(
        "Fast projection of Goldenthal et al. 2007 onto unstretched warp and weft.", "cholesky"));
    list.push_back(
        projection<filters::StableProjection>("Newton projection with geometric stiffness onto unstretched "
                                              "warp and weft; holds at frame-long steps.",
                                              "yarn_cg"));
    list.push_back(projection<filters::Icd>(
        "Implicit constraint direction of Goldenthal et al. 2007: Newton from a cold start.", "ldlt"));
    list.push_back(filter<filters::Sap>(
        "Step and project of Goldenthal et al. 2007: the closest unstretched positions, by minimisation."));
    list.push_back(projection<filters::Shake>(
        "SHAKE: constraint forces along the edges as they were at the start of the step.", "lu"));
    list.push_back(
        projection<filters::Rattle>("RATTLE: SHAKE, and an end velocity that changes no length.", "lu"));
    list.push_back(filter<filters::StrainLimitJacobi>(
        "Strain limiting of Provot 1995, all edges at once, until the strain is in range."));
    list.push_back(filter<filters::StrainLimitGaussSeidel>(
        "Strain limiting of Provot 1995, edge after edge, until the strain is in range."));
    list.push_back(filter<filters::Xpbd>("Extended position-based dynamics with substeps."));
    list.push_back(filter<filters::StrainRateLimit>(
        "Strain rate limiting of Bridson et al. 2002: lengths change by at most a tenth per step."));
    list.push_back(filter<filters::Relaxation>(
        "Minimises the energy of the forces in the group relax: the second phase of Breen and House."));
    list.push_back(map_filter<filters::Directional>(
        "Ozgen and Kallmann 2011: one pass over stretched springs, from fixed vertices along gravity."));
    list.push_back(
        contact_filter<filters::ConstrainedDynamics>("Constrained dynamics of House et al. 1996: forces that "
                                                     "keep edges and obstacles, all in one system."));
    list.push_back(contact_filter<filters::Hierarchical>(
        "House et al. 1996: groups of constraints along yarns, solved level by level, in one pass."));
    list.push_back(contact_filter<filters::HierarchicalCorrected>(
        "The hierarchy of House et al. 1996, repeated inside conjugate gradients until Eq. 19 holds."));
    list.push_back(
        contact_filter<filters::Contact>("Keeps vertices out of obstacles, with Coulomb friction."));
    list.push_back(contact_filter<filters::Collision>(
        "Keeps cloth clear of obstacles, of other cloths and of itself, on all its way, with friction."));
}

void add_solvers(std::vector<Entry>& list) {
    list.push_back(
        solver<linalg::YarnCg>("Conjugate gradients preconditioned along yarns; linear in time and memory."));
    list.push_back(solver<linalg::Ldlt>(
        "Direct factorisation of the saddle system; a reference, slow on large sheets."));
    list.push_back(
        solver<linalg::Lu>("Direct factorisation with pivoting, for indefinite and unsymmetric systems."));
    list.push_back(solver<linalg::Cholesky>(
        "Direct factorisation of the constraint system; for diagonal metrics only."));
#ifdef TAUT_HAVE_CHOLMOD
    list.push_back(
        solver<linalg::Cholmod>("The constraint system factored by CHOLMOD; for diagonal metrics only."));
    list.back().optional = true;
#endif
}

}  // namespace

const std::vector<Entry>& registry() {
    static const std::vector<Entry> list = [] {
        std::vector<Entry> entries;
        add_shapes(entries);
        add_forces(entries);
        add_integrators(entries);
        add_filters(entries);
        add_solvers(entries);
        entries.push_back(preset("inextensible", "Second order in time, 0.1 % strain at frame-long steps.",
                                 inextensible_pieces));
        entries.push_back(
            preset("goldenthal2007",
                   "Goldenthal et al. 2007: explicit step, fast projection at 1 %, collisions last.",
                   goldenthal2007_pieces));
        entries.push_back(preset("implicit_springs",
                                 "Stiff springs in place of constraints, backward Euler; promises no strain.",
                                 implicit_springs_pieces));
        entries.push_back(
            preset("baraff_witkin1998",
                   "Baraff and Witkin 1998: any triangles, any stiffness, large implicit steps; promises no "
                   "strain.",
                   baraff_witkin1998_pieces));
        entries.push_back(
            preset("breen1994",
                   "The drape of Breen and House: particles fall in a viscous medium, and their energy is "
                   "minimised; promises no strain.",
                   breen1994_pieces));
        entries.push_back(
            preset("ozgen_kallmann2011",
                   "Ozgen and Kallmann 2011: springs, Verlet on positions, one directional pass; promises no "
                   "strain.",
                   ozgen_kallmann2011_pieces));
        entries.push_back(
            preset("house1996",
                   "House et al. 1996: constrained dynamics along yarns and against obstacles, explicit "
                   "steps; promises no strain.",
                   house1996_pieces));
        return entries;
    }();
    return list;
}

const Entry* find_entry(Kind kind, const std::string& name) {
    for (const Entry& entry : registry()) {
        if (entry.kind == kind && entry.name == name) return &entry;
    }
    return nullptr;
}

std::vector<std::string> names_of(Kind kind) {
    std::vector<std::string> names;
    for (const Entry& entry : registry()) {
        if (entry.kind == kind) names.push_back(entry.name);
    }
    return names;
}

const std::vector<Kind>& all_kinds() {
    static const std::vector<Kind> kinds{Kind::cloth,      Kind::initial, Kind::obstacle, Kind::force,
                                         Kind::integrator, Kind::filter,  Kind::solver,   Kind::preset};
    return kinds;
}

const char* kind_name(Kind kind) {
    static const char* const names[] = {"cloth",      "initial shape", "obstacle", "force",
                                        "integrator", "filter",        "solver",   "preset"};
    return names[static_cast<int>(kind)];
}

const char* kind_plural(Kind kind) {
    static const char* const names[] = {"cloths",      "initial shapes", "obstacles", "forces",
                                        "integrators", "filters",        "solvers",   "presets"};
    return names[static_cast<int>(kind)];
}

}  // namespace taut::scene
