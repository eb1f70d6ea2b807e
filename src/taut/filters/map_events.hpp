// When which correction map is in use (Ozgen and Kallmann 2011, section 4.1). A map is called by events: its
// vertices touch an obstacle, or it is time for it. Contacts come and go from step to step; hence a contact
// counts for some time after it was seen last, and maps do not flicker.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "taut/model/contact_row.hpp"

namespace taut::filters {

// A map by name: what is fixed besides pins, and when it is called. Where several conditions are given all
// of them must hold; without any it is always called.
struct MapRule {
    static constexpr int no_touch = -2, any_obstacle = -1;

    std::string name;
    std::vector<int> fixed;    // global vertices
    std::vector<int> watched;  // of these one must touch
    int obstacle = no_touch;   // this obstacle, any, or nothing need be touched
    double from = 0, until = std::numeric_limits<double>::infinity();  // [s]
    double every = 0;  // [s]: times are counted anew after so long; 0: never

    bool is_time(double t) const;
};

class MapEvents {
public:
    explicit MapEvents(std::vector<MapRule> rules) : rules_(std::move(rules)) {}

    void prepare(int vertices);
    const std::vector<MapRule>& rules() const { return rules_; }
    // Takes in what touched in a step of length dt; a contact counts in the next step
    // and for `response` [s] after it.
    void add(std::span<const Touch> touches, double dt, double response);
    // The first rule that is called at a time [s], or -1.
    int called(double t) const;
    // How long the contact of each rule still counts [s], carried from step to step.
    std::vector<double>& memory() { return counts_; }

private:
    std::vector<MapRule> rules_;
    std::vector<std::vector<std::uint8_t>> watched_;  // flags of vertices, per rule; empty: no touch needed
    std::vector<double> counts_;                      // [s]
};

}  // namespace taut::filters
