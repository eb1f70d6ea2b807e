#include "taut/filters/correction_order.hpp"

#include <cmath>

namespace taut::filters {
namespace {

// One spreading over the cloth; the queue is a list read from its front.
class Spreading {
public:
    Spreading(const ClothSprings& springs, const CorrectionInput& input, const CorrectionRules& rules,
              std::vector<int>& spring_of)
        : springs_(springs), input_(input), rules_(rules), spring_of_(spring_of) {
        visits_.assign(input.fixed.size(), 0);
        spring_of_.clear();
    }

    void push(int vertex) { queue_.push_back(vertex); }

    // Pops and expands until nothing is left.
    void run() {
        while (next_ < queue_.size()) expand(queue_[next_++]);
    }

    std::vector<Correction> take() { return std::move(list_); }

private:
    // Springs of one kind after the other, each in the order of the data.
    void expand(int from) {
        classify(from);
        for (const SpringKind kind : rules_.kinds) {
            for (const Arm& arm : arms_) {
                if (arm.kind == kind) visit(from, arm);
            }
        }
    }

    struct Arm {
        int to, spring;
        SpringKind kind;
    };

    // The springs at a vertex that do not lead upwards.
    void classify(int from) {
        arms_.clear();
        const std::size_t cloth =
            input_.cloth_of.empty() ? 0 : static_cast<std::size_t>(input_.cloth_of[from]);
        const Vec3 down = input_.down[cloth];
        for (const int end : springs_.ends().of(static_cast<std::size_t>(from))) {
            const int to = springs_.other(end), spring = end / 2;
            const Vec3 d = input_.x[to] - input_.x[from];
            const double fall = d.dot(down), level = rules_.level * d.norm();
            if (fall < -level) continue;
            const bool shear = springs_.all()[static_cast<std::size_t>(spring)].shear;
            arms_.push_back({to, spring,
                             shear          ? SpringKind::shear
                             : fall > level ? SpringKind::vertical
                                            : SpringKind::horizontal});
        }
    }

    void visit(int from, const Arm& arm) {
        if (input_.fixed[arm.to] || visits_[arm.to] >= rules_.visits) return;
        if (++visits_[arm.to] == 1 || rules_.every_visit) push(arm.to);
        list_.push_back({from, arm.to, arm.kind});
        spring_of_.push_back(arm.spring);
    }

    const ClothSprings& springs_;
    const CorrectionInput& input_;
    const CorrectionRules& rules_;
    std::vector<int>& spring_of_;
    std::vector<int> queue_;
    std::size_t next_ = 0;
    std::vector<int> visits_;
    std::vector<Arm> arms_;
    std::vector<Correction> list_;
};

}  // namespace

std::vector<Correction> correction_order(const ClothSprings& springs, const CorrectionInput& input,
                                         const CorrectionRules& rules, std::vector<int>& spring_of) {
    Spreading spreading(springs, input, rules, spring_of);
    for (int v = 0; v < static_cast<int>(input.fixed.size()); ++v) {
        if (!input.fixed[v]) continue;
        spreading.push(v);
        if (!rules.synchronous) spreading.run();
    }
    spreading.run();
    return spreading.take();
}

}  // namespace taut::filters
