// taut verify: checks a finished run again from its files alone, and says what does not hold and where.
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "command.hpp"
#include "run_folder.hpp"
#include "taut/base/error.hpp"
#include "taut/base/parallel.hpp"
#include "taut/io/verify.hpp"
#include "text.hpp"
#include "verify_report.hpp"

namespace taut::cli {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct VerifyCommand {
    std::string folder, frames, picture, skip;
    int threads = 0;
    bool all = false, json = false;
};

// "A..B", where either may be left out, or one frame "A".
void read_frames(const std::string& text, io::VerifyOptions& options) {
    const auto number = [&](const std::string& part) {
        long value = 0;
        const char* const end = part.data() + part.size();
        const auto [stop, error] = std::from_chars(part.data(), end, value);
        if (error != std::errc{} || stop != end || value < 0) {
            throw InputError({"", "--frames"}, "are no frames", text, "write A..B such as 10..20");
        }
        return value;
    };
    const std::size_t dots = text.find("..");
    const std::string first = text.substr(0, dots);
    const std::string last = dots == std::string::npos ? first : text.substr(dots + 2);
    if (!first.empty() || dots == std::string::npos) options.first = number(first);
    if (!last.empty()) options.last = number(last);
}

void read_skips(const std::string& text, io::VerifyOptions& options) {
    const std::vector<std::pair<std::string, bool*>> known{
        {"strain", &options.strain},       {"pins", &options.pins}, {"intersections", &options.intersections},
        {"crossings", &options.crossings}, {"self", &options.self}, {"obstacles", &options.obstacles}};
    for (const std::string& word : split(text, ',')) {
        bool found = false;
        std::vector<std::string> names;
        for (const auto& [name, flag] : known) {
            names.push_back(name);
            if (name != word) continue;
            *flag = false;
            found = true;
        }
        if (found) continue;
        const std::string near = nearest_name(word, names);
        throw InputError({"", "--skip"}, "there is no such check", word,
                         (near.empty() ? std::string() : "did you mean " + near + "? ") +
                             "allowed: strain, pins, intersections, crossings, self, obstacles");
    }
}

// One line that is redrawn on a terminal; a line every few seconds in a pipe.
class CheckProgress {
public:
    void show(bool steps, long done, long count) {
        const auto now = Clock::now();
        if (now - last_ < (redraws_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(5000)))
            return;
        last_ = now;
        fmt::print(stderr, "{}checking {} {} of {}{}", redraws_ ? "\r\x1b[K" : "", steps ? "step" : "frame",
                   done + 1, count, redraws_ ? "" : "\n");
        std::fflush(stderr);
        drawn_ = redraws_;
    }
    void clear() {
        if (drawn_) fmt::print(stderr, "\r\x1b[K");
        drawn_ = false;
    }

private:
    bool redraws_ = is_terminal(stderr), drawn_ = false;
    Clock::time_point last_ = Clock::now();
};

// Draws the first moment that offends, with what is concerned in a signal colour.
void draw_offence(const std::string& file, const RunFolder& folder, const io::VerifyReport& report) {
    const io::Offence& first = report.list.front();
    std::vector<io::Offence> shown;
    for (const io::Offence& offence : report.list) {
        if (offence.step == first.step && offence.index == first.index) shown.push_back(offence);
    }
    io::CacheReader cache(first.step ? folder.step_cache() : folder.cache());
    const io::CacheFrame frame = cache.read_any(first.index);
    const io::PictureSettings settings = picture_settings(cache.header());
    const io::Camera camera = io::fit_camera(cache.header(), {&frame, 1}, settings);
    const io::Image image =
        io::render_frame(cache.header(), frame, camera, settings, io::marks_of(cache.header(), shown));
    io::write_png(file, image, cache.header().scene_name);
}

int verify(const VerifyCommand& command) {
    const ThreadLimit limit(command.threads);
    const RunFolder folder = existing_run(command.folder);
    io::VerifyOptions options;
    options.all = command.all;
    if (!command.frames.empty()) read_frames(command.frames, options);
    if (!command.skip.empty()) read_skips(command.skip, options);
    CheckProgress progress;
    options.progress = [&](bool steps, long done, long count) { progress.show(steps, done, count); };

    std::error_code error;
    const bool steps = fs::is_regular_file(folder.step_cache(), error);
    const auto start = Clock::now();
    const io::VerifyReport report =
        io::verify_run(folder.cache(), steps ? folder.step_cache() : fs::path(), options);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    progress.clear();

    const io::CacheHeader header = io::CacheReader(folder.cache()).header();
    const std::string picture = report.list.empty() ? "" : command.picture;
    const VerifyTold told{header, options, report, seconds, picture};
    if (command.json) {
        fmt::print("{}\n", verify_json(told).dump(2, ' ', false, scene::Json::error_handler_t::replace));
    } else {
        fmt::print("{}", verify_text(told));
        if (!picture.empty()) fmt::print("picture  {}\n", picture);
    }
    std::fflush(stdout);
    if (!picture.empty()) draw_offence(picture, folder, report);  // last: the verdict must not be lost
    return report.good() ? exit_good : exit_failed;
}

}  // namespace

void add_verify(CLI::App& app, Task& task) {
    auto options = std::make_shared<VerifyCommand>();
    CLI::App* command = app.add_subcommand("verify", "Check a finished run again from its files alone");
    command->add_option("DIR", options->folder, "Folder of a run")->type_name("")->required();
    command->add_option("--frames", options->frames, "Check frames A to B and the steps between them [all]")
        ->type_name("A..B");
    command
        ->add_option("--skip", options->skip,
                     "Leave out: strain, pins, intersections, crossings, self, obstacles")
        ->type_name("A,B,...");
    command->add_flag("--all", options->all, "List every offence, not only those of the first moment");
    command->add_flag("--json", options->json, "Print the findings as JSON");
    command->add_option("--picture", options->picture, "Draw the first moment that offends, its faces marked")
        ->type_name("FILE")
        ->check(picture_name());
    add_threads(*command, options->threads);
    command->footer(
        "Looks at strain of warp and weft against what was promised, pins, and intersections of cloth with\n"
        "itself, other cloths and obstacles, in every frame. Where the run was made with --cache-steps, the\n"
        "same for every step, and that nothing crosses on the way between two steps.\n"
        "Exit codes: 0 all holds, 1 something does not, 2 bad input or damaged files.\n"
        "\n"
        "Examples:\n"
        "  taut run drape --cache-steps\n"
        "  taut verify out/drape\n"
        "  taut verify out/drape --frames 60..90 --all --json\n"
        "  taut verify out/hang --skip self --picture offence.png");
    command->callback([&task, options] { task = [options] { return verify(*options); }; });
}

}  // namespace taut::cli
