// An expansion is a sum of doubles that do not overlap in their bits, smallest first, zeros left out: its
// sign is that of the last. two_sum (Knuth), two_product (Dekker, Veltkamp), the linear-time sum and the
// scaling of expansions are those of Shewchuk 1997, section 2; they hold for rounding to nearest without
// extra precision and without contraction of a * b + c, so this file is compiled with -ffp-contract=off.
// We depart in that differences are expansions too and zeros are dropped everywhere: one routine,
// as quick as the numbers are simple, stands for the stages of the paper.
#include "taut/elements/orientation.hpp"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <limits>

#ifdef __FAST_MATH__
#error "exact signs need IEEE arithmetic: compile without -ffast-math"
#endif

namespace taut::elements {
namespace {

static_assert(std::numeric_limits<double>::is_iec559 && FLT_EVAL_METHOD == 0,
              "exact signs need IEEE doubles without extra precision");

constexpr double unit_roundoff = 0x1p-53;

// Differences within these bounds leave the filters free of overflow and make underflow, at most
// 2^-1075 per product, smaller than the slack in their constants.
constexpr double filter_least = 0x1p-200, filter_most = 0x1p200;

struct Split {
    double head, tail;  // head + tail exactly; head is the rounded result
};

Split two_sum(double a, double b) {
    const double head = a + b, b_part = head - a, a_part = head - b_part;
    return {head, (a - a_part) + (b - b_part)};
}

// Needs |a| >= |b|.
Split fast_two_sum(double a, double b) {
    const double head = a + b;
    return {head, b - (head - a)};
}

Split two_product(double a, double b) {
    const double head = a * b;
#ifdef FP_FAST_FMA
    return {head, std::fma(a, b, -head)};
#else
    const auto halves = [](double c) {
        const double big = 0x1.0000002p27 * c, high = big - (big - c);
        return Split{high, c - high};
    };
    const Split p = halves(a), q = halves(b);
    return {head, p.tail * q.tail - (((head - p.head * q.head) - p.tail * q.head) - p.head * q.tail)};
#endif
}

template <int capacity>
struct Expansion {
    std::array<double, capacity> parts;
    int size = 0;

    Expansion() {}  // parts stay unset: only the first `size` are read

