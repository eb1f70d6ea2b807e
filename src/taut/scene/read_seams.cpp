// Reads seams: two sides by groups, and when they close.

#include "taut/scene/reading.hpp"

namespace taut::scene {
namespace {

void read_closing(const JsonReader& reader, SeamSpec& seam) {
    const std::vector<JsonReader> times = reader.elements("'close'", 2);
    if (times.size() != 2) reader.fail("a seam closes between two times", "allowed: [start, end] in seconds");
    seam.close_start = times[0].number(non_negative());
    seam.close_end = times[1].number(non_negative());
    const bool from_start = seam.close_start == 0 && seam.close_end == 0;
    if (!from_start && !(seam.close_end > seam.close_start)) {
        times[1].fail("a seam cannot close in no time",
                      "allowed: > " + number_text(seam.close_start) + " s, or [0, 0]: closed from the start");
    }
}

SeamSpec read_seam(const JsonReader& reader, const Scene& scene) {
    SeamSpec seam;
    seam.pointer = reader.pointer();
    seam.params = read_params<SeamParams>(reader, "a seam", names_in(seam_keys()));
    const char* const remedy = "name a group or write its selectors here";
    seam.from = read_group_or_name(reader.at("from", remedy), scene);
    seam.to = read_group_or_name(reader.at("to", remedy), scene);
    if (const auto close = reader.find("close")) read_closing(*close, seam);
    return seam;
}

}  // namespace

void read_seams(const JsonReader& top, Scene& scene) {
    const auto section = top.find("seams");
    if (!section) return;
    std::vector<std::string> taken;
    for (const JsonReader& reader : section->elements("'seams'")) {
        SeamSpec seam = read_seam(reader, scene);
        settle_name(seam.params.name, "seam", taken.size(), taken, reader);
        taken.push_back(seam.params.name);
        scene.seams.push_back(std::move(seam));
    }
}

}  // namespace taut::scene
