// Queries at gap 0 decided by exact arithmetic. On small lattices touches at corners and ties, parallel
// sides, motions in a plane and shapes without extent are frequent; touches built in doubles leave it
// to the last bit whether they are any. A reported time is checked too: no touch up to it.
#include <functional>
#include <random>

#include "elements/exact_impact.hpp"
#include "query.hpp"

namespace detection {
namespace {

using taut::Vec3;
using Random = std::mt19937_64;
using Corners = std::array<Vec3, 4>;

double uniform(Random& random) { return std::uniform_real_distribution<double>(-1, 1)(random); }
Vec3 vector(Random& random) { return {uniform(random), uniform(random), uniform(random)}; }

// Corners on whole numbers from 0 to last, the height from 0 to top.
void lattice(Random& random, int last, int top, Query& query) {
    std::uniform_int_distribution<int> place(0, last), height(0, top);
    for (Corners* corners : {&query.start, &query.end}) {
        for (Vec3& x : *corners) x = Vec3(place(random), place(random), height(random));
    }
}

// On a lattice, with two corners of a shape the same for the whole step, or three, or two pairs.
void degenerate_lattice(Random& random, Query& query) {
    lattice(random, 2, 2, query);
    const bool both = random() % 2 == 0;
    for (Corners* corners : {&query.start, &query.end}) {
        Corners& x = *corners;
        x[3] = x[2];
        if (both) x[1] = query.edges ? x[0] : x[2];
    }
}

// A touch up to rounding, at a time inside the step or at its end.
void touch(Random& random, double scale, const Vec3& place, Query& query) {
    std::uniform_real_distribution<double> part(0, 1);
    const double s = part(random), t = part(random), time = random() % 4 == 0 ? 1 : part(random);
    Corners x{vector(random), vector(random), vector(random), vector(random)};
    x[0] = query.edges ? Vec3((x[2] + t * (x[3] - x[2]) - s * x[1]) / (1 - s))
                       : Vec3(x[1] + 0.5 * s * (x[2] - x[1]) + 0.5 * t * (x[3] - x[1]));
    for (int i = 0; i < 4; ++i) {
        const Vec3 way = vector(random);
        query.start[i] = scale * (x[i] - time * way + place);
        query.end[i] = scale * (x[i] + (1 - time) * way + place);
    }
}

struct Family {
    const char* name;
    std::function<void(Random&, Query&)> make;
    double share = 1;  // of the queries asked per family
};

const Family families[] = {
    {"exact: lattice 0..1", [](Random& random, Query& query) { lattice(random, 1, 1, query); }},
    {"exact: lattice 0..2", [](Random& random, Query& query) { lattice(random, 2, 2, query); }},
    {"exact: lattice 0..5", [](Random& random, Query& query) { lattice(random, 5, 5, query); }},
    {"exact: lattice, in a plane", [](Random& random, Query& query) { lattice(random, 4, 0, query); }},
    {"exact: lattice, degenerate", degenerate_lattice},
    {"exact: random",
     [](Random& random, Query& query) {
         for (int i = 0; i < 4; ++i) {
             query.start[i] = vector(random);
             query.end[i] = query.start[i] + vector(random);
         }
     }},
    {"exact: touch up to rounding",
     [](Random& random, Query& query) {
         touch(random, std::pow(10.0, 6 * uniform(random)), Vec3::Zero(), query);
     },
     0.25},
    {"exact: the same, off centre",
     [](Random& random, Query& query) {
         touch(random, std::pow(10.0, 6 * uniform(random)), 1e3 * vector(random), query);
     },
     0.25},
};

}  // namespace

std::vector<Tally> ask_exact(long queries_per_family, double slack) {
    namespace exact = taut::elements::exact;
    std::vector<Tally> tallies;
    unsigned seed = 0;
    for (const Family& family : families) {
        for (const bool edges : {false, true}) {
            Random random(++seed);
            Tally tally{.family = family.name, .edges = edges};
            std::vector<Query> queries(static_cast<std::size_t>(family.share * queries_per_family));
            for (Query& query : queries) {
                query.edges = edges;
                family.make(random, query);
            }
            std::vector<taut::elements::Impact> found(queries.size());
            const std::clock_t begin = std::clock();
            for (std::size_t i = 0; i < queries.size(); ++i) found[i] = ask(queries[i], slack);
            tally.nanoseconds = nanoseconds_since(begin);
            tally.queries = static_cast<long>(queries.size());
            for (std::size_t i = 0; i < queries.size(); ++i) {
                const exact::MovingPatch patch(queries[i].start, queries[i].end, edges);
                const bool touches = exact::touches(patch);
                tally.hits += touches;
                tally.missed += touches && !found[i].hit;
                tally.false_alarms += !touches && found[i].hit;
                tally.late += touches && found[i].hit && found[i].time > 0 &&
                              exact::touches(patch, exact::dyadic(found[i].time));
            }
            tallies.push_back(tally);
        }
    }
    return tallies;
}

}  // namespace detection
