// Planted queries. A hit is built backwards: corners that meet at a time j/16, and from there straight
// paths both ways. A miss keeps the shapes on two sides of a slab. All of it in whole numbers below
// 2^53, turned by matrices of whole numbers, and scaled by powers of two from 2^-20 to 2^20 (1e-6 to
// 1e6 m); half of the queries lie and move a thousand times their size away from the origin.
#include <algorithm>
#include <cmath>
#include <random>

#include "query.hpp"

namespace detection {
namespace {

using Whole = Eigen::Matrix<long long, 3, 1>;

constexpr long long unit = 1 << 26;  // shapes are about 64 units large
constexpr int ticks = 16;            // parts of the step

// How a family differs from the plain one.
struct Family {
    const char* name;
    bool hit = true;
    enum class Contact { anywhere, corners, start_or_end } contact = Contact::anywhere;
    enum class Shape { any, parallel, point } shape = Shape::any;
    enum class Motion { any, fast, along_plane } motion = Motion::any;
    bool flat = false;      // all corners in one plane at all times, up to the gap across it
    bool with_gap = false;  // gap above 0
    int margin_bits = 0;    // of a miss: the slab is 2^-bits of the size thicker than the gap
};

using Contact = Family::Contact;
using Shape = Family::Shape;
using Motion = Family::Motion;

const Family families[] = {
    {.name = "hit"},
    {.name = "hit at a corner or side", .contact = Contact::corners},
    {.name = "hit at time 0 or 1", .contact = Contact::start_or_end},
    {.name = "hit, parallel or collinear", .shape = Shape::parallel},
    {.name = "hit, shape is a point", .shape = Shape::point},
    {.name = "hit, fast", .motion = Motion::fast},
    {.name = "hit, all in one plane", .motion = Motion::along_plane, .flat = true},
    {.name = "hit in a plane, corners",
     .contact = Contact::corners,
     .motion = Motion::along_plane,
     .flat = true},
    {.name = "hit, gap", .with_gap = true},
    {.name = "hit, gap, parallel", .shape = Shape::parallel, .with_gap = true},
    {.name = "hit, gap, fast", .motion = Motion::fast, .with_gap = true},
    {.name = "graze at the gap", .motion = Motion::along_plane, .flat = true, .with_gap = true},
    {.name = "miss by 1/4 of the size", .hit = false, .margin_bits = 2},
    {.name = "miss by 1e-3", .hit = false, .margin_bits = 10},
    {.name = "miss by 1e-9", .hit = false, .margin_bits = 30},
    {.name = "miss by 1e-3, fast", .hit = false, .motion = Motion::fast, .margin_bits = 10},
    {.name = "miss by 1e-3, gap", .hit = false, .with_gap = true, .margin_bits = 10},
    {.name = "miss by 1e-3, parallel", .hit = false, .shape = Shape::parallel, .margin_bits = 10},
    {.name = "slide past by 1/64",
     .hit = false,
     .motion = Motion::along_plane,
     .flat = true,
     .margin_bits = 6},
    {.name = "slide past by 1e-9",
     .hit = false,
     .motion = Motion::along_plane,
     .flat = true,
     .margin_bits = 30},
    {.name = "slide past by 1e-9, gap",
     .hit = false,
     .motion = Motion::along_plane,
     .flat = true,
     .with_gap = true,
     .margin_bits = 30},
};

class Planter {
public:
    explicit Planter(unsigned seed) : random_(seed) {}

    Query plant(const Family& family, bool edges) {
        // Set down the corners where they meet, and their ways per tick.
        std::array<Whole, 4> x = edges ? meeting_segments(family) : meeting_triangle(family);
        std::array<Whole, 4> way;
        const long long speed = family.motion == Motion::fast ? unit << 12 : (unit << 3) >> between(0, 7);
        for (Whole& w : way) w = vector(speed);
        if (family.shape == Shape::point) make_points(edges, x, way);
        if (family.shape == Shape::parallel && between(0, 1) == 0) keep_shapes(edges, way);
        if (family.flat) {
            for (int i = 0; i < 4; ++i) x[i].z() = way[i].z() = 0;
        }
        return family.hit ? hit(family, edges, x, way) : miss(family, edges, x, way);
    }

private:
    long long between(long long low, long long high) {
        return low + static_cast<long long>(random_() % static_cast<unsigned long long>(high - low + 1));
    }
    Whole vector(long long size) {
        return {between(-size, size), between(-size, size), between(-size, size)};
    }

