// taut render: pictures of a run, one per frame, and a film strip, drawn without GPU or display.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "run_folder.hpp"
#include "stop.hpp"
#include "taut/base/error.hpp"
#include "taut/base/parallel.hpp"
#include "taut/io/atomic_file.hpp"
#include "text.hpp"

namespace taut::cli {

namespace {

namespace fs = std::filesystem;

// A strip of 4 x 3 pictures a third as wide as the others reads well on a screen and on paper.
constexpr long strip_columns = 4;
constexpr long strip_pictures = 12;
constexpr int strip_reduction = 3;

struct RenderOptions {
    std::string folder, output, size;
    int every = 1;
    int threads = 0;
    bool strain = false, wireframe = false, follow = false, map = false;
    std::string map_name;  // empty: the map in use at the time of the frame
};

// The frames of a run as the camera sees them.
class Film {
public:
    Film(const fs::path& file, bool follow) : cache_(file), follow_(follow) {}
    const io::CacheHeader& header() const { return cache_.header(); }
    long frames() const { return cache_.frames(); }

    // Where the camera follows, everything else is moved so that the middle of the cloth stays on one
    // vertical.
    io::CacheFrame read(long number) {
        io::CacheFrame frame = cache_.read(number);
        if (!follow_) return frame;
        Vec3 middle = Vec3::Zero();
        for (const Vec3& p : frame.x) middle += p / static_cast<double>(frame.x.size());
        const Vec3 shift(-middle.x(), -middle.y(), 0);
        for (Vec3& p : frame.x) p += shift;
        for (RigidTransform& place : frame.obstacles) place.translation += shift;
        for (Points& points : frame.deformed) {
            for (Vec3& p : points) p += shift;
        }
        return frame;
    }

    // Reads the correction maps of the run; throws where the options ask for what is not there.
    void read_maps(const RunFolder& folder, const RenderOptions& options);

