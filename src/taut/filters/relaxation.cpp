#include "taut/filters/relaxation.hpp"

#include <algorithm>
#include <cmath>

#include "taut/base/parallel.hpp"
#include "taut/base/random.hpp"
#include "taut/filters/step_points.hpp"

namespace taut::filters {
namespace {

// A search gives up below this part of a move: what is left is rounding.
constexpr double least_part = 1e-4;

// Moves of single particles know nothing of their neighbours'. What they share grows again by this factor
// after a sweep that lowered the energy.
constexpr double growth = 1.25, largest_step = 2;

// Sweeps after which single particles look at their stiffness again: it changes little within so many.
constexpr int sweeps_between_looks = 8;

// What a random displacement has along the cloth, against what it has across.
constexpr double along = 0.2;

// Newton steps that stay within reach need less damping, down to this part of that which keeps them there.
constexpr double least_damping = 1e-6;

// Added to the stiffness of particles, as part of the mean and where there is none [N/m].
constexpr double least_stiffness = 1e-8, none_at_all = 1e-12;

std::uint64_t state_of(const std::vector<double>& memory) {
    return (std::uint64_t(memory[0]) << 32) | std::uint64_t(memory[1]);
}

void keep_state(std::uint64_t state, std::vector<double>& memory) {
    memory[0] = double(state >> 32);
    memory[1] = double(state & 0xffffffffULL);
}

}  // namespace

void describe(ParamList& list, RelaxationParams& params) {
    list.choice("method", params.method, {"gradient", "newton"},
                "Every particle along its own force, or all together by sparse Newton steps.");
    list.integer("iterations", params.iterations, "1", between(1, 1000000), "Most sweeps in one step.");
    list.number("tolerance", params.tolerance, "1", between(0, 1),
                "Ends once no particle moves farther in a sweep, part of its shortest edge.");
    list.number("max_move", params.max_move, "1", between(1e-6, 10),
                "Most that a particle moves in a sweep, part of its shortest edge.");
    list.number("noise", params.noise, "1", between(0, 1),
                "Random displacement before a sweep, mostly across the cloth, part of the shortest edge.");
    list.number("noise_decay", params.noise_decay, "1", between(0, 1),
                "What is left of the noise from one sweep of a step to the next.");
    list.number("noise_fade", params.noise_fade, "1/s", non_negative(),
                "Rate at which the noise fades from step to step.");
    list.integer("seed", params.seed, "1", between(0, 2147483647), "Of the random displacements.");
}

Relaxation::Relaxation(Params params) : params_(std::move(params)) {}

std::vector<MemoryBlock> Relaxation::memory() { return {{"relaxation.random", &random_}}; }

void Relaxation::prepare(const Model& model) {
    model_ = &model;
    forces_.clear();
    analysed_for_.clear();
    random_ = {0, double(params_.seed), 1};

    // Vertices without an edge reach as far as the shortest of all.
    constexpr double none = 1e300;
    reach_.assign(model.rest.size(), none);
    double shortest = none;
    for (std::size_t e = 0; e < model.edges.size(); ++e) {
        const double length = model.rest_length[e];
        for (int v : {model.edges[e].a, model.edges[e].b})
            reach_[std::size_t(v)] = std::min(reach_[std::size_t(v)], length);
        shortest = std::min(shortest, length);
    }
    for (double& reach : reach_) {
        if (reach == none) reach = shortest == none ? 1 : shortest;
    }
    still_.assign(model.rest.size(), Vec3::Zero());
}

// Makes the pattern of the forces, once.
void Relaxation::meet_forces(const StepContext& context) {
    const auto same = [](const Force* a, const std::unique_ptr<Force>& b) { return a == b.get(); };
    if (std::equal(forces_.begin(), forces_.end(), context.relax.begin(), context.relax.end(), same)) return;
    forces_.clear();
    std::vector<linalg::Triplet> triplets;
    std::vector<std::array<int, 2>> pairs;
    for (const auto& force : context.relax) {
        forces_.push_back(force.get());
        if (force->has_hessian()) {
            force->add_pattern(pairs);
        } else {
            force->add_stiffness(triplets);
        }
    }
    stiffness_ = linalg::SymmetricCsr();
    if (!triplets.empty()) stiffness_ = linalg::SymmetricCsr(model_->vertex_count(), triplets);
    if (!stiffness_.empty()) linalg::append_pairs(stiffness_, pairs);
    matrix_.set_pattern(model_->vertex_count(), pairs);
    analysed_for_.clear();
}

double Relaxation::energy() const {
    double sum = 0;
    for (const Force* force : forces_) sum += force->energy(trial_);
    return sum;
}

void Relaxation::evaluate(const StepContext& context) {
    f_.assign(x_.size(), Vec3::Zero());
    for (const Force* force : forces_) force->add_force({x_, still_, context.time_end()}, f_);
    for (std::size_t i = 0; i < f_.size(); ++i) {
        if (context.pinned[i]) f_[i].setZero();
    }
}

void Relaxation::assemble(const StepContext& context) {
    matrix_.clear();
    if (!stiffness_.empty()) matrix_.add_scalar(stiffness_, 1);
    for (const Force* force : forces_) {
        if (force->has_hessian()) force->add_hessian({x_, still_, context.time_end()}, 1, matrix_);
    }
}

// Moves every particle along its own force, as far as its own stiffness and its reach let it.
void Relaxation::gradient_moves(const StepContext& context) {
    const auto first = matrix_.column_start();
    const auto blocks = matrix_.blocks();
    parallel_for(x_.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const double f2 = f_[i].squaredNorm(), size = std::sqrt(f2);
            move_[i].setZero();
            if (context.pinned[i] || !(f2 > 0)) continue;
            const double stiffness = f_[i].dot(blocks[std::size_t(first[i])] * f_[i]) / f2;
            move_[i] = f_[i] / (std::max(stiffness, 0.0) + size / (params_.max_move * reach_[i]));
        }
    });
}

