// Reads pins that leave their vertices free along a curve or surface.

#include <fmt/format.h>

#include "taut/scene/reading.hpp"

namespace taut::scene {
namespace {

// Refuses numbers that the shape has no use for, and those it lacks.
void check_guide_keys(const JsonReader& on, const GuideParams& params) {
    for (const std::string_view key : {"point", "axis", "radius", "points", "closed"}) {
        const auto given = on.find(std::string(key));
        const bool used = guide_has(params.type, key);
        if (given && !used)
            given->fail(fmt::format("a {} has no '{}'", params.type, key), "take it away, or change 'type'");
        if (!given && used && key != "closed")
            on.fail(fmt::format("a {} needs '{}'", params.type, key), fmt::format("add '{}'", key));
    }
}

}  // namespace

GuideSpec read_guide(const JsonReader& reader, const Scene& scene) {
    GuideSpec guide;
    guide.pointer = reader.pointer();
    guide.params = read_params<PinParams>(reader, "a pin", names_in(pin_keys()));
    for (const char* key : {"at", "offset", "rigid"}) {
        if (const auto given = reader.find(key))
            given->fail(fmt::format("a pin with 'on' has no '{}'", key), "keep one of the two");
    }
    guide.group = read_group_or_name(reader.at("group", "name a group or write its selectors here"), scene);
    check_attachment(reader, guide.params, scene);
    const JsonReader on = *reader.find("on");
    guide.on = read_params<GuideParams>(on, "what a pin stays on", names_in(guide_keys()), {"type"});
    check_guide_keys(on, guide.on);
    if (const auto axis = on.find("axis"); axis && !(guide.on.axis.norm() > 1e-9))
        axis->fail("the axis has no direction", "give a vector longer than 1e-9");
    if (const auto points = on.find("points")) {
        for (const JsonReader& point : points->elements("'points'", 2)) {
            guide.points.push_back(point.vector(coordinates()));
            const std::size_t n = guide.points.size();
            if (n > 1 && !((guide.points[n - 1] - guide.points[n - 2]).norm() > 1e-9))
                point.fail("two points in a row are the same", "take one away");
        }
        if (guide.on.closed && !((guide.points.back() - guide.points.front()).norm() > 1e-9))
            points->fail("a closed polyline ends where it starts", "take the last point away");
    }
    if (const auto motion = reader.find("motion")) guide.motion = read_motion(*motion);
    return guide;
}

}  // namespace taut::scene
