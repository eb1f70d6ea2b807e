#include "taut/filters/contact_velocities.hpp"

#include <algorithm>

namespace taut::filters {
namespace {

// Rows of one pair, whether of a vertex and a face or of two edges, follow each other in this order.
bool before(const ContactRow& a, const ContactRow& b) {
    if (a.point != b.point) return a.point < b.point;
    return (a.weight[1] > 0) < (b.weight[1] > 0);
}

// True for two edges of surfaces that are closest at an end of one: that is a vertex near a face, whose own
// row has the normal of the surface. The one between edges tilts, and would brake a sheet that slides on
// another.
bool said_better(const ContactRow& row, std::span<const std::uint8_t> has_faces) {
    if (!(row.weight[1] > 0)) return false;
    bool at_end = false;
    for (std::size_t k = 0; k < 4; ++k) {
        if (row.point[k] < 0 || !has_faces[static_cast<std::size_t>(row.point[k])]) return false;
        at_end = at_end || row.weight[k] == 0;
    }
    return at_end;
}

// Numbers per pair in the memory: four points and the kind.
constexpr std::size_t memory_size = 5;

}  // namespace

void ContactVelocities::clear() {
    kept_.clear();
    started_ = false;
}

void ContactVelocities::keep(std::span<const ContactRow> rows, std::span<const std::uint8_t> has_faces) {
    for (const ContactRow& row : rows) {
        if (row.push > 0 && !said_better(row, has_faces)) kept_.push_back(row);
    }
    // The last come first where pairs are the same, and stay.
    std::reverse(kept_.begin(), kept_.end());
    std::stable_sort(kept_.begin(), kept_.end(), before);
    const auto same = [](const ContactRow& a, const ContactRow& b) { return !before(a, b) && !before(b, a); };
    kept_.erase(std::unique(kept_.begin(), kept_.end(), same), kept_.end());
}

void ContactVelocities::drop(std::span<const std::uint8_t> points) {
    std::erase_if(kept_, [&](const ContactRow& row) {
        return std::any_of(row.point.begin(), row.point.end(), [&](int p) {
            const auto i = static_cast<std::size_t>(p);
            return p >= 0 && i < points.size() && points[i] != 0;
        });
    });
}

void ContactVelocities::set_edges(std::span<const LengthBand> edges, ConstPoints x,
                                  std::span<const double> inverse_mass) {
    edges_.clear();
    for (const LengthBand& band : edges) {
        const auto a = static_cast<std::size_t>(band.a), b = static_cast<std::size_t>(band.b);
        const double compliance = inverse_mass[a] + inverse_mass[b];
        if (band.low > 0 && compliance > 0) {
            edges_.push_back({band.a, band.b, 1 / compliance, (x[b] - x[a]).normalized()});
        }
    }
}

// One sweep over the lengths. They see the change alone: what rates they had before contact is not ours to
// mend.
void ContactVelocities::keep_lengths(std::span<const double> inverse_mass) {
    for (const RateRow& edge : edges_) {
        const auto a = static_cast<std::size_t>(edge.a), b = static_cast<std::size_t>(edge.b);
        const double change = edge.d.dot((way_[b] - first_[b]) - (way_[a] - first_[a]));
        if (change == 0) continue;
        const Vec3 impulse = edge.share * change * edge.d;
        way_[a] += inverse_mass[a] * impulse;
        way_[b] -= inverse_mass[b] * impulse;
    }
}

std::vector<ContactRow> ContactVelocities::missing(int points) const {
    std::vector<ContactRow> rows;
    for (std::size_t m = 0; m + memory_size <= memory_.size(); m += memory_size) {
        const auto pair = std::span(memory_).subspan(m, memory_size);
        const auto is_point = [&](double p) { return p >= 0 && p < points; };
        if (!std::all_of(pair.begin(), pair.begin() + 4, is_point)) continue;
        ContactRow row;
        for (std::size_t k = 0; k < 4; ++k) row.point[k] = static_cast<int>(pair[k]);
        row.weight[1] = pair[4];
        if (!std::binary_search(kept_.begin(), kept_.end(), row, before)) rows.push_back(row);
    }
    return rows;
}

void ContactVelocities::remember() {
    memory_.clear();
    for (const ContactRow& row : rows_.rows()) {
        if (!(row.push > 0)) continue;
        for (const int p : row.point) memory_.push_back(p);
        memory_.push_back(row.weight[1] > 0 ? 1 : 0);
    }
}

// Contacts on the way that velocities make in one step, from nowhere.
void ContactVelocities::start() {
    rows_.clear();
    for (ContactRow row : kept_) {
        row.target = row.normal.dot(row.carried);
        row.push = 0;
        row.slide = Vec3::Zero();
        rows_.add(row);
    }
    started_ = true;
}

bool ContactVelocities::settle(double dt, std::span<const double> inverse_mass, double tolerance, int sweeps,
                               PointsView v) {
    if (!started_) start();
    way_.resize(v.size());
    none_.assign(v.size(), Vec3::Zero());
    for (std::size_t i = 0; i < v.size(); ++i) way_[i] = dt * v[i];
    first_ = way_;
    int done = 0;
    while (rows_.sweep(none_, inverse_mass, way_) > tolerance && ++done < sweeps) keep_lengths(inverse_mass);
    for (std::size_t i = 0; i < v.size(); ++i) {
        if (inverse_mass[i] > 0 && way_[i] != first_[i]) v[i] = way_[i] / dt;
    }
    remember();
    return done > 0;
}

}  // namespace taut::filters
