#include "taut/scene/run_params.hpp"

namespace taut::scene {

void describe(ParamList& list, RunParams& params) {
    // Upper bounds keep frame and tick counters well inside 64 bits.
    list.number("duration", params.duration, "s", between(0, 1e5), "Simulated time.");
    list.number("fps", params.fps, "1/s", between(0.01, 1e5), "Frames per simulated second.");
    list.number("dt", params.dt, "s", between(1e-7, 10), "Longest step; shortened to divide the frame.");
    list.integer("max_halvings", params.max_halvings, "1", between(0, 20),
                 "A missed step is tried again with half its length, at most so many times.");
    list.integer("rounds", params.rounds, "1", between(1, 1000),
                 "The chain of filters is repeated until every filter holds, at most so many times.");
    list.number("jitter", params.jitter, "m/s", between(0, 100),
                "Free vertices start with random velocities, each component up to this: to see whether a "
                "result depends on chance.");
    list.integer("seed", params.seed, "1", between(0, 1e9), "Which random velocities.");
    list.choice("strain_judged", params.strain_judged, {"end", "before_contact"},
                "Where promised strain is judged: after the whole step, or as the projection left it.");
    list.flag("stop_on_failure", params.stop_on_failure,
              "End the run at a step that cannot be saved; false: go on and report it.");
}

void describe(ParamList& list, OutputParams& params) {
    list.flag("pc2", params.pc2, "Write the animation as a PC2 point cache as well.");
    list.flag("obj", params.obj, "Write every frame as an OBJ file as well.");
    list.flag("cache_steps", params.cache_steps,
              "Write every step into steps.taut as well, so that `taut verify` can check the way between.");
    list.integer("checkpoint_frames", params.checkpoint_frames, "1", between(0, 1e6),
                 "Frames between two checkpoints; 0: none.");
}

void describe(ParamList& list, PreviewParams& params) {
    list.integer("frame", params.frame, "1", between(-1, 1e9), "Frame shown; -1: the last.");
    describe(list, params.picture);
}

}  // namespace taut::scene
