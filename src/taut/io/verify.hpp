// Checks a finished run from its cache alone: strain of every yarn edge, pins, intersections and, where all
// steps were recorded, crossings on the way from step to step. It shares no code with integrators, filters
// and their search for contacts, only the file format and the exact predicates. What is promised by
// an answer, and what is not: docs/theory/verify.md.
#pragma once

#include <array>
#include <compare>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "taut/io/cache.hpp"
#include "taut/io/picture.hpp"

namespace taut::io {

// What is checked, in the order in which offences of one moment are told.
enum class Check { complete, finite, times, pins, strain, intersections, crossings };
inline constexpr std::size_t check_count = 7;
const char* check_name(Check check);

// A vertex, edge or face of a cloth, a triangle of an obstacle, or a whole solid.
struct BodyPart {
    enum class Kind { none, vertex, edge, face, solid };
    Kind kind = Kind::none;
    int body = -1;                              // a cloth, or an obstacle behind all cloths
    int index = -1;                             // of the vertex or face in its body; -1: edges, solids
    std::array<int, 4> vertex{-1, -1, -1, -1};  // in its body

    auto operator<=>(const BodyPart&) const = default;
};

// Something that does not hold. value: strain [1], distance from the pin [m], depth below a round surface
// or plane [m], or for crossings the part of the step gone when the two meet.
struct Offence {
    Check check = Check::complete;
    bool step = false;  // `index` counts steps, else frames; a crossing lies between index - 1 and index
    long index = 0;
    double t = 0;  // [s]
    BodyPart first, second;
    double value = 0;
    bool through = false;  // crossings: the two end on other sides of each other
    bool sure = true;      // false: too close to call within rounding
    std::string note{};    // in words, where parts do not say it
};

struct VerifyOptions {
    long first = 0, last = -1;  // frames; -1: to the end. Steps between their times are checked as well
    bool all = false;           // list every offence, not only those of the first moment
    bool strain = true, pins = true, intersections = true, crossings = true;
    bool self = true;       // a cloth against itself
    bool obstacles = true;  // cloth against obstacles
    // Told before each frame or step: how many of how many are done.
    std::function<void(bool steps, long done, long count)> progress{};

    // No part was asked for: the files are then judged to be complete, too.
    bool whole() const { return first <= 0 && last < 0; }
};

// The words of --skip that the options leave out: "strain", "self".
std::vector<std::string> skipped_checks(const VerifyOptions& options);

// What was found in the frames, or in the steps.
struct SeriesReport {
    long first = 0, count = 0;  // frames or steps looked at
    long recorded = 0;          // those in the file
    double t_first = 0, t_last = 0;
    double max_strain = 0;  // with its place; of all but the start
    long strain_index = -1;
    BodyPart strain_edge;
    long intersections = 0, intersecting = 0;  // pairs over all frames; frames with any
    double depth = 0;                          // largest, below round surfaces and planes [m]
    double clearance = std::numeric_limits<double>::infinity();  // least to those [m]
    long clearance_index = -1;
    long pinned = 0;       // pins looked at, over all frames
    double pin_error = 0;  // largest [m]
    long crossings = 0, unsure = 0;
};

struct VerifyReport {
    double tolerance = 0;  // strain promised at the end of steps; 0: nothing was promised there
    bool judged_before = false;
    bool pins_recorded = false, steps_recorded = false;
    std::optional<double> start_strain;  // largest of the start, which no step has made: told, not judged
    BodyPart start_edge;
    SeriesReport frames, steps;
    std::array<long, check_count> offences{};  // how many of each
    std::vector<Offence> list;                 // in order of time: all, or those of the first moment

    bool good() const;
};

// Lengths may be off by this part of themselves: rounding of a length, its rest length and their ratio.
inline constexpr double strain_allowance = 1e-12;
// A pinned vertex may be this far from its path [m]: rounding of time and of positions within 1 km.
inline constexpr double pin_allowance = 1e-12;

// Checks the frames in `cache` and, unless `steps` is empty, the steps in `steps`. Throws InputError on files
// that are missing, damaged, of two different runs or in each other's place, and where options leave nothing
// to check.
VerifyReport verify_run(const std::filesystem::path& cache, const std::filesystem::path& steps,
                        const VerifyOptions& options);

// "face 7 of cloth 'sheet'", and a sentence about an offence.
std::string describe(const CacheHeader& header, const BodyPart& part);
std::string describe(const CacheHeader& header, double tolerance, const Offence& offence);

// The faces and edges of cloth that offences are about, to be shown in a picture.
PictureMarks marks_of(const CacheHeader& header, const std::vector<Offence>& offences);

}  // namespace taut::io
