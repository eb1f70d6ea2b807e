#include "taut/scene/garments.hpp"

#include "taut/scene/garment_body.hpp"

namespace taut::scene {
namespace {

// Fewer vertices around let edges cut into the body; more than some thousands are a slip.
Range garment_count(double least) { return between(least, 4000); }

// Less is below the unevenness of the skin, more meets the arms.
Range garment_ease(double most = 0.03) { return between(0.004, most); }

const char* const ease_text = "Distance from the skin at the start.";
const char* const band_text = "Distance from the skin at the upper edge, which keeps it from sinking far.";
const char* const top_text = "Height of the upper edge above the floor.";
const char* const hem_text = "Height of the lower edge above the floor.";

}  // namespace

void describe(ParamList& list, SkirtParams& params) {
    list.integer("around", params.around, "1", garment_count(24), "Vertices of each closed ring.");
    list.integer("along", params.along, "1", garment_count(4), "Rings from the upper edge to the hem.");
    list.number("top", params.top, "m", between(1.0, 1.2), top_text);
    list.number("hem", params.hem, "m", between(lowest_outline, 1.0), hem_text);
    // Wider ones meet the hands.
    list.number("flare", params.flare, "deg", between(0, 50), "Slope of the skirt from the vertical.");
    list.number("ease", params.ease, "m", garment_ease(), ease_text);
    list.number("band_ease", params.band_ease, "m", garment_ease(), band_text);
}

void describe(ParamList& list, DressParams& params) {
    list.integer("around", params.around, "1", garment_count(24), "Vertices of each closed ring.");
    list.integer("along", params.along, "1", garment_count(8), "Rings from the upper edge to the hem.");
    list.number("top", params.top, "m", between(1.1, armpit - 0.02),
                "Height of the upper edge above the floor, under the arms and behind.");
    list.number("rise", params.rise, "m", between(0, highest_outline - armpit + 0.02),
                "How much higher the upper edge is in front.");
    list.number("hem", params.hem, "m", between(lowest_outline, 0.85), hem_text);
    list.number("flare", params.flare, "deg", between(0, 45), "Slope below the hip from the vertical.");
    list.number("ease", params.ease, "m", garment_ease(0.015), ease_text);
}

void describe(ParamList& list, PantsParams& params) {
    list.integer("vertices", params.vertices, "1", between(800, 1'000'000),
                 "Vertices wished for; made are as many as even rows allow.");
    list.number("top", params.top, "m", between(0.95, 1.15), top_text);
    list.number("hem", params.hem, "m", between(lowest_outline, 0.6), hem_text);
    list.number("flare", params.flare, "deg", between(0, 10),
                "Slope of the legs below the knee, from the vertical.");
    list.number("ease", params.ease, "m", garment_ease(), ease_text);
    list.number("band_ease", params.band_ease, "m", garment_ease(), band_text);
}

void describe(ParamList& list, ShirtPanelParams& params) {
    list.choice("side", params.side, {"front", "back"}, "Which of the two panels.");
    list.number("edge", params.edge, "m", between(0.002, 0.05), "Length of edges, about.");
    list.number("hem", params.hem, "m", between(0.75, 1.1), hem_text);
    list.number("gap", params.gap, "m", between(0.005, 1), "Distance from the body to front or back.");
}

}  // namespace taut::scene
