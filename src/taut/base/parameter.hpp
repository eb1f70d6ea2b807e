// Parameter lists: one plain struct per component holds defaults; beside it one function
//     void describe(ParamList& list, FooParams& params);
// names every field with unit, range and a sentence. From that list come JSON reading,
// range checks, unknown-key errors, --set, `taut info`, the reference tables in docs and
// the echo of effective values. The list points into the struct, it owns no values.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "taut/base/vec.hpp"

namespace taut {

struct Range {
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
    bool min_open = false;  // true: min itself is not allowed
    bool max_open = false;

    bool contains(double value) const;
    bool contains(const Vec3& value) const;  // each of the three
    std::string text() const;                // "> 0", "0 to 1", "any"
};

Range any_number();
Range positive();                       // > 0
Range non_negative();                   // >= 0
Range between(double min, double max);  // closed
Range up_to(double max);                // > 0 and <= max
Range coordinates();                    // of places [m]: what meshes may have
Range turns();                          // of rotations [deg]: some thousand times round, both ways

struct Param {
    using Target = std::variant<double*, int*, bool*, std::string*, Vec3*>;
    std::string name;
    std::string unit;                  // "m", "kg/m^2", "1" for dimensionless, "" for texts and flags
    Range range;                       // for numbers and integers; of a vector each of the three
    std::vector<std::string> choices;  // for texts with a closed set; empty: free text
    std::string text;                  // one sentence
    Target target;

    std::string type_name() const;   // "number", "integer", "flag", "text", "vector"
    std::string value_text() const;  // current value as JSON text
    // What may be said, "> 0" or "yarns, all", choices between quotes; empty: anything.
    std::string allowed_text(std::string_view quote = "") const;
};

class ParamList {
public:
    void number(std::string name, double& value, std::string unit, Range range, std::string text);
    void integer(std::string name, int& value, std::string unit, Range range, std::string text);
    void flag(std::string name, bool& value, std::string text);
    void text(std::string name, std::string& value, std::string text);
    void choice(std::string name, std::string& value, std::vector<std::string> choices, std::string text);
    void vector(std::string name, Vec3& value, std::string unit, std::string text);
    void vector(std::string name, Vec3& value, std::string unit, Range range, std::string text);

    const std::vector<Param>& entries() const { return entries_; }
    std::vector<std::string> names() const;
    const Param* find(const std::string& name) const;

private:
    std::vector<Param> entries_;
};

// A double as the shortest text that reads back to the same bits; never locale dependent.
std::string number_text(double value);

// Two doubles with so many significant digits, or as many more as tell them apart.
std::array<std::string, 2> distinct_texts(double a, double b, int digits);

}  // namespace taut
