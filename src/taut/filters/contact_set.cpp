#include "taut/filters/contact_set.hpp"

#include <algorithm>

namespace taut::filters {

void ContactSet::start(std::span<const ContactRow> contacts, int vertices, ConstPoints obstacles) {
    rows_.clear();
    index_.clear();
    for (const ContactRow& contact : contacts) {
        Row row{contact, 0};
        for (std::size_t k = 0; k < 4; ++k) {
            const int p = contact.point[k];
            if (p < vertices) continue;
            row.contact.target -=
                contact.weight[k] * contact.normal.dot(obstacles[static_cast<std::size_t>(p - vertices)]);
            row.contact.point[k] = -1;
        }
        rows_.push_back(row);
    }
}

double ContactSet::choose(ConstPoints x, std::span<const double> diagonal) {
    index_.clear();
    residual_.clear();
    binding_.start.assign(1, 0);
    binding_.vertex.clear();
    binding_.gradient.clear();
    double worst = 0;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        Row& row = rows_[r];
        double gap = -row.contact.target, compliance = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            if (row.contact.point[k] < 0) continue;
            const auto p = static_cast<std::size_t>(row.contact.point[k]);
            gap += row.contact.weight[k] * row.contact.normal.dot(x[p]);
            compliance += row.contact.weight[k] * row.contact.weight[k] / diagonal[p];
        }
        if (compliance > 0) worst = std::max(worst, -gap);
        if (!(compliance > 0) || !(row.multiplier > gap / compliance)) {
            row.multiplier = 0;
            continue;
        }
        index_.push_back(static_cast<int>(r));
        residual_.push_back(-gap);
        for (std::size_t k = 0; k < 4; ++k) {
            if (row.contact.point[k] < 0) continue;
            binding_.vertex.push_back(row.contact.point[k]);
            binding_.gradient.emplace_back(-row.contact.weight[k] * row.contact.normal);
        }
        binding_.start.push_back(static_cast<int>(binding_.vertex.size()));
    }
    change_.assign(index_.size(), 0.0);
    return worst;
}

void ContactSet::enter(linalg::SaddleSystem& system) {
    if (index_.empty()) return;
    system.extra = &binding_;
    system.extra_c = residual_;
    system.extra_dmu = change_;
}

void ContactSet::add_change() {
    for (std::size_t k = 0; k < index_.size(); ++k) {
        double& multiplier = rows_[static_cast<std::size_t>(index_[k])].multiplier;
        multiplier = std::max(0.0, multiplier + change_[k]);
    }
}

}  // namespace taut::filters
