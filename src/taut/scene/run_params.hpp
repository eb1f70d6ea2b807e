// Run and output settings of a scene: what Simulation::run needs and what a run folder shall hold.
#pragma once

#include "taut/base/parameter.hpp"
#include "taut/io/picture.hpp"

namespace taut::scene {

struct RunParams {
    double duration = 2;    // [s]
    double fps = 60;        // [1/s]
    double dt = 1.0 / 120;  // [s]
    int max_halvings = 10;
    int rounds = 50;
    double jitter = 0;  // [m/s]
    int seed = 1;
    std::string strain_judged = "end";
    bool stop_on_failure = true;
};

struct OutputParams {
    bool pc2 = false, obj = false, cache_steps = false;
    int checkpoint_frames = 30;
};

// preview.png: the frame shown, then everything the picture itself can be told.
struct PreviewParams {
    int frame = -1;
    io::PictureSettings picture;
};

void describe(ParamList& list, RunParams& params);
void describe(ParamList& list, OutputParams& params);
void describe(ParamList& list, PreviewParams& params);

}  // namespace taut::scene
