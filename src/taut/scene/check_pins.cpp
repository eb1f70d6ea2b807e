#include "taut/scene/check_pins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "taut/filters/stable_projection.hpp"
#include "taut/mesh/feasibility.hpp"

namespace taut::scene {
namespace {

// Keyframes of a long motion are checked up to this many times in all; each asks for a search over
// the cloth.
constexpr std::size_t max_times = 200;
constexpr int between_keys = 4;  // times looked at per span between two keyframes

void add_key_times(const MotionSpec& motion, double duration, std::vector<double>& times) {
    for (std::size_t k = 0; k < motion.keyframes.size(); ++k) {
        const double start = motion.keyframes[k].time;
        const double end = k + 1 < motion.keyframes.size() ? motion.keyframes[k + 1].time : start;
        for (int i = 0; i < between_keys; ++i) {
            const double t = start + (end - start) * i / between_keys;
            if (t > 0 && t <= duration) times.push_back(t);
        }
    }
}

bool carries(const Scene& scene, const std::string& obstacle) {
    return std::any_of(scene.pins.begin(), scene.pins.end(),
                       [&](const PinSpec& pin) { return pin.params.attach == obstacle; });
}

// The start, and times at and between the keyframes of pins and of obstacles that carry some (or of all,
// where asked for); where a mesh deforms, a few over the run besides.
std::vector<double> times_to_check(const Scene& scene, std::span<const collision::Obstacle> obstacles,
                                   bool all) {
    std::vector<double> times{0};
    for (const PinSpec& pin : scene.pins) add_key_times(pin.motion, scene.run.duration, times);
    for (std::size_t o = 0; o < obstacles.size(); ++o) {
        if (!all && !carries(scene, obstacles[o].name)) continue;
        add_key_times(scene.obstacles[o].motion, scene.run.duration, times);
        if (!obstacles[o].mesh || !obstacles[o].mesh->deformation) continue;
        constexpr int looks = 8;
        for (int i = 1; i <= looks; ++i) times.push_back(scene.run.duration * i / looks);
    }
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    if (times.size() <= max_times) return times;

    // Thin evenly.
    std::vector<double> kept;
    for (std::size_t i = 0; i < max_times; ++i)
        kept.push_back(times[i * (times.size() - 1) / (max_times - 1)]);
    return kept;
}

// What is pinned where at a time, and by which pin of the scene.
struct PinnedPoints {
    std::vector<int> vertices;
    Points targets;
    std::vector<std::size_t> pin;

