// What verification says about planted runs, for its tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "io/planted_run.hpp"
#include "taut/io/verify.hpp"

namespace taut::tests {

using namespace taut::io;
using Kind = BodyPart::Kind;

constexpr int lower_body = 0, upper_body = 1, chain_body = 2, first_solid = 3;

inline std::string told(const PlantedRun& run, const VerifyReport& report) {
    std::string text;
    for (const Offence& offence : report.list) text += describe(run.header, report.tolerance, offence) + "\n";
    return text;
}

inline long offences_of(const VerifyReport& report, Check check) {
    return report.offences[static_cast<std::size_t>(check)];
}

// The only kind of offence is `check`, and the first is in frame or step `index`.
inline void expect_only(const PlantedRun& run, const VerifyReport& report, Check check, long index) {
    for (std::size_t c = 0; c < check_count; ++c) {
        EXPECT_EQ(report.offences[c] > 0, c == static_cast<std::size_t>(check))
            << check_name(static_cast<Check>(c)) << "\n"
            << told(run, report);
    }
    ASSERT_FALSE(report.list.empty());
    EXPECT_EQ(report.list.front().index, index);
    EXPECT_EQ(report.list.front().t, run.frames[static_cast<std::size_t>(index)].t);
}

inline bool concerns(const Offence& offence, const BodyPart& part) {
    const auto same = [&](const BodyPart& other) {
        return other.kind == part.kind && other.body == part.body && other.index == part.index;
    };
    return same(offence.first) || same(offence.second);
}

inline bool any_concerns(const VerifyReport& report, Kind kind, int body, int index = -1) {
    return std::any_of(report.list.begin(), report.list.end(), [&](const Offence& offence) {
        return concerns(offence, {kind, body, index, {}});
    });
}

inline VerifyOptions without_strain() {
    VerifyOptions options;
    options.strain = false;
    return options;
}

}  // namespace taut::tests
