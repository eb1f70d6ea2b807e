// Asks continuous detection millions of questions whose answers are known, and prints a table.
//     detection_queries [PLANTED [EXACT [SLACK]]]      queries per family and kind of pair
// Exit status 1 if a hit was missed, or a time reported at or after a contact.
#include <fmt/format.h>

#include <cstdlib>

#include "query.hpp"

namespace {

// Prints one line per family and kind, and a sum. Returns the number of broken promises.
long print(const std::vector<detection::Tally>& tallies) {
    detection::Tally all{.family = "all"};
    const auto line = [](const detection::Tally& tally, const char* kind) {
        const long clear = tally.queries - tally.hits;
        const double rate = clear > 0 ? 100.0 * tally.false_alarms / clear : 0;
        fmt::print("| {:<28} | {:<2} | {:>8} | {:>8} | {:>6} | {:>4} | {:>12} | {:>6.2f} % | {:>6.0f} |\n",
                   tally.family, kind, tally.queries, tally.hits, tally.missed, tally.late,
                   tally.false_alarms, rate, tally.nanoseconds / tally.queries);
    };
    fmt::print("| {:<28} | {:<2} | {:>8} | {:>8} | {:>6} | {:>4} | {:>12} | {:>8} | {:>6} |\n", "family", "",
               "queries", "hits", "missed", "late", "false alarms", "rate", "ns");
    fmt::print("|{:-<30}|----|{:->9}:|{:->9}:|{:->7}:|{:->5}:|{:->13}:|{:->9}:|{:->7}:|\n", "", "", "", "",
               "", "", "", "");
    for (const detection::Tally& tally : tallies) {
        line(tally, tally.edges ? "ee" : "vf");
        all.queries += tally.queries;
        all.hits += tally.hits;
        all.missed += tally.missed;
        all.late += tally.late;
        all.false_alarms += tally.false_alarms;
        all.nanoseconds += tally.nanoseconds;
    }
    line(all, "");
    fmt::print("\n");
    return all.missed + all.late;
}

}  // namespace

int main(int count, char** arguments) {
    const long planted = count > 1 ? std::atol(arguments[1]) : 500000;
    const long exact = count > 2 ? std::atol(arguments[2]) : 10000;
    const double slack = count > 3 ? std::atof(arguments[3]) : taut::elements::default_slack;
    if (planted < 0 || exact < 0) {
        fmt::print(stderr, "usage: detection_queries [PLANTED [EXACT [SLACK]]]\n");
        return 2;
    }
    long broken = 0;
    if (planted > 0) broken += print(detection::ask_planted(planted, slack));
    if (exact > 0) broken += print(detection::ask_exact(exact, slack));
    return broken > 0 ? 1 : 0;
}
