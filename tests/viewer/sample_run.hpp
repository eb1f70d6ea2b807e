// A run made from formulas, for the viewer to show: a sheet and a curtain that bend without
// stretching (their profiles are curves of given turning angle), a chain, and one obstacle of
// every shape, two of them moving. No solver is involved.
#pragma once

#include "taut/io/cache.hpp"
#include "taut/io/correction_maps.hpp"

namespace taut::viewer_test {

struct SampleOptions {
    int size = 41;          // vertices along a side of the sheet
    int frames = 61;        // at 30 per second
    double stretch = 0.97;  // largest strain, in tolerances
    double pace = 1;        // of the cloths' motion
};

io::CacheHeader sample_header(const SampleOptions& options);
io::CacheFrame sample_frame(const SampleOptions& options, const io::CacheHeader& header, int frame);

// What report.json would hold.
std::string sample_report(const io::CacheHeader& header, const SampleOptions& options);

// Corrections of the sheet: at first from its two upper corners down and inwards, from 1 s on from the
// left one alone along the upper edge, at last one whose list was left out.
io::CorrectionMaps sample_maps(const SampleOptions& options, const io::CacheHeader& header);

}  // namespace taut::viewer_test
