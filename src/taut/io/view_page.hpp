// The page that shows a run: one HTML file that opens from disk with no network. It is the
// viewer's page template (built in apps/viewer, handed in by the caller) with the run put in
// place of its marker: topology, placements of obstacles, and per kept frame the positions and
// a strain code per vertex, all little-endian and base64. Long runs of large cloths are thinned
// to stay within a size; the page says so. apps/viewer/src/run.js reads what this file writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "taut/io/cache.hpp"
#include "taut/io/correction_maps.hpp"

namespace taut::io {

// How positions are stored in the page: 32-bit floats, or 16-bit steps inside the box of a cloth
// at a frame (1/65534 of its size). automatic: floats for small runs, steps for others.
enum class ViewPrecision { automatic, single, packed };

struct ViewOptions {
    std::size_t max_bytes = 40'000'000;  // of the whole page; at least first and last frame are kept
    ViewPrecision precision = ViewPrecision::automatic;
};

// What was written, for the command line to tell.
struct ViewPageSummary {
    long frames = 0;        // in the page
    long cache_frames = 0;  // in the cache
    std::uintmax_t bytes = 0;
    bool packed = false;  // positions as 16-bit steps
};

// The marker in the page template that is replaced by the run. It must occur exactly once.
inline constexpr std::string_view view_page_marker = "<!--taut:run-->";

// Strain [1] as one byte, ordered: 36 steps to a factor of ten, rounded up, so that
// code(s) <= code(reference) exactly when s <= reference.
class StrainScale {
public:
    explicit StrainScale(double tolerance);  // reference: the tolerance, or 0.001 where there is none
    std::uint8_t code(double strain) const;  // 0: below the scale; 254: 1 and above; 255: not a number
    double value(int code) const;            // upper end of a code, 1..254
    double reference() const { return reference_; }
    int reference_code() const { return reference_code_; }

    static constexpr double steps_per_decade = 36;

private:
    double reference_;
    int reference_code_;
};

// Numbers of the frames to keep: first, last, and every k-th between, at most max(2, most).
std::vector<long> frames_to_show(long frames, long most);

// Writes the page in one go (temporary file, then rename). report_json is the text of report.json,
// or empty; maps are put in where there are any. Throws InputError for a template without marker, a report
// that is not JSON, a cache whose parts disagree, or a file that cannot be written.
ViewPageSummary write_view_page(const std::filesystem::path& file, std::string_view page_template,
                                CacheReader& cache, const std::string& report_json,
                                const CorrectionMaps& maps = {}, const ViewOptions& options = {});

}  // namespace taut::io