    // Segments through the origin, parts s and 64 - s of 64 on either side of it.
    std::array<Whole, 4> meeting_segments(const Family& family) {
        const Whole a = vector(unit);
        const Whole b = family.shape == Shape::parallel ? Whole(between(-3, 3) * a) : vector(unit);
        long long s = between(0, 64), t = between(0, 64);
        if (family.contact == Contact::corners) {
            s = 64 * between(0, 1);
            if (between(0, 1) == 0) t = 64 * between(0, 1);
        }
        return {-s * a, (64 - s) * a, -t * b, (64 - t) * b};
    }

    // A triangle and a mean of its corners with weights in parts of 64.
    std::array<Whole, 4> meeting_triangle(const Family& family) {
        const Whole a = vector(unit), b = vector(unit);
        const Whole c = family.shape == Shape::parallel ? Whole(a + between(-2, 2) * (b - a)) : vector(unit);
        long long s = between(0, 64), t = between(0, 64 - s);
        if (family.contact == Contact::corners) {
            if (between(0, 1) == 0) s = 64 * between(0, 1);
            t = (64 - s) * between(0, 1);
        }
        return {(64 - s - t) * a + s * b + t * c, 64 * a, 64 * b, 64 * c};
    }

    // Makes segments points for the whole step, or two or three corners of a triangle the same, for the
    // whole step or at the contact only. The others still meet there.
    void make_points(bool edges, std::array<Whole, 4>& x, std::array<Whole, 4>& way) {
        if (!edges) {
            const long long kept = between(1, 4);
            for (int i = 1; i < 4; ++i) {
                if (i != kept) x[i] = x[0];
            }
            if (between(0, 1) == 0) keep_shapes(edges, way);
            return;
        }
        x[0] = x[1] = Whole::Zero();
        way[0] = way[1];
        if (between(0, 1) == 0) return;
        x[2] = x[3] = Whole::Zero();
        way[2] = way[3];
    }

    // Lets both shapes move without turning.
    static void keep_shapes(bool edges, std::array<Whole, 4>& way) {
        if (edges) {
            way[1] = way[0];
            way[3] = way[2];
        } else {
            way[2] = way[3] = way[1];
        }
    }

    Query hit(const Family& family, bool edges, std::array<Whole, 4> x, const std::array<Whole, 4>& way) {
        // Move the first shape away by a vector of whole length, the gap; across the plane if flat.
        long long gap = 0;
        if (family.with_gap) {
            static const std::array<Whole, 6> sides{Whole(0, 0, 1), Whole(0, 3, 4), Whole(1, 2, 2),
                                                    Whole(2, 3, 6), Whole(2, 6, 9), Whole(4, 4, 7)};
            static const std::array<long long, 6> lengths{1, 5, 3, 7, 11, 9};
            const long long which = family.flat ? 0 : between(0, 5);
            const long long times = between(1, (unit << 3) >> between(0, 13));
            gap = times * lengths[which];
            for (int i = 0; i < (edges ? 2 : 1); ++i) x[i] += times * sides[which];
        }

        // Follow the ways back to the start and on to the end.
        int tick = static_cast<int>(between(0, ticks));
        if (family.contact == Contact::start_or_end) tick = tick % 2 * ticks;
        std::array<Whole, 4> start, end;
        for (int i = 0; i < 4; ++i) {
            start[i] = x[i] - tick * way[i];
            end[i] = x[i] + (ticks - tick) * way[i];
        }
        Query query = finished(start, end, gap);
        query.edges = edges;
        query.hit = true;
        query.contact_time = static_cast<double>(tick) / ticks;
        return query;
    }

