#include "taut/sim/step_statistics.hpp"

#include <algorithm>
#include <cmath>

#include "taut/base/parallel.hpp"

namespace taut {
namespace {

StrainStats statistics(std::vector<double>& signed_strain) {
    StrainStats stats;
    if (signed_strain.empty()) return stats;
    double sum = 0;
    for (double& strain : signed_strain) {
        stats.max_stretch = std::max(stats.max_stretch, strain);
        stats.max_compression = std::max(stats.max_compression, -strain);
        strain = std::abs(strain);
        sum += strain;
    }
    stats.max = std::max(stats.max_stretch, stats.max_compression);
    stats.mean = sum / double(signed_strain.size());
    const std::size_t at =
        std::min(signed_strain.size() - 1, std::size_t(0.999 * double(signed_strain.size())));
    std::nth_element(signed_strain.begin(), signed_strain.begin() + std::ptrdiff_t(at), signed_strain.end());
    stats.p999 = signed_strain[at];
    return stats;
}

// Cosine between the two diagonically paired edge directions of a quad: zero for a rectangle.
double quad_cosine(ConstPoints x, const mesh::Face& face) {
    const Vec3 u = x[face.corner[1]] - x[face.corner[0]] + x[face.corner[2]] - x[face.corner[3]];
    const Vec3 v = x[face.corner[3]] - x[face.corner[0]] + x[face.corner[2]] - x[face.corner[1]];
    const double scale = u.norm() * v.norm();
    return scale > 0 ? u.dot(v) / scale : 0.0;
}

void add_iterations(std::span<const FilterReport> from, std::span<FilterReport> to) {
    for (std::size_t f = 0; f < from.size(); ++f) {
        to[f].iterations += from[f].iterations;
        to[f].linear_iterations += from[f].linear_iterations;
        to[f].inner_iterations += from[f].inner_iterations;
        to[f].corrections += from[f].corrections;
        to[f].maps += from[f].maps;
    }
}

void add_integrator(const IntegratorReport& step, IntegratorTotals& totals) {
    totals.solves += step.solves;
    totals.iterations += step.iterations;
    totals.seconds += step.seconds;
    totals.held = std::max(totals.held, static_cast<long>(step.held));
    totals.made += step.made;
    totals.released += step.released;
    totals.stretch = std::max(totals.stretch, step.stretch);
    totals.stretch_change = std::max(totals.stretch_change, step.stretch_change);
}

void take_max(StrainStats& total, const StrainStats& step, long steps) {
    total.max = std::max(total.max, step.max);
    total.p999 = std::max(total.p999, step.p999);
    total.max_stretch = std::max(total.max_stretch, step.max_stretch);
    total.max_compression = std::max(total.max_compression, step.max_compression);
    total.mean += (step.mean - total.mean) / double(steps);
}

}  // namespace

void measure_strain(const Model& model, ConstPoints x, StepReport& report) {
    std::vector<double> warp, weft;
    for (std::size_t e = 0; e < model.edges.size(); ++e) {
        const mesh::Edge& edge = model.edges[e];
        if (edge.direction == mesh::Direction::none) continue;
        const double strain = (x[edge.b] - x[edge.a]).norm() / model.rest_length[e] - 1;
        (edge.direction == mesh::Direction::warp ? warp : weft).push_back(strain);
    }
    report.warp = statistics(warp);
    report.weft = statistics(weft);

    double sum = 0;
    long quads = 0;
    for (const mesh::Face& face : model.faces) {
        if (face.size() != 4) continue;
        const double shear = std::abs(quad_cosine(x, face) - quad_cosine(model.rest, face));
        report.shear_max = std::max(report.shear_max, shear);
        sum += shear;
        ++quads;
    }
    report.shear_mean = quads > 0 ? sum / double(quads) : 0.0;
}

double kinetic_energy(const Model& model, ConstPoints v) {
    return parallel_sum(v.size(), [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) sum += 0.5 * model.mass[i] * v[i].squaredNorm();
        return sum;
    });
}

double potential_energy(ConstPoints x, std::span<const std::unique_ptr<Force>> forces) {
    double sum = 0;
    for (const auto& force : forces) {
        if (force->has_energy()) sum += force->energy(x);
    }
    return sum;
}

double total_energy(const Model& model, const State& state, std::span<const std::unique_ptr<Force>> forces) {
    return kinetic_energy(model, state.v) + potential_energy(state.x, forces);
}

Vec3 center_of_mass(const Model& model, ConstPoints x) {
    Vec3 sum = Vec3::Zero();
    double mass = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        sum += model.mass[i] * x[i];
        mass += model.mass[i];
    }
    return mass > 0 ? Vec3(sum / mass) : sum;
}

void add_rejected(const StepReport& rejected, StepReport& report) {
    report.retries += rejected.retries;
    report.refused += rejected.refused;
    report.integrator.solves += rejected.integrator.solves;
    report.integrator.iterations += rejected.integrator.iterations;
    report.integrator.seconds += rejected.integrator.seconds;
    add_iterations(rejected.filters, report.filters);
}

void add_to_totals(const StepReport& report, RunTotals& totals) {
    if (!report.held) ++totals.failed_steps;
    long iterations = 0;
    for (const FilterReport& filter : report.filters) {
        iterations += filter.iterations;
        totals.linear_iterations += filter.linear_iterations;
        totals.inner_iterations += filter.inner_iterations;
        totals.corrections += filter.corrections;
        totals.maps += filter.maps;
        if (filter.linear_iterations > 0) totals.linear_solves += filter.iterations;
    }
    totals.projection_iterations += iterations;
    totals.projection_max = std::max(totals.projection_max, iterations);
    take_max(totals.warp, report.warp, totals.steps);
    take_max(totals.weft, report.weft, totals.steps);
    totals.shear_max = std::max(totals.shear_max, report.shear_max);
    totals.shear_mean += (report.shear_mean - totals.shear_mean) / double(totals.steps);
    totals.energy_end = report.energy();
    totals.energy_max = std::max(totals.energy_max, report.energy());
    totals.strain_before = std::max(totals.strain_before, report.strain_before);
    totals.penetration = std::max(totals.penetration, report.penetration);
    totals.distance = std::min(totals.distance, report.distance);
    totals.intersections = std::max(totals.intersections, report.intersections);
    totals.intersections_end = report.intersections;
    totals.contacts = std::max(totals.contacts, report.contacts);
    totals.least_dt = std::min(totals.least_dt, report.dt);
    add_integrator(report.integrator, totals.integrator);
    totals.wall_s += report.seconds;
}

}  // namespace taut
