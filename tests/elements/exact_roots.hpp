// Real roots of polynomials as exact objects: Sturm chains count and isolate them in an interval,
// common divisors and refinement decide the sign of another polynomial at such a root.
#pragma once

#include "elements/exact_polynomial.hpp"

namespace taut::elements::exact {

// Counts distinct real roots.
class SturmChain {
public:
    // p not zero; repeated roots are made simple.
    explicit SturmChain(const Poly& p) {
        const Poly repeated = common_divisor(p, derivative(p));
        chain_.push_back(primitive(divided(p, repeated).first));
        if (chain_[0].size() > 1) chain_.push_back(primitive(derivative(chain_[0])));
        while (chain_.back().size() > 1) {
            Poly rest = primitive(divided(chain_[chain_.size() - 2], chain_.back()).second);
            for (Int& c : rest) c = -c;
            chain_.push_back(std::move(rest));
        }
    }

    // Roots t with a < t <= b.
    int count(const Dyadic& a, const Dyadic& b) const { return changes(a) - changes(b); }
    const Poly& poly() const { return chain_[0]; }

private:
    int changes(const Dyadic& t) const {
        int count = 0, last = 0;
        for (const Poly& p : chain_) {
            const int sign = sign_at(p, t);
            if (sign * last < 0) ++count;
            if (sign != 0) last = sign;
        }
        return count;
    }

    std::vector<Poly> chain_;
};

// The one root of a polynomial in (low, high], or the number low = high.
struct Root {
    Dyadic low, high;
    bool known = false;  // low = high
};

// All roots in [0, last], each alone in its interval.
inline std::vector<Root> roots_until(const SturmChain& chain, const Dyadic& last) {
    std::vector<Root> roots;
    if (sign_at(chain.poly(), {}) == 0) roots.push_back({{}, {}, true});
    std::vector<Root> open{{{}, last, false}};
    while (!open.empty()) {
        const Root range = open.back();
        open.pop_back();
        const int count = chain.count(range.low, range.high);
        if (count == 1) roots.push_back(range);
        if (count < 2) continue;
        const Dyadic half = middle(range.low, range.high);
        open.push_back({range.low, half, false});
        open.push_back({half, range.high, false});
    }
    return roots;
}

// The sign of q at a root of the chain's polynomial.
inline int sign_at_root(const Poly& q, const SturmChain& chain, Root root) {
    if (q.empty()) return 0;
    if (root.known) return sign_at(q, root.low);
    const SturmChain q_chain(q);
    if (q_chain.count(root.low, root.high) > 0) {
        const SturmChain both(common_divisor(chain.poly(), q));
        if (both.count(root.low, root.high) > 0) return 0;
    }
    while (q_chain.count(root.low, root.high) > 0) {
        const Dyadic half = middle(root.low, root.high);
        (chain.count(root.low, half) > 0 ? root.high : root.low) = half;
    }
    return sign_at(q, root.high);
}

}  // namespace taut::elements::exact