    double operator[](int k) const { return parts[static_cast<std::size_t>(k)]; }
    void add(double part) {
        if (part != 0) parts[static_cast<std::size_t>(size++)] = part;
    }
    int sign() const { return size == 0 ? 0 : (*this)[size - 1] > 0 ? 1 : -1; }
};

Expansion<2> difference(double a, double b) {
    const auto [head, tail] = two_sum(a, -b);
    Expansion<2> result;
    result.add(tail);
    result.add(head);
    return result;
}

template <int capacity>
Expansion<capacity> negative(Expansion<capacity> e) {
    for (int k = 0; k < e.size; ++k) e.parts[static_cast<std::size_t>(k)] = -e[k];
    return e;
}

template <int m, int n>
Expansion<m + n> sum(const Expansion<m>& e, const Expansion<n>& f) {
    Expansion<m + n> result;
    int i = 0, j = 0;
    const auto next = [&] {
        return j == f.size || (i < e.size && std::abs(e[i]) <= std::abs(f[j])) ? e[i++] : f[j++];
    };
    const int count = e.size + f.size;
    if (count == 0) return result;
    double rest = next(), total = 0;
    if (count > 1) {
        const Split first = fast_two_sum(next(), rest);
        total = first.head;
        rest = first.tail;
    }
    for (int k = 2; k < count; ++k) {
        const Split low = fast_two_sum(next(), rest);
        const Split high = two_sum(total, low.head);
        result.add(low.tail);
        total = high.head;
        rest = high.tail;
    }
    result.add(rest);
    result.add(total);
    return result;
}

template <int m>
Expansion<2 * m> scaled(const Expansion<m>& e, double factor) {
    Expansion<2 * m> result;
    if (e.size == 0) return result;
    Split total = two_product(e[0], factor);
    result.add(total.tail);
    for (int k = 1; k < e.size; ++k) {
        const Split product = two_product(e[k], factor);
        const Split low = two_sum(total.head, product.tail);
        result.add(low.tail);
        total = fast_two_sum(product.head, low.head);
        result.add(total.tail);
    }
    result.add(total.head);
    return result;
}

template <int m>
Expansion<4 * m> product(const Expansion<m>& e, const Expansion<2>& f) {
    const auto by_last = f.size == 0 ? Expansion<2 * m>() : scaled(e, f[f.size - 1]);
    const auto by_first = f.size < 2 ? Expansion<2 * m>() : scaled(e, f[0]);
    return sum(by_first, by_last);
}

// p q - r s
Expansion<16> minor(const Expansion<2>& p, const Expansion<2>& q, const Expansion<2>& r,
                    const Expansion<2>& s) {
    return sum(product(p, q), negative(product(r, s)));
}

// A power of two that brings the largest coordinate to a size at which no product overflows and no bit
// is lost to underflow; 0 where a coordinate is not finite.
double safe_scale(double largest) {
    if (largest >= 0x1p-100 && largest <= 0x1p100) return 1;
    if (!std::isfinite(largest)) return 0;
    return std::ldexp(1.0, std::clamp(-std::ilogb(largest), -1000, 1000));
}

int exact_orient2d(Vec2 a, Vec2 b, Vec2 c) {
    const Vec2 largest = a.cwiseAbs().cwiseMax(b.cwiseAbs()).cwiseMax(c.cwiseAbs());
    const double scale = a.allFinite() && b.allFinite() && c.allFinite() ? safe_scale(largest.maxCoeff()) : 0;
    if (scale == 0) return 0;
    for (Vec2* p : {&a, &b, &c}) *p *= scale;
    return minor(difference(b[0], a[0]), difference(c[1], a[1]), difference(b[1], a[1]),
                 difference(c[0], a[0]))
        .sign();
}

int exact_orient3d(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    const Vec3 largest = a.cwiseAbs().cwiseMax(b.cwiseAbs()).cwiseMax(c.cwiseAbs()).cwiseMax(d.cwiseAbs());
    const bool finite = a.allFinite() && b.allFinite() && c.allFinite() && d.allFinite();
    const double scale = finite ? safe_scale(largest.maxCoeff()) : 0;
    if (scale == 0) return 0;
    for (Vec3* p : {&a, &b, &c, &d}) *p *= scale;
    std::array<Expansion<2>, 3> u, v, w;
    for (std::size_t k = 0; k < 3; ++k) {
        const auto axis = static_cast<Eigen::Index>(k);
        u[k] = difference(b[axis], a[axis]);
        v[k] = difference(c[axis], a[axis]);
        w[k] = difference(d[axis], a[axis]);
    }
    const auto x = product(minor(u[1], v[2], u[2], v[1]), w[0]);
    const auto y = product(minor(u[2], v[0], u[0], v[2]), w[1]);
    const auto z = product(minor(u[0], v[1], u[1], v[0]), w[2]);
    return sum(sum(x, y), z).sign();
}

int sign_of(double value) { return value > 0 ? 1 : -1; }

double largest_of(double a, double b, double c) { return std::max({std::abs(a), std::abs(b), std::abs(c)}); }

}  // namespace

int orient2d(const Vec2& a, const Vec2& b, const Vec2& c) {
    const double ux = b[0] - a[0], uy = b[1] - a[1], vx = c[0] - a[0], vy = c[1] - a[1];
    const double x = std::max(std::abs(ux), std::abs(vx)), y = std::max(std::abs(uy), std::abs(vy));
    if (x == 0 || y == 0) return 0;  // differences of doubles are zero only where the doubles are equal

    // Each of two products, at most x y, has four roundings: 8 units of roundoff, and slack for theirs.
    const double det = ux * vy - uy * vx;
    if (std::abs(det) > 9 * unit_roundoff * x * y && std::min(x, y) > filter_least &&
        std::max(x, y) < filter_most) {
        return sign_of(det);
    }
    return exact_orient2d(a, b, c);
}

int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const double ux = b[0] - a[0], uy = b[1] - a[1], uz = b[2] - a[2];
    const double vx = c[0] - a[0], vy = c[1] - a[1], vz = c[2] - a[2];
    const double wx = d[0] - a[0], wy = d[1] - a[1], wz = d[2] - a[2];
    const double x = largest_of(ux, vx, wx), y = largest_of(uy, vy, wy), z = largest_of(uz, vz, wz);
    if (x == 0 || y == 0 || z == 0) return 0;

    // Each of six products, at most x y z, has eight roundings: three differences, two factors, three
    // sums. That is 48 units of roundoff, and slack for the roundings of the bound and of underflow.
    const double det = wx * (uy * vz - uz * vy) + wy * (uz * vx - ux * vz) + wz * (ux * vy - uy * vx);
    if (std::abs(det) > 50 * unit_roundoff * x * y * z && std::min({x, y, z}) > filter_least &&
        std::max({x, y, z}) < filter_most) {
        return sign_of(det);
    }
    return exact_orient3d(a, b, c, d);
}

bool orientation_is_exact() {
    // The square less the rounded square: where these are fused, the error of rounding remains.
    const volatile double root = 1 + 0x1p-30;
    const double a = root, b = root, c = root;
    const volatile double square = a * a;
    const Split split = two_product(a, b);
    return a * c - square == 0 && split.head == square && split.tail == 0x1p-60;
}

}  // namespace taut::elements