    Query miss(const Family& family, bool edges, const std::array<Whole, 4>& x,
               const std::array<Whole, 4>& way) {
        const long long gap = family.with_gap ? between(1, 16 * unit) : 0;
        const long long height = gap + ((64 * unit) >> family.margin_bits);
        std::array<Whole, 4> start, end;
        for (int i = 0; i < 4; ++i) {
            start[i] = x[i] - ticks / 2 * way[i];
            end[i] = x[i] + ticks / 2 * way[i];
        }

        // Lift or lower each shape, as it is, off the slab between the heights 0 and `height`.
        const int split = edges ? 2 : 1;
        for (std::array<Whole, 4>* place : {&start, &end}) {
            const auto low = [](const Whole& a, const Whole& b) { return a.z() < b.z(); };
            const long long lowest = std::min_element(place->begin(), place->begin() + split, low)->z();
            const long long highest = std::max_element(place->begin() + split, place->end(), low)->z();
            const auto extra = [&] {
                return family.flat || between(0, 2) == 0 ? 0 : between(0, (64 * unit) >> between(0, 15));
            };
            const long long up = height - lowest + extra(), down = highest + extra();
            for (int i = 0; i < 4; ++i) (*place)[i].z() += i < split ? up : -down;
        }
        Query query = finished(start, end, gap);
        query.edges = edges;
        return query;
    }

    // Turns, moves away and scales what was built.
    Query finished(std::array<Whole, 4> start, std::array<Whole, 4> end, long long gap) {
        // Turn by a matrix that stretches all lengths by 7, or permute the axes.
        Eigen::Matrix<long long, 3, 3> turn;
        turn << 2, 3, 6, 3, -6, 2, 6, 2, -3;
        const long long stretch = between(0, 3) == 0 ? 1 : 7;
        const int axis = static_cast<int>(between(0, 2));
        const Whole place = between(0, 1) == 0 ? Whole(Whole::Zero()) : vector(unit << 16);
        const Whole ride = between(0, 1) == 0 ? Whole(Whole::Zero()) : vector(unit << 14);
        const double scale = std::ldexp(1.0, static_cast<int>(between(-20, 20)) - 32);
        Query query;
        for (int i = 0; i < 4; ++i) {
            for (const bool at_end : {false, true}) {
                Whole y = at_end ? end[i] : start[i];
                if (stretch == 7) y = turn * y;
                y = Whole(y[axis], y[(axis + 1) % 3], y[(axis + 2) % 3]) + place;
                if (at_end) y += ride;
                (at_end ? query.end : query.start)[i] = scale * y.cast<double>();
            }
        }
        query.gap = scale * static_cast<double>(gap * stretch);
        return query;
    }

    std::mt19937_64 random_;
};

}  // namespace

std::vector<Tally> ask_planted(long queries_per_family, double slack) {
    constexpr long batch = 4096;
    std::vector<Tally> tallies;
    std::vector<Query> queries(batch);
    std::vector<taut::elements::Impact> found(batch);
    unsigned seed = 0;
    for (const Family& family : families) {
        for (const bool edges : {false, true}) {
            Planter planter(++seed);
            Tally tally{.family = family.name, .edges = edges};
            while (tally.queries < queries_per_family) {
                for (Query& query : queries) query = planter.plant(family, edges);
                const std::clock_t begin = std::clock();
                for (long i = 0; i < batch; ++i) found[i] = ask(queries[i], slack);
                tally.nanoseconds += nanoseconds_since(begin);
                tally.queries += batch;
                for (long i = 0; i < batch; ++i) {
                    const bool touches = queries[i].hit;
                    tally.hits += touches;
                    tally.missed += touches && !found[i].hit;
                    tally.late += touches && found[i].time > 0 && found[i].time >= queries[i].contact_time;
                    tally.false_alarms += !touches && found[i].hit;
                }
            }
            tallies.push_back(tally);
        }
    }
    return tallies;
}

}  // namespace detection
