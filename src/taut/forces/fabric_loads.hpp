// The loads of many elements that share a few curves: bends of yarns, angles of crossings. Without hysteresis
// a load is that on the way out from rest. With it each element remembers where it was and what its friction
// holds (LoadCurve, Dahl's law), noted at the end of every step; within a step the load has a potential.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "taut/elements/load_path.hpp"
#include "taut/model/interfaces.hpp"

namespace taut::forces {

class FabricLoads {
public:
    // One curve per cloth and use; each element names its own by place.
    void prepare(std::vector<elements::LoadCurve> curves, std::vector<int> curve_of, bool hysteresis);

    std::size_t size() const { return curve_of_.size(); }
    bool hysteresis() const { return hysteresis_; }
    const elements::LoadCurve& curve(std::size_t e) const { return curves_[std::size_t(curve_of_[e])]; }

    elements::Load whole(std::size_t e, double s) const { return elements::load_at(curve(e), s); }
    elements::Load elastic(std::size_t e, double s) const { return elements::elastic_load(curve(e), s); }
    // Of friction alone, from what is remembered to s.
    elements::Load friction(std::size_t e, double s) const;
    void remember(std::size_t e, double s);

    MemoryBlock block(const std::string& name) { return {name, &memory_}; }

private:
    static constexpr std::size_t stride = 1 + elements::max_yielding;  // of elements::LoadMemory
    elements::LoadMemory recall(std::size_t e) const;

    std::vector<elements::LoadCurve> curves_;
    std::vector<int> curve_of_;
    std::vector<double> memory_;
    bool hysteresis_ = false;
};

// The steepest slope a curve has up to a deformation.
double steepest(const elements::LoadCurve& curve, double up_to);

}  // namespace taut::forces
