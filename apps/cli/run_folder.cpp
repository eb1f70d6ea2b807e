// Run folders: may they be written to, and what is made from their caches.
#include "run_folder.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "taut/base/error.hpp"
#include "taut/io/atomic_file.hpp"
#include "taut/io/checkpoint.hpp"
#include "taut/scene/json_reader.hpp"
#include "viewer/page_template.hpp"

namespace taut::cli {

namespace {

namespace fs = std::filesystem;

bool is_run(const RunFolder& folder) {
    std::error_code error;
    return fs::is_regular_file(folder.cache(), error);
}

// Removes the files of a subfolder that a run writes, known by how their names begin and end, and the
// subfolder where nothing else is left.
void clear_frames(const fs::path& folder, std::string_view begin, std::string_view end) {
    std::error_code error;
    if (!fs::is_directory(folder, error)) return;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(begin) && name.ends_with(end)) files.push_back(entry.path());
    }
    for (const fs::path& file : files) fs::remove(file, error);
    if (fs::is_empty(folder, error)) fs::remove(folder, error);
}

// Removes the cloths that `taut settle` has left.
void clear_settled(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (name == "settled.obj" || (name.starts_with("settled_") && name.ends_with(".obj")))
            files.push_back(entry.path());
    }
    std::error_code error;
    for (const fs::path& file : files) fs::remove(file, error);
}

}  // namespace

RunFolder existing_run(const fs::path& path) {
    RunFolder folder{path};
    std::error_code error;
    if (!fs::is_directory(path, error)) {
        throw InputError({path.string(), ""}, "there is no such folder", "",
                         "give the folder of a run, such as out/hang");
    }
    if (!fs::is_regular_file(folder.cache(), error)) {
        throw InputError({path.string(), ""}, "this folder holds no run: cache.taut is missing", "",
                         "give a folder that `taut run` has written");
    }
    return folder;
}

RunFolder usable_folder(const fs::path& path) {
    RunFolder folder{path};
    std::error_code error;
    if (!fs::exists(path, error)) return folder;
    if (!fs::is_directory(path, error)) {
        throw InputError({path.string(), "-o"}, "this is a file, not a folder", "",
                         "choose another folder with -o");
    }
    if (!fs::is_empty(path, error) && !is_run(folder)) {
        throw InputError({path.string(), "-o"}, "this folder holds something that is not a run of taut", "",
                         "choose another folder with -o; nothing was touched");
    }
    return folder;
}

void clear_folder(const RunFolder& folder) {
    io::make_folder(folder.path);
    io::remove_checkpoints(folder.path);
    for (const fs::path& file :
         {folder.report(), folder.steps(), folder.view(), folder.preview(), folder.correction_maps(),
          folder.pc2(), folder.step_cache(), folder.cache(), folder.scene()}) {
        std::error_code error;
        fs::remove(file, error);
        if (error) throw InputError({file.string(), ""}, "cannot be replaced: " + error.message());
    }
    clear_settled(folder.path);
    clear_frames(folder.obj_frames(), "frame_", ".obj");
    clear_frames(folder.pictures(), "frame_", ".png");
    clear_frames(folder.pictures(), "strip", ".png");
}

io::CorrectionMaps correction_maps(const RunFolder& folder, const io::CacheHeader& header) {
    std::error_code error;
    if (!fs::exists(folder.correction_maps(), error)) return {};
    return io::read_correction_maps(folder.correction_maps(), header.vertices);
}

io::ViewPageSummary write_view(const RunFolder& folder, const fs::path& file) {
    io::CacheReader cache(folder.cache());
    std::error_code error;
    std::string report;
    if (fs::exists(folder.report(), error)) report = io::read_file(folder.report(), largest_report);
    return io::write_view_page(file, viewer::page_template(), cache, report,
                               correction_maps(folder, cache.header()));
}

void write_preview(const RunFolder& folder, const scene::PreviewParams& preview) {
    io::CacheReader cache(folder.cache());
    if (cache.frames() == 0) return;
    const long last = cache.frames() - 1;
    const io::CacheFrame frame = cache.read(preview.frame < 0 ? last : std::min<long>(preview.frame, last));
    const io::Camera camera = io::fit_camera(cache.header(), {&frame, 1}, preview.picture);
    io::CorrectionMaps maps;
    if (preview.picture.map) maps = correction_maps(folder, cache.header());
    const io::Image image =
        io::render_frame(cache.header(), frame, camera, preview.picture, {}, maps.at(frame.t));
    io::write_png(folder.preview(), image, cache.header().scene_name);
}

io::PictureSettings picture_settings(const io::CacheHeader& header) {
    scene::PreviewParams preview;
    const scene::Json json = scene::parse_json(header.effective_scene, "the scene inside the cache");
    const scene::JsonReader top(json, "the scene inside the cache");
    if (!json.is_object()) return preview.picture;
    const auto output = top.find("output");
    if (const auto settings = output && output->is_object() ? output->find("preview") : std::nullopt) {
        ParamList list;
        describe(list, preview);
        settings->read(list);
    }
    return preview.picture;
}

}  // namespace taut::cli
