// What tests of the filter `collision` have in common: the filter on one step and in a whole simulation, and
// judgement by brute force of what it left.
#pragma once

#include "collision/touching.hpp"
#include "filters/filter_probe.hpp"
#include "taut/collision/intersections.hpp"
#include "taut/collision/pair_motion.hpp"
#include "taut/filters/collision.hpp"
#include "taut/filters/stable_projection.hpp"
#include "taut/forces/gravity.hpp"
#include "taut/integrators/symplectic_euler.hpp"
#include "taut/linalg/yarn_cg.hpp"

namespace taut::testing {

// All there is, judged without the code that moved it.
struct Judge {
    Judge(const Model& model_, std::vector<Obstacle> obstacles_)
        : obstacles(std::move(obstacles_)), surface(make_surface(model_, obstacles, 1e-3)) {}

    Points all(ConstPoints cloth, double time) const {
        Points x(cloth.begin(), cloth.end());
        x.resize(std::size_t(surface.points));
        place_obstacles(surface, obstacles, time, x);
        return x;
    }
    // Pairs of triangles that intersect, but for those of two obstacles.
    std::size_t intersections(ConstPoints cloth, double time) const {
        std::vector<int> group;
        for (const auto& t : surface.triangles) group.push_back(surface.is_cloth(t[0]) ? 0 : -1);
        collision::IntersectionSkips skips;
        skips.group = group;
        return collision::count_intersections(all(cloth, time), surface.triangles, skips);
    }
    // Pairs that touch on the straight way between two states, although they start apart.
    int crossings(ConstPoints from, double t_from, ConstPoints to, double t_to) const {
        const Points a = all(from, t_from), b = all(to, t_to);
        int count = 0;
        each_pair([&](collision::PairKind kind, const collision::PairPoints& q, double radius) {
            if (collision::closeness(kind, q, a).distance <= radius) return;
            count += collision::impact(kind, q, a, b, radius).hit;
        });
        return count;
    }
    // Least distance of any pair beyond its radii [m].
    double least_distance(ConstPoints cloth, double time) const {
        const Points x = all(cloth, time);
        double least = std::numeric_limits<double>::infinity();
        each_pair([&](collision::PairKind kind, const collision::PairPoints& q, double radius) {
            least = std::min(least, collision::closeness(kind, q, x).distance - radius);
        });
        return least;
    }
    template <class Body>
    void each_pair(Body&& body) const {
        const collision::Pairs pairs = every_pair(surface);
        const auto radius = [&](const collision::PairPoints& q) {
            return surface.body_of(q[0]).radius + surface.body_of(q[3]).radius;
        };
        for (const auto& q : pairs.vertex_face) body(collision::PairKind::vertex_face, q, radius(q));
        for (const auto& q : pairs.edge_edge) body(collision::PairKind::edge_edge, q, radius(q));
    }

    std::vector<Obstacle> obstacles;
    collision::Surface surface;
};

// The filter on one step from rest.
struct CollisionProbe : FilterProbe, Judge {
    CollisionProbe(Model model_, const std::vector<Obstacle>& obstacles_, const std::vector<int>& pins = {},
                   filters::CollisionParams params = {}, const collision::FrictionTable& table = {})
        : FilterProbe(model_, std::make_unique<filters::Collision>(params, obstacles_, table), pins),
          Judge(model_, obstacles_) {}

    FilterReport move_by(const Vec3& way) {
        Points x = start.x;
        for (Vec3& p : x) p += way;
        return apply(x);
    }
    std::size_t intersections_at_end() const { return intersections(end(), context.time_end()); }
    int crossings_on_the_way() const { return crossings(start.x, start.t, end(), context.time_end()); }
};

// A simulation of inextensible cloth under gravity with this filter last.
struct CollisionRun : Judge {
    CollisionRun(Model model_, State start, const std::vector<Obstacle>& obstacles_,
                 const collision::FrictionTable& table = {}, filters::CollisionParams params = {},
                 const Vec3& acceleration = Vec3(0, 0, -9.81),
                 const filters::StableProjectionParams& projection = {})
        : Judge(model_, obstacles_),
          simulation(make(std::move(model_), std::move(start), obstacles_, table, params, acceleration,
                          projection)) {}

    static Simulation make(Model model_, State start, const std::vector<Obstacle>& obstacles_,
                           const collision::FrictionTable& table, filters::CollisionParams params,
                           const Vec3& acceleration, const filters::StableProjectionParams& projection) {
        Pipeline pipe = pipeline(std::make_unique<integrators::SymplecticEuler>(),
                                 std::make_unique<forces::Gravity>(forces::GravityParams{acceleration}));
        pipe.filters.push_back(std::make_unique<filters::StableProjection>(
            projection, std::make_unique<linalg::YarnCg>(linalg::YarnCgParams{})));
        pipe.filters.push_back(std::make_unique<filters::Collision>(params, obstacles_, table));
        pipe.rounds = 50;
        RunSettings settings;
        settings.duration = 100;
        return Simulation(std::move(model_), std::move(start), std::move(pipe), settings);
    }
    // Runs up to a time; false if a step could not be saved.
    bool until(double time) {
        class Stop final : public Observer {
        public:
            Stop(double time_, bool& stop_) : time(time_), stop(stop_) {}
            void step(const Simulation& s, const StepReport&) override {
                if (s.state().t >= time - 1e-9) stop = true;
            }
            double time;
            bool& stop;
        };
        bool stop = false;
        Stop observer(time, stop);
        return simulation.run({&observer}, [&stop] { return stop; }) != RunOutcome::failed;
    }
    std::size_t intersections_now() const {
        return intersections(simulation.state().x, simulation.state().t);
    }
    Vec3 center() const {
        Vec3 sum = Vec3::Zero();
        for (const Vec3& p : simulation.state().x) sum += p;
        return sum / double(simulation.state().x.size());
    }
    Vec3 mean_velocity() const {
        Vec3 sum = Vec3::Zero();
        for (const Vec3& v : simulation.state().v) sum += v;
        return sum / double(simulation.state().v.size());
    }
    Simulation simulation;
};

}  // namespace taut::testing