    std::size_t pin_of(int vertex) const {
        return pin[static_cast<std::size_t>(std::find(vertices.begin(), vertices.end(), vertex) -
                                            vertices.begin())];
    }
};

PinnedPoints pinned_points(const Model& model, double time) {
    PinnedPoints points;
    for (std::size_t p = 0; p < model.pins.size(); ++p) {
        const PinGroup& pin = model.pins[p];
        if (!pin.holds(time)) continue;
        const Points targets = pin.targets(time);
        for (std::size_t k = 0; k < pin.vertices.size(); ++k) {
            points.vertices.push_back(pin.vertices[k]);
            points.targets.push_back(targets[k]);
            points.pin.push_back(p);
        }
    }
    return points;
}

// "vertex 40 of cloth 'sheet' (pin 'corners')"
std::string vertex_text(const Scene& scene, const Model& model, const PinnedPoints& points, int vertex) {
    return fmt::format("{} (pin '{}')", vertex_name(model, vertex),
                       scene.pins[points.pin_of(vertex)].params.name);
}

std::string when(double time) { return time > 0 ? fmt::format(" at {:.4g} s", time) : std::string(); }

// How much pins may stretch the cloth between them: as much as is promised. stable_projection asks for
// balanced forces besides, and a row of free vertices that cannot be unstretched has none: its first
// step fails at any tolerance (docs/theory/robustness.md).
mesh::PinStretch allowed_stretch(const Scene& scene) {
    const double promised = promised_strain(scene);
    if (!std::isfinite(promised)) return {};
    const bool balances = std::any_of(scene.filters.begin(), scene.filters.end(), [](const Piece& piece) {
        return piece.entry->name == filters::StableProjection::type_name;
    });
    return {.edges = promised, .rows = balances ? 0 : promised};
}

// Why the run cannot follow pins so far apart; nothing where no strain is promised.
std::string why_infeasible(const mesh::PinConflict& conflict, double promised) {
    if (!std::isfinite(promised)) return {};
    const double strain = conflict.distance / conflict.reach - 1;
    if (strain <= promised) {
        return fmt::format("; {} finds no balance of forces there, whatever its tolerance",
                           filters::StableProjection::type_name);
    }
    const auto [asked, allowed] = distinct_texts(100 * strain, 100 * promised, 4);
    return fmt::format("; that is a strain of {} %, and {} % is promised", asked, allowed);
}

// An error, or a warning where no strain is promised: springs, say, just stretch.
void report_conflicts(const Scene& scene, const Model& model, const PinnedPoints& points,
                      const std::vector<mesh::PinConflict>& conflicts, double time,
                      std::vector<Finding>& findings) {
    constexpr std::size_t shown = 3;
    const double promised = promised_strain(scene);
    const Severity severity = std::isfinite(promised) ? Severity::error : Severity::warning;
    for (std::size_t i = 0; i < std::min(shown, conflicts.size()); ++i) {
        const mesh::PinConflict& conflict = conflicts[i];
        const auto [apart, reach] = distinct_texts(conflict.distance, conflict.reach, 6);
        std::string text = fmt::format(
            "infeasible pins{}: {} and {} are {} m apart, but unstretched cloth reaches only {} m",
            when(time), vertex_text(scene, model, points, conflict.a),
            vertex_text(scene, model, points, conflict.b), apart, reach);
        text += why_infeasible(conflict, promised);
        if (i + 1 == shown && conflicts.size() > shown) {
            text += fmt::format(" (and {} more pairs)", conflicts.size() - shown);
        }
        const PinSpec& pin = scene.pins[points.pin_of(conflict.b)];
        const bool on_skin = !pin.params.attach.empty() && !pin.params.rigid;
        findings.push_back({severity, pin.pointer, std::move(text),
                            on_skin && time > 0
                                ? std::string("set \"rigid\": true if what carries the pin stretches")
                                : fmt::format("bring the pins at least {:.3g} m closer",
                                              conflict.distance - conflict.reach)});
    }
}

void report_rigid_rows(const Scene& scene, const Model& model, const PinnedPoints& points,
                       const std::vector<mesh::RigidRow>& rows, double time, std::vector<Finding>& findings) {
    constexpr std::size_t shown = 3;
    for (std::size_t i = 0; i < std::min(shown, rows.size()); ++i) {
        const mesh::RigidRow& row = rows[i];
        std::string text =
            fmt::format("a row of {} edges is held rigid{}, straight between {} and {}, {:.6g} m apart",
                        row.edges.size(), when(time), vertex_text(scene, model, points, row.a),
                        vertex_text(scene, model, points, row.b), row.distance);
        if (const double stretch = row.distance / row.reach - 1; stretch > 1e-6)
            text += fmt::format(", stretched by {:.3g} %", 100 * stretch);
        if (row.yarn >= 0) {
            const bool warp =
                model.yarns[static_cast<std::size_t>(row.yarn)].direction == mesh::Direction::warp;
            text += warp ? ", along one warp yarn" : ", along one weft yarn";
        }
        if (i + 1 == shown && rows.size() > shown)
            text += fmt::format(" (and {} more rows)", rows.size() - shown);
        findings.push_back({Severity::warning, scene.pins[points.pin_of(row.b)].pointer, std::move(text),
                            "bring the pins a little closer if the row should sag"});
    }
}

// The longest edge at every vertex, at rest [m].
std::vector<double> longest_edges(const Model& model) {
    std::vector<double> longest(model.rest.size(), 0);
    for (std::size_t e = 0; e < model.edges.size(); ++e) {
        for (const int v : {model.edges[e].a, model.edges[e].b}) {
            double& length = longest[static_cast<std::size_t>(v)];
            length = std::max(length, model.rest_length[e]);
        }
    }
    return longest;
}

}  // namespace

std::vector<char> pinned_at(const Model& model, double time) {
    std::vector<char> held(model.rest.size(), 0);
    for (const PinGroup& pin : model.pins) {
        if (!pin.holds(time)) continue;
        for (const int v : pin.vertices) held[static_cast<std::size_t>(v)] = 1;
    }
    return held;
}

double promised_strain(const Scene& scene) {
    double promised = std::numeric_limits<double>::infinity();
    for (const Piece& piece : scene.filters) {
        // A fixed number of passes promises nothing.
        const Param* passes = piece.settings.list().find("passes");
        const bool fixed = passes && *std::get<int*>(passes->target) > 0;
        const Param* tolerance =
            piece.entry->holds_strain && !fixed ? piece.settings.list().find("tolerance") : nullptr;
        if (tolerance) promised = std::min(promised, *std::get<double*>(tolerance->target));
    }
    return promised;
}

void check_pin_reach(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings) {
    // Report the first time of each kind of trouble only: later times mostly repeat it.
    const Model& model = assembly.model;
    const mesh::PinStretch stretch = allowed_stretch(scene);
    bool conflict = false, rigid = false;
    for (const double time : times_to_check(scene, assembly.obstacles, false)) {
        const PinnedPoints points = pinned_points(model, time);
        if (points.vertices.size() < 2) continue;
        const mesh::PinReach reach =
            mesh::check_pins(model.edges, model.yarns, model.rest, points.vertices, points.targets, stretch);
        if (!conflict) report_conflicts(scene, model, points, reach.conflicts, time, findings);
        if (!rigid && std::isfinite(promised_strain(scene)))
            report_rigid_rows(scene, model, points, reach.rigid_rows, time, findings);
        if (!reach.complete && time == 0) {
            findings.push_back({Severity::note, "/pins", "too many pins to check every pair of them", ""});
        }
        conflict = conflict || !reach.conflicts.empty();
        rigid = rigid || !reach.rigid_rows.empty();
        if (conflict && rigid) return;
    }
}

void check_pins_inside(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings) {
    constexpr double rounding = 1e-9;  // [m]
    const Model& model = assembly.model;
    std::vector<char> told(model.pins.size() * assembly.obstacles.size(), 0);
    if (told.empty()) return;
    for (const double time : times_to_check(scene, assembly.obstacles, true)) {
        const PinnedPoints points = pinned_points(model, time);
        if (points.vertices.empty()) continue;
        for (std::size_t o = 0; o < assembly.obstacles.size(); ++o) {
            const collision::Obstacle& obstacle = assembly.obstacles[o];
            const std::vector<double> distance = collision::distances(obstacle, time, points.targets);
            for (std::size_t k = 0; k < points.vertices.size(); ++k) {
                char& known = told[points.pin[k] * assembly.obstacles.size() + o];
                // What is attached to an obstacle lies on it.
                if (known || scene.pins[points.pin[k]].params.attach == obstacle.name) continue;
                if (!(distance[k] < -rounding)) continue;
                known = 1;
                findings.push_back(
                    {Severity::warning, scene.pins[points.pin[k]].pointer,
                     fmt::format("{} is held inside obstacle '{}'{}, {:.3g} m deep",
                                 vertex_text(scene, model, points, points.vertices[k]), obstacle.name,
                                 when(time), -distance[k]),
                     "pins are exact: contact does not move them; move the pin or the obstacle"});
            }
        }
    }
}

void check_pins_attached(const Scene& scene, const Assembly& assembly, std::vector<Finding>& findings) {
    // Clothes keep a few centimetres at most from what wears them (the garments of taut 2 cm), and cloth with
    // long edges can be no more exact than these. Less warns of bands that sit well; much more lets a band
    // pass that was left behind by a small move of the body.
    constexpr double allowed = 0.05, allowed_edges = 2;  // [m], edges
    const Model& model = assembly.model;
    const std::vector<double> longest = longest_edges(model);
    for (std::size_t p = 0; p < model.pins.size(); ++p) {
        const PinGroup& pin = model.pins[p];
        const auto body = std::find_if(assembly.obstacles.begin(), assembly.obstacles.end(),
                                       [&](const collision::Obstacle& obstacle) {
                                           return obstacle.name == scene.pins[p].params.attach;
                                       });
        if (body == assembly.obstacles.end() || !pin.holds(0)) continue;

        // Count what is too far, and find the farthest.
        const std::vector<double> distance = collision::distances(*body, 0, pin.targets(0));
        const auto far = [&](std::size_t k) {
            return distance[k] >
                   std::max(allowed, allowed_edges * longest[static_cast<std::size_t>(pin.vertices[k])]);
        };
        std::size_t count = 0, farthest = 0;
        for (std::size_t k = 0; k < distance.size(); ++k) {
            if (!far(k)) continue;
            if (count++ == 0 || distance[k] > distance[farthest]) farthest = k;
        }
        if (count == 0) continue;
        std::string text =
            fmt::format("pin '{}' is attached to obstacle '{}', but {} starts {:.3g} m from its surface",
                        scene.pins[p].params.name, body->name, vertex_name(model, pin.vertices[farthest]),
                        distance[farthest]);
        if (count > 1) text += fmt::format(", {} more of its {} too far as well", count - 1, distance.size());
        findings.push_back({Severity::warning, scene.pins[p].pointer, std::move(text),
                            "bring the cloth to the obstacle by 'place', or take 'attach' away"});
    }
}

}  // namespace taut::scene
