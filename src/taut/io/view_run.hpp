// A run on its way into a page, and the page around it: what the view page (one run) and the compare
// page (several) have in common. A run becomes script elements that the browser keeps as text, with
// ids that begin with a name: NAME-faces, NAME-edges, NAME-frame-0, 1, 2 ... (view_blocks.hpp), for the
// k-th obstacle that is a mesh NAME-triangles-k and NAME-points-k, or NAME-points-k-0, 1, 2 ... per frame
// where it deforms; for the k-th correction map NAME-map-k; and last NAME-run, JSON with the rest, such as
// the largest strain of every frame.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "taut/io/cache.hpp"
#include "taut/io/view_blocks.hpp"
#include "taut/io/view_page.hpp"

namespace taut::io {

// What is kept of one run or of several shown together: frame numbers of the longest, and how
// positions are stored. A run that ended earlier keeps those it has, and its own last frame.
struct ViewPlan {
    std::vector<long> frames;
    bool packed = false;
    bool forgiving = false;  // a frame that cannot be read ends its run; else it is refused
};

class ViewRun {
public:
    // Checks the run and encodes its topology; frames are read from the cache when they are appended.
    // Throws InputError for a report that is not JSON and a cache whose parts disagree.
    ViewRun(CacheReader& cache, const std::string& report_json, const CorrectionMaps& maps = {});

    const CacheHeader& header() const { return cache_->header(); }
    long frames() const { return cache_->frames(); }
    bool same_topology(const ViewRun& other) const;

    // What the parts of the run take in a page [bytes]: faces and edges, one frame, and the rest.
    std::size_t topology_bytes() const;
    std::size_t frame_bytes(bool packed) const;
    std::size_t text_bytes() const;

    // Appends the blocks of the run. Faces and edges are appended where `topology` is `name`; else
    // they are those of the run of that name.
    void append(std::string& page, const std::string& name, const std::string& topology, const ViewPlan& plan,
                const StrainScale& scale) const;

private:
    nlohmann::json describe(const StrainScale& scale, bool packed) const;

    CacheReader* cache_;
    nlohmann::json report_;  // null where there is none
    std::size_t report_bytes_;
    nlohmann::json maps_;  // null where there are none
    ViewBytes faces_, edges_;
    std::vector<ViewBytes> map_blocks_;
};

// Chooses how positions are stored, and the frames that fit beside `fixed` bytes.
ViewPlan plan_frames(std::span<const ViewRun> runs, std::size_t fixed, const ViewOptions& options);

// JSON in a script element: '<' survives only as an escape, bytes that are not UTF-8 are replaced.
void append_json(std::string& page, const std::string& id, const nlohmann::json& json);

// The page template before and after its marker. Throws InputError where that is not there exactly once.
struct TemplateParts {
    std::string_view before, after;
};
TemplateParts split_template(std::string_view page_template);

}  // namespace taut::io