bool Relaxation::newton_moves(const StepContext& context) {
    // Stiffen what would move too far: a force alone may then move a particle by its reach at most. What no
    // force holds gets a little, so that the matrix has an inverse.
    double stiffness = 0;
    const auto first = matrix_.column_start();
    for (std::size_t i = 0; i < x_.size(); ++i)
        stiffness += matrix_.blocks()[std::size_t(first[i])].trace() / (3 * double(x_.size()));
    const double least = least_stiffness * stiffness + none_at_all;
    for (std::size_t i = 0; i < x_.size(); ++i) {
        const double own = damping_ * f_[i].norm() / (params_.max_move * reach_[i]);
        matrix_.add(int(i), int(i), std::max(own, least) * Mat3::Identity());
    }
    if (analysed_for_ != context.pinned) {
        cholesky_.analyse(matrix_, context.pinned);
        analysed_for_ = context.pinned;
    }
    if (!cholesky_.factor(matrix_)) return false;
    cholesky_.solve(f_, move_);
    double most = 0;
    for (std::size_t i = 0; i < move_.size(); ++i)
        most = std::max(most, move_[i].norm() / (params_.max_move * reach_[i]));
    if (!std::isfinite(most)) return false;
    damping_ = std::clamp(most > 1 ? 4 * damping_ : damping_ / 4, least_damping, 1.0);
    if (most > 1) {
        for (Vec3& move : move_) move /= most;
    }
    return true;
}

// Takes the part of the moves that lowers the energy; `reached` is it before and after.
bool Relaxation::search(const StepContext& context, double& reached) {
    const bool newton = params_.method == "newton";
    for (double part = newton ? 1 : step_; part >= least_part && !context.stopping(); part *= 0.5) {
        for (std::size_t i = 0; i < x_.size(); ++i) trial_[i] = x_[i] + part * move_[i];
        const double lower = energy();
        if (!(lower <= reached)) continue;
        for (Vec3& move : move_) move *= part;
        x_.swap(trial_);
        reached = lower;
        step_ = std::min(growth * part, largest_step);
        return true;
    }
    return false;
}

double Relaxation::farthest() const {
    double most = 0;
    for (std::size_t i = 0; i < move_.size(); ++i) most = std::max(most, move_[i].norm() / reach_[i]);
    return most;
}

// Displaces particles at random, mostly across the cloth where it has faces.
void Relaxation::shake(const StepContext& context, double amplitude) {
    normal_.assign(x_.size(), Vec3::Zero());
    for (const mesh::Face& face : model_->faces) {
        const auto at = [&](int k) -> const Vec3& { return x_[std::size_t(face.corner[std::size_t(k)])]; };
        const Vec3 area = (at(2) - at(0)).cross(at(face.size() == 4 ? 3 : 2) - at(1));
        for (int k = 0; k < face.size(); ++k) normal_[std::size_t(face.corner[std::size_t(k)])] += area;
    }
    std::uint64_t state = state_of(random_);
    for (std::size_t i = 0; i < x_.size(); ++i) {
        const double across = next_signed(state);
        Vec3 any;
        for (int axis = 0; axis < 3; ++axis) any[axis] = next_signed(state);
        if (context.pinned[i]) continue;
        const double size = normal_[i].norm();
        const Vec3 way = size > 0 ? Vec3(across / size * normal_[i] + along * any) : any;
        x_[i] += amplitude * reach_[i] * way;
    }
    keep_state(state, random_);
}

void Relaxation::apply(const StepContext& context, Candidate& c, FilterReport& report) {
    if (context.relax.empty() || context.stopping()) return;
    meet_forces(context);
    end_positions(context, c, x_);
    if (!all_finite(x_)) return;
    for (Points* points : {&move_, &trial_}) points->assign(x_.size(), Vec3::Zero());
    const bool newton = params_.method == "newton";
    double noise = context.round == 0 ? params_.noise * random_[2] : 0;
    step_ = damping_ = 1;
    for (int sweep = 0; sweep < params_.iterations && !context.stopping(); ++sweep) {
        if (noise > 0) shake(context, noise);
        const bool shaken = noise > 0.01 * params_.tolerance;
        noise = shaken ? params_.noise_decay * noise : 0;
        trial_ = x_;
        double reached = energy();
        if (!std::isfinite(reached)) break;
        evaluate(context);
        if (newton || sweep % sweeps_between_looks == 0) assemble(context);
        if (newton && !newton_moves(context)) break;
        if (!newton) gradient_moves(context);
        ++report.iterations;
        const bool lowered = search(context, reached);
        if (!shaken && (!lowered || farthest() <= params_.tolerance)) break;
    }
    if (context.round == 0) random_[2] *= std::exp(-params_.noise_fade * context.dt);
    store_velocity(context, x_, c);
}

}  // namespace taut::filters
