// A pin that is never released has no key "release": JSON has no word for infinity. One that a deforming
// obstacle carries has the number of that as "body".
#include "taut/io/cache_pins.hpp"

#include <cmath>
#include <cstdint>

namespace taut::io {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* linear_word = "linear";
constexpr const char* smooth_word = "smooth";

Motion read_motion(const CacheFields& in) {
    std::vector<Keyframe> keys;
    for (const json& entry : in.list("keys")) {
        const CacheFields key(entry, in.file());
        keys.push_back({key.number("time"), key.vector("translate"), key.vector("rotate")});
    }
    const std::string word = in.text("interpolation");
    if (word != linear_word && word != smooth_word)
        damaged_cache(in.file(), "a pin has no known interpolation");
    const Vec3 center = in.vector("center");
    if (keys.empty()) return {};
    try {
        return {std::move(keys), center, word == linear_word ? Interpolation::linear : Interpolation::smooth};
    } catch (const InputError& error) {
        damaged_cache(in.file(), "the motion of a pin: " + error.problem());
    }
}

}  // namespace

ordered_json pins_json(const std::vector<PinGroup>& pins) {
    ordered_json list = ordered_json::array();
    for (const PinGroup& pin : pins) {
        ordered_json entry{{"name", pin.name}, {"count", pin.vertices.size()}};
        if (std::isfinite(pin.release)) entry["release"] = pin.release;
        if (pin.body >= 0) {
            entry["body"] = pin.body;
            entry["rigid"] = pin.rigid;
        }
        entry["center"] = vector_json(pin.motion.center());
        entry["interpolation"] =
            pin.motion.interpolation() == Interpolation::linear ? linear_word : smooth_word;
        entry["keys"] = ordered_json::array();
        for (const Keyframe& key : pin.motion.keys()) {
            entry["keys"].push_back({{"time", key.time},
                                     {"translate", vector_json(key.translate)},
                                     {"rotate", vector_json(key.rotate)}});
        }
        list.push_back(std::move(entry));
    }
    return list;
}

void put_pins(const std::vector<PinGroup>& pins, ByteWriter& out) {
    for (const PinGroup& pin : pins) {
        for (const int vertex : pin.vertices) out.put<std::int32_t>(vertex);
        out.put_array<Vec3>(pin.anchor);
    }
}

std::vector<PinGroup> read_pins(const CacheFields& in, ByteReader& arrays) {
    std::vector<PinGroup> pins;
    for (const json& entry : in.list("pins")) {
        const CacheFields fields(entry, in.file());
        PinGroup pin;
        pin.name = fields.text("name");
        if (fields.has("release")) pin.release = fields.number("release");
        if (fields.has("body")) {
            pin.body = fields.count("body");
            pin.rigid = fields.flag("rigid");
        }
        pin.motion = read_motion(fields);
        const auto count = static_cast<std::uint64_t>(fields.count("count"));
        pin.vertices = arrays.get_array<std::int32_t>(count);
        pin.anchor = arrays.get_array<Vec3>(count);
        pins.push_back(std::move(pin));
    }
    return pins;
}

void check_pins(const std::vector<PinGroup>& pins, int vertices, const std::string& file) {
    for (const PinGroup& pin : pins) {
        if (pin.vertices.size() != pin.anchor.size()) damaged_cache(file, "a pin lacks anchors");
        for (const int vertex : pin.vertices) {
            if (vertex < 0 || vertex >= vertices)
                damaged_cache(file, "a pin names a vertex that does not exist");
        }
        bool finite = !std::isnan(pin.release);
        for (const Vec3& anchor : pin.anchor) finite = finite && anchor.allFinite();
        if (!finite) damaged_cache(file, "a pin holds a number that is not finite");
    }
}

}  // namespace taut::io
