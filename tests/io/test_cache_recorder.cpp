// Recorders: frame 0 is the start, every frame is there once, and a run that was interrupted and
// continued leaves the same bytes as one that was not.
#include "taut/io/cache_recorder.hpp"

#include "io/temporary_folder.hpp"
#include "io/tiny_simulation.hpp"
#include "taut/io/obj.hpp"

namespace taut::io {
namespace {

namespace fs = std::filesystem;
using namespace taut::tests;

std::vector<collision::Obstacle> moving_ball() {
    collision::Obstacle ball;
    ball.shape = collision::Shape::sphere;
    ball.radius = 0.1;
    ball.motion = Motion({{0, Vec3::Zero(), Vec3::Zero()}, {1, Vec3(2, 0, 0), Vec3::Zero()}}, Vec3::Zero(),
                         Interpolation::linear);
    return {ball};
}

CacheHeader header_of(const Simulation& simulation) {
    return make_cache_header(simulation, moving_ball(), {"0.1.0", "tiny", "{}"});
}

TEST(CacheRecorder, RecordsTheStartAndEveryFrame) {
    const TemporaryFolder folder;
    Simulation simulation = tiny_simulation();
    const Points start = simulation.state().x;
    CacheRecorder recorder(folder / "cache.taut", header_of(simulation));
    simulation.run({&recorder});
    CacheReader reader(folder / "cache.taut");
    ASSERT_EQ(reader.frames(), 7);
    EXPECT_EQ(reader.header().vertices, 6);
    EXPECT_EQ(reader.header().fps, 10);
    EXPECT_EQ(reader.header().tolerance, 1e6);
    EXPECT_EQ(reader.header().rest_length.size(), 5u);
    EXPECT_EQ(reader.header().cloths[1].name, "thread");
    EXPECT_EQ(reader.read(0).x, start);
    EXPECT_EQ(reader.read(6).x, simulation.state().x);
    for (long k = 0; k < 7; ++k) {
        const CacheFrame frame = reader.read(k);
        EXPECT_DOUBLE_EQ(frame.t, static_cast<double>(k) / 10);
        ASSERT_EQ(frame.obstacles.size(), 1u);
        EXPECT_NEAR(frame.obstacles[0].translation.x(), 2 * frame.t, 1e-12);
    }
}

TEST(CacheRecorder, ContinuedRunsLeaveTheSameBytes) {
    const TemporaryFolder folder;
    Simulation whole = tiny_simulation();
    CacheRecorder cache(folder / "whole.taut", header_of(whole));
    Pc2Recorder points(folder / "whole.pc2", whole.model());
    whole.run({&cache, &points});

    for (long stop_after : {1L, 4L, 7L, 12L}) {
        // Stop a run; frames of a later, lost part of it may lie behind.
        Simulation run = tiny_simulation();
        StopAfter stop(stop_after);
        {
            CacheRecorder part_cache(folder / "part.taut", header_of(run));
            Pc2Recorder part_points(folder / "part.pc2", run.model());
            run.run({&part_cache, &part_points, &stop}, [&stop] { return stop.stop; });
        }
        fs::copy_file(folder / "whole.taut", folder / "part.taut", fs::copy_options::overwrite_existing);

        // Go on with recorders that keep what counts.
        const long keep = recorded_frames(run.progress());
        EXPECT_EQ(keep, stop_after / 2 + 1);
        CacheRecorder rest_cache(folder / "part.taut", header_of(run), keep);
        Pc2Recorder rest_points(folder / "part.pc2", run.model(), keep);
        run.run({&rest_cache, &rest_points});
        EXPECT_EQ(bytes_of(folder / "part.taut"), bytes_of(folder / "whole.taut")) << stop_after;
        EXPECT_EQ(bytes_of(folder / "part.pc2"), bytes_of(folder / "whole.pc2")) << stop_after;
    }
}

TEST(CacheRecorder, RecordsEveryStep) {
    const TemporaryFolder folder;
    Simulation whole = tiny_simulation();
    CacheRecorder frames(folder / "cache.taut", header_of(whole));
    StepRecorder steps(folder / "whole.taut", header_of(whole));
    whole.run({&frames, &steps});
    CacheReader reader(folder / "whole.taut"), cache(folder / "cache.taut");
    EXPECT_EQ(reader.header().content, CacheContent::steps);
    EXPECT_EQ(cache.header().content, CacheContent::frames);
    ASSERT_EQ(reader.frames(), 13);
    for (long k = 0; k < 7; ++k) {
        EXPECT_EQ(reader.read(2 * k).x, cache.read(k).x);
        EXPECT_EQ(reader.read(2 * k).t, cache.read(k).t);
    }
    EXPECT_DOUBLE_EQ(reader.read(5).t, 0.25);
    EXPECT_NEAR(reader.read(5).obstacles[0].translation.x(), 0.5, 1e-12);

    // Stop in the middle of a frame or at its end, with lost steps behind, and go on.
    for (const long stop_after : {1L, 4L, 7L, 12L}) {
        Simulation run = tiny_simulation();
        StopAfter stop(stop_after);
        run.run({&stop}, [&stop] { return stop.stop; });
        fs::copy_file(folder / "whole.taut", folder / "part.taut", fs::copy_options::overwrite_existing);
        EXPECT_EQ(recorded_steps(run.totals()), stop_after + 1);
        StepRecorder rest(folder / "part.taut", header_of(run), recorded_steps(run.totals()));
        run.run({&rest});
        EXPECT_EQ(bytes_of(folder / "part.taut"), bytes_of(folder / "whole.taut")) << stop_after;
    }
}

TEST(CacheRecorder, WritesObjFrames) {
    const TemporaryFolder folder;
    Simulation simulation = tiny_simulation();
    ObjRecorder recorder(folder / "frames", simulation.model());
    simulation.run({&recorder});
    EXPECT_EQ(std::distance(fs::directory_iterator(folder / "frames"), fs::directory_iterator()), 7);
    const ObjMesh last = read_obj(folder / "frames/frame_00006.obj");
    EXPECT_EQ(last.points, simulation.state().x);
    EXPECT_EQ(last.mesh.faces.size(), 1u);
    EXPECT_EQ(last.mesh.lines, (std::vector<std::array<int, 2>>{{4, 5}}));
}

TEST(CacheRecorder, NoticesAFrameThatWasLeftOut) {
    const TemporaryFolder folder;
    Simulation simulation = tiny_simulation();
    CacheRecorder recorder(folder / "cache.taut", header_of(simulation));
    EXPECT_THROW(recorder.frame(simulation, 1), std::logic_error);
}

}  // namespace
}  // namespace taut::io
