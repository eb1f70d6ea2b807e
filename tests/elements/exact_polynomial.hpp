// Polynomials with whole coefficients of any length: sums, products, division, common divisors, and
// signs at dyadic numbers. Only for tests: nothing here is rounded, and nothing is fast.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <utility>
#include <vector>

namespace taut::elements::exact {

namespace mp = boost::multiprecision;
using Int = mp::number<mp::cpp_int_backend<512>, mp::et_off>;

// num / 2^shift.
struct Dyadic {
    Int num = 0;
    unsigned shift = 0;
};

inline Dyadic middle(const Dyadic& a, const Dyadic& b) {
    const unsigned shift = std::max(a.shift, b.shift);
    return {(a.num << (shift - a.shift)) + (b.num << (shift - b.shift)), shift + 1};
}

// Coefficients, that of the lowest power first; the last is not zero, and none is the zero polynomial.
using Poly = std::vector<Int>;

inline Poly trimmed(Poly p) {
    while (!p.empty() && p.back() == 0) p.pop_back();
    return p;
}

// a + k b.
inline Poly sum(const Poly& a, const Poly& b, int k = 1) {
    Poly c(std::max(a.size(), b.size()), Int(0));
    for (std::size_t i = 0; i < a.size(); ++i) c[i] += a[i];
    for (std::size_t i = 0; i < b.size(); ++i) c[i] += k * b[i];
    return trimmed(std::move(c));
}

inline Poly product(const Poly& a, const Poly& b) {
    if (a.empty() || b.empty()) return {};
    Poly c(a.size() + b.size() - 1, Int(0));
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t j = 0; j < b.size(); ++j) c[i + j] += a[i] * b[j];
    }
    return c;
}

// Divided by the greatest common divisor of the coefficients, which is positive.
inline Poly primitive(Poly p) {
    Int common = 0;
    for (const Int& c : p) common = mp::gcd(common, c);
    if (common > 1) {
        for (Int& c : p) c /= common;
    }
    return p;
}

// Quotient and remainder of a positive multiple of a by b, with whole coefficients.
inline std::pair<Poly, Poly> divided(Poly a, const Poly& b) {
    Poly quotient(a.size() >= b.size() ? a.size() - b.size() + 1 : 0, Int(0));
    const Int factor = mp::abs(b.back());
    while (a.size() >= b.size()) {
        const std::size_t shift = a.size() - b.size();
        const Int lead = b.back() > 0 ? a.back() : Int(-a.back());
        for (Int& c : a) c *= factor;
        for (Int& c : quotient) c *= factor;
        quotient[shift] += lead;
        for (std::size_t i = 0; i < b.size(); ++i) a[shift + i] -= lead * b[i];
        a = trimmed(std::move(a));
    }
    return {trimmed(std::move(quotient)), std::move(a)};
}

inline Poly common_divisor(Poly a, Poly b) {
    while (!b.empty()) {
        Poly rest = primitive(divided(std::move(a), b).second);
        a = std::exchange(b, std::move(rest));
    }
    return primitive(std::move(a));
}

inline Poly derivative(const Poly& p) {
    Poly d;
    for (std::size_t i = 1; i < p.size(); ++i) d.push_back(static_cast<int>(i) * p[i]);
    return d;
}

inline int sign_at(const Poly& p, const Dyadic& t) {
    Int value = 0;
    for (std::size_t i = p.size(); i-- > 0;) value = value * t.num + (p[i] << (t.shift * (p.size() - 1 - i)));
    return value.sign();
}

}  // namespace taut::elements::exact
