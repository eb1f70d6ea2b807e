// The view page: its strain scale, the choice of frames, and one run in the template.
#include "taut/io/view_page.hpp"

#include <algorithm>
#include <cmath>

#include "taut/io/atomic_file.hpp"
#include "taut/io/view_run.hpp"

namespace taut::io {

StrainScale::StrainScale(double tolerance)
    : reference_(tolerance >= 1e-6 && tolerance < 1 ? tolerance : 1e-3),
      reference_code_(254 - static_cast<int>(std::ceil(-steps_per_decade * std::log10(reference_) - 1e-9))) {}

std::uint8_t StrainScale::code(double strain) const {
    if (!std::isfinite(strain)) return 255;
    if (!(strain > 0)) return 0;
    // Round up, but forgive the logarithm its rounding error.
    const double steps = std::ceil(steps_per_decade * std::log10(strain / reference_) - 1e-9);
    return static_cast<std::uint8_t>(std::clamp(reference_code_ + steps, 0.0, 254.0));
}

double StrainScale::value(int code) const {
    return reference_ * std::pow(10.0, (code - reference_code_) / steps_per_decade);
}

std::vector<long> frames_to_show(long frames, long most) {
    std::vector<long> kept;
    if (frames <= 0) return kept;
    most = std::max(2L, most);
    const long stride = frames <= most ? 1 : (frames - 2) / (most - 1) + 1;
    for (long k = 0; k < frames; k += stride) kept.push_back(k);
    if (kept.back() != frames - 1) kept.push_back(frames - 1);
    return kept;
}

ViewPageSummary write_view_page(const std::filesystem::path& file, std::string_view page_template,
                                CacheReader& cache, const std::string& report_json,
                                const CorrectionMaps& maps, const ViewOptions& options) {
    const TemplateParts parts = split_template(page_template);
    const ViewRun run(cache, report_json, maps);
    const std::size_t fixed = page_template.size() + run.topology_bytes() + run.text_bytes();
    const ViewPlan plan = plan_frames({&run, 1}, fixed, options);
    std::string page(parts.before);
    run.append(page, "taut", "taut", plan, StrainScale(cache.header().tolerance));
    page += parts.after;
    write_file(file, page);
    return {static_cast<long>(plan.frames.size()), cache.frames(), page.size(), plan.packed};
}

}  // namespace taut::io