    // Draws a frame, with its correction map where the settings ask for one.
    io::Image draw(const io::CacheFrame& frame, const io::Camera& camera,
                   const io::PictureSettings& settings) const {
        const CorrectionMap* map = nullptr;
        if (settings.map) map = map_name_.empty() ? maps_.at(frame.t) : maps_.named(map_name_, frame.t);
        return io::render_frame(header(), frame, camera, settings, {}, map);
    }

private:
    io::CacheReader cache_;
    bool follow_;
    io::CorrectionMaps maps_;
    std::string map_name_;
};

void Film::read_maps(const RunFolder& folder, const RenderOptions& options) {
    maps_ = correction_maps(folder, header());
    map_name_ = options.map_name;
    if (!options.map) return;
    if (maps_.changes.empty()) {
        throw InputError({folder.path.string(), "--map"},
                         "the run has no correction maps: correction_maps.json is missing", "",
                         "run a scene whose filter corrects edges in an order");
    }
    if (map_name_.empty() || maps_.named(map_name_, 0) != nullptr) return;
    const std::vector<std::string> names = maps_.names();
    const std::string nearest = nearest_name(map_name_, names);
    throw InputError({folder.correction_maps().string(), "--map"}, "there is no map of that name", map_name_,
                     fmt::format("allowed: {}{}", fmt::join(names, ", "),
                                 nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
}

std::vector<long> every_nth(long frames, long every) {
    std::vector<long> chosen;
    for (long frame = 0; frame < frames; frame += every) chosen.push_back(frame);
    return chosen;
}

// At most `most` of the chosen frames, spread evenly, first and last among them.
std::vector<long> spread(const std::vector<long>& chosen, long most) {
    const long count = static_cast<long>(chosen.size());
    if (count <= most) return chosen;
    std::vector<long> some;
    for (long k = 0; k < most; ++k) {
        some.push_back(chosen[static_cast<std::size_t>(k * (count - 1) / (most - 1))]);
    }
    return some;
}

io::PictureSettings settings_of(const RenderOptions& options, const io::CacheHeader& header) {
    io::PictureSettings settings = picture_settings(header);
    if (!options.size.empty()) std::tie(settings.width, settings.height) = read_size("--size", options.size);
    settings.strain_colors = settings.strain_colors || options.strain;
    settings.wireframe = settings.wireframe || options.wireframe;
    settings.map = settings.map || options.map;
    return settings;
}

// One camera for all pictures, so that the film does not jump.
io::Camera camera_for(Film& film, const std::vector<long>& frames, const io::PictureSettings& settings) {
    io::CameraFit fit(film.header(), settings);
    for (const long frame : frames) fit.add(film.read(frame));
    return fit.camera();
}

void write_strip(Film& film, const std::vector<long>& frames, const io::Camera& camera,
                 io::PictureSettings settings, const fs::path& file) {
    settings.width = std::max(16, settings.width / strip_reduction);
    settings.height = std::max(16, settings.height / strip_reduction);
    std::vector<io::Image> images;
    std::vector<std::string> labels;
    for (const long number : spread(frames, strip_pictures)) {
        const io::CacheFrame frame = film.read(number);
        images.push_back(film.draw(frame, camera, settings));
        labels.push_back(fmt::format("{:.2f} s", frame.t));
    }
    const long columns = std::min<long>(strip_columns, static_cast<long>(images.size()));
    io::write_png(file, io::film_strip(images, static_cast<int>(columns), labels), film.header().scene_name);
}

int render(const RenderOptions& options) {
    const ThreadLimit limit(options.threads);
    const RunFolder folder = existing_run(options.folder);
    Film film(folder.cache(), options.follow);
    if (film.frames() == 0) throw InputError({folder.cache().string(), ""}, "the run has no frames yet");
    const io::PictureSettings settings = settings_of(options, film.header());
    if (settings.map) film.read_maps(folder, options);
    const std::vector<long> frames = every_nth(film.frames(), options.every);
    const io::Camera camera = camera_for(film, frames, settings);

    // Draw the frames; Ctrl-C ends after the current one.
    const fs::path output = options.output.empty() ? folder.pictures() : fs::path(options.output);
    io::make_folder(output);
    const auto& stop = stop_on_signals();
    const bool redraws = is_terminal(stderr);
    for (std::size_t k = 0; k < frames.size() && !stop.load(); ++k) {
        const io::CacheFrame frame = film.read(frames[k]);
        const io::Image image = film.draw(frame, camera, settings);
        io::write_png(output / fmt::format("frame_{:05}.png", frames[k]), image, film.header().scene_name);
        if (redraws) fmt::print(stderr, "\r\x1b[Kpicture {} of {}", k + 1, frames.size());
    }
    if (redraws) fmt::print(stderr, "\r\x1b[K");
    if (stop.load()) {
        fmt::print(stderr, "taut: interrupted; {} holds the pictures made so far\n", output.string());
        return exit_failed;
    }
    write_strip(film, frames, camera, settings, output / "strip.png");
    fmt::print("wrote {} and strip.png to {}\n", counted(static_cast<long>(frames.size()), "picture"),
               output.string());
    return exit_good;
}

}  // namespace

void add_render(CLI::App& app, Task& task) {
    auto options = std::make_shared<RenderOptions>();
    CLI::App* command = app.add_subcommand("render", "Draw a run: PNG pictures and a film strip");
    command->add_option("DIR", options->folder, "Folder of a run")->type_name("")->required();
    command->add_option("--every", options->every, "Draw every N-th frame [1]")
        ->type_name("N")
        ->check(count_between(1, 100000000));
    command->add_option("--size", options->size, "WIDTHxHEIGHT in pixels [the scene's, else 1280x800]")
        ->type_name("WxH");
    command->add_flag("--strain", options->strain, "Colour by strain, with a legend");
    command->add_flag("--wireframe", options->wireframe, "Draw the yarns as thin lines");
    command
        ->add_option_function<std::string>(
            "--map",
            [options](const std::string& name) {
                options->map = true;
                options->map_name = name;
            },
            "Draw the order of corrections: of the map in use, or of the one named")
        ->type_name("[NAME]")
        ->expected(0, 1);
    command->add_flag("--follow", options->follow,
                      "The camera goes along with the cloth, for models who walk");
    command->add_option("-o,--output", options->output, "Folder to write [DIR/render]")->type_name("DIR");
    add_threads(*command, options->threads);
    command->footer(
        "Writes frame_00000.png and so on, and strip.png with at most twelve pictures of the film. The "
        "scene's\n"
        "section `preview` sets view and look; all pictures share one camera, which stands still or "
        "follows.\n"
        "\n"
        "Examples:\n"
        "  taut render out/hang\n"
        "  taut render out/hang --every 10 --size 640x400 --strain -o pictures\n"
        "  taut render out/directional_corners --every 30 --map\n"
        "  taut render out/pants --every 16 --size 600x900 --follow");
    command->callback([&task, options] { task = [options] { return render(*options); }; });
}

}  // namespace taut::cli
