// A run folder: the names of its files, whether a folder may be written to, and the pictures and
// pages made from its cache.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "taut/io/cache.hpp"
#include "taut/io/correction_maps.hpp"
#include "taut/io/picture.hpp"
#include "taut/io/view_page.hpp"
#include "taut/scene/run_params.hpp"

namespace taut::cli {

// A report.json larger than this is refused [bytes]; real ones have a few thousand.
inline constexpr std::uintmax_t largest_report = 16u << 20;

struct RunFolder {
    std::filesystem::path path;

    std::filesystem::path cache() const { return path / "cache.taut"; }
    std::filesystem::path step_cache() const { return path / "steps.taut"; }
    std::filesystem::path correction_maps() const { return path / "correction_maps.json"; }
    std::filesystem::path report() const { return path / "report.json"; }
    std::filesystem::path steps() const { return path / "steps.csv"; }
    std::filesystem::path scene() const { return path / "scene.json"; }
    std::filesystem::path view() const { return path / "view.html"; }
    std::filesystem::path preview() const { return path / "preview.png"; }
    std::filesystem::path failure() const { return path / "failure.png"; }
    std::filesystem::path pc2() const { return path / "cloth.pc2"; }
    std::filesystem::path obj_frames() const { return path / "frames"; }
    std::filesystem::path settled() const { return path / "settled.obj"; }
    std::filesystem::path pictures() const { return path / "render"; }
};

// The folder of an earlier run; throws InputError where there is none.
RunFolder existing_run(const std::filesystem::path& path);

// A folder that a new run may use: absent, empty, or holding an earlier run. Touches nothing.
// Throws InputError otherwise.
RunFolder usable_folder(const std::filesystem::path& path);

// Makes the folder and takes away the files of an earlier run, nothing else.
void clear_folder(const RunFolder& folder);

// The correction maps of the run; empty where no filter had one. Throws InputError for a damaged file.
io::CorrectionMaps correction_maps(const RunFolder& folder, const io::CacheHeader& header);

// Writes the page of the run as `file`. Report and correction maps are put in where there are any.
io::ViewPageSummary write_view(const RunFolder& folder, const std::filesystem::path& file);

// Writes preview.png: the frame and look the scene asks for.
void write_preview(const RunFolder& folder, const scene::PreviewParams& preview);

// The picture settings of the scene that a cache was made from.
io::PictureSettings picture_settings(const io::CacheHeader& header);

}  // namespace taut::cli
