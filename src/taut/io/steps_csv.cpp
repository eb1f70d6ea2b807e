#include "taut/io/steps_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "taut/base/error.hpp"
#include "taut/base/parameter.hpp"
#include "taut/io/atomic_file.hpp"

namespace taut::io {
namespace {

constexpr std::uintmax_t largest_table = std::uintmax_t{1} << 32;

// A text as one CSV field: in quotes, with quotes doubled and line breaks as spaces; empty stays empty.
std::string quoted(const std::string& text) {
    if (text.empty()) return {};
    std::string field = "\"";
    for (char c : text) {
        if (c == '"') field += '"';
        field += c == '\n' || c == '\r' ? ' ' : c;
    }
    return field + '"';
}

// Bytes of `text` up to and including the row of step `keep_steps`. Throws InputError where it is missing.
std::size_t kept_bytes(const std::string& text, long keep_steps, const std::string& file) {
    const std::string head = csv_head() + "\n";
    if (text.compare(0, head.size(), head) != 0) {
        throw InputError({file, "line 1"}, "is not a table of steps that can be continued", "",
                         "delete it, or run the scene again from its start");
    }
    std::size_t at = head.size();
    for (long row = 1; row <= keep_steps; ++row) {
        const std::size_t line_end = text.find('\n', at);
        long step = 0;
        if (line_end != std::string::npos) std::from_chars(text.data() + at, text.data() + line_end, step);
        if (step != row) {
            throw InputError({file, fmt::format("line {}", row + 1)},
                             fmt::format("the row of step {} is missing", row), "",
                             "delete the table, or run the scene again from its start");
        }
        at = line_end + 1;
    }
    return at;
}

}  // namespace

std::string csv_head() {
    return "step,t,dt,retries,held,iterations,linear_iterations,inner_iterations,max_strain,max_stretch,"
           "max_compression,mean_strain,strain_before,shear_max,kinetic,potential,energy,penetration,"
           "distance,intersections,contacts,corrections,refused,solves,solve_iterations,solve_residual,"
           "triangle_stretch,stretch_change,contacts_held,contacts_sticking,contacts_made,contacts_released,"
           "com_x,com_y,com_z,seconds,note";
}

std::string csv_row(const StepReport& report, double warp_share) {
    long iterations = 0, linear = 0, inner = 0, corrections = 0;
    for (const FilterReport& filter : report.filters) {
        iterations += filter.iterations;
        linear += filter.linear_iterations;
        inner += filter.inner_iterations;
        corrections += filter.corrections;
    }
    const IntegratorReport& integrator = report.integrator;
    std::string row = fmt::format("{},{},{},{},{},{},{},{}", report.step, report.t, report.dt, report.retries,
                                  report.held ? 1 : 0, iterations, linear, inner);
    const double numbers[] = {report.max_strain(),
                              std::max(report.warp.max_stretch, report.weft.max_stretch),
                              std::max(report.warp.max_compression, report.weft.max_compression),
                              warp_share * report.warp.mean + (1 - warp_share) * report.weft.mean,
                              report.strain_before,
                              report.shear_max,
                              report.kinetic,
                              report.potential,
                              report.energy(),
                              report.penetration,
                              report.distance,
                              static_cast<double>(report.intersections),
                              static_cast<double>(report.contacts),
                              static_cast<double>(corrections),
                              static_cast<double>(report.refused),
                              static_cast<double>(integrator.solves),
                              static_cast<double>(integrator.iterations),
                              integrator.residual,
                              integrator.stretch,
                              integrator.stretch_change,
                              static_cast<double>(integrator.held),
                              static_cast<double>(integrator.sticking),
                              static_cast<double>(integrator.made),
                              static_cast<double>(integrator.released),
                              report.center_of_mass[0],
                              report.center_of_mass[1],
                              report.center_of_mass[2],
                              report.seconds};
    for (double value : numbers) row += "," + number_text(value);
    return row + "," + quoted(report.note);
}

StepsCsv::StepsCsv(const std::filesystem::path& file, long keep_steps) : file_(file) {
    std::error_code error;
    if (keep_steps >= 0 && std::filesystem::exists(file, error)) {
        // Keep the rows of the steps that count; the rest will be written again.
        const std::string text = read_file(file, largest_table);
        std::filesystem::resize_file(file, kept_bytes(text, keep_steps, file.string()), error);
    } else {
        write_file(file, csv_head() + "\n");
    }
    stream_.open(file, std::ios::binary | std::ios::app);
    if (error || !stream_) {
        throw InputError({file.string(), ""}, "the table of steps cannot be written", "",
                         "choose a folder that you may write to");
    }
}

void StepsCsv::begin(const Simulation& simulation) {
    double warp = 0, weft = 0;
    for (const mesh::Edge& edge : simulation.model().edges) {
        if (edge.direction == mesh::Direction::warp) ++warp;
        if (edge.direction == mesh::Direction::weft) ++weft;
    }
    if (warp + weft > 0) warp_share_ = warp / (warp + weft);
}

void StepsCsv::step(const Simulation&, const StepReport& report) {
    write(csv_row(report, warp_share_) + "\n");
}

void StepsCsv::frame(const Simulation&, int) { flush(); }

void StepsCsv::end(const Simulation&) { flush(); }

void StepsCsv::write(const std::string& text) {
    stream_.write(text.data(), static_cast<std::streamsize>(text.size()));
}

void StepsCsv::flush() {
    stream_.flush();
    if (!stream_) {
        throw InputError({file_.string(), ""}, "the table of steps cannot be written", "",
                         "free some disk space");
    }
}

}  // namespace taut::io
