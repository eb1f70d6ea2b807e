#include "taut/integrators/solid_contacts.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "taut/base/parallel.hpp"

namespace taut::integrators {
namespace {

using collision::Obstacle;

// Vertices are set down this far above the thickness [m], so that filters behind do not find them below it.
constexpr double rounding_margin = 2e-9;

// A vertex this much deeper than the thickness [m] counts as inside.
constexpr double inside_margin = 1e-8;

// A vertex that friction sends back faster than this [m/s] is stopped within the step; a slower one in the
// next.
constexpr double turned_back = 0.1;

// A contact that drags its vertex along by more than this [m/s] lets go within the step; by less, in the
// next: each time costs a solve.
constexpr double dragged = 0.5;

// A vertex that would stick by so many times what friction allows slides within the step. Where it waited for
// the next, vertices stuck in turns, a third of them at any time, and held a sheet on slopes of 26 degrees
// at a coefficient of 0.3.
constexpr double overload = 1.05;

// Within the step forces decide that are so many times what the solve has left. Without that half of the
// contacts of resting cloth of 1e6 N/m let go and came back in every step, which stretched it.
constexpr double beyond_noise = 3;

// Slower than this [m/s] is as good as at rest. Vertices that friction holds back without sending them back
// so fast go on sliding: if they stuck, they would take load off others that should slide as well.
constexpr double slow_sliding = 1e-3;

// Vertices that start so many thicknesses below the surface of a mesh are set onto it, deeper ones are not.
constexpr double deepest_start = 10;

constexpr std::size_t record_size = 13;  // numbers of a contact in the memory

// Normals that share all but this part of their squares, 6 degrees, ask for the same direction: parted, a
// small difference of what they ask for would throw the vertex far along both surfaces.
constexpr double parallel_part = 1e-2;

}  // namespace

SolidContacts::SolidContacts(std::vector<Obstacle> obstacles, collision::FrictionTable friction,
                             double thickness, double release)
    : surfaces_(std::move(obstacles)),
      table_(std::move(friction)),
      thickness_(thickness),
      release_(release) {}

void SolidContacts::prepare(const Model& model) {
    contacts_.clear();
    memory_.clear();
    friction_.clear();
    cloth_of_.assign(model.rest.size(), 0);
    for (std::size_t c = 0; c < model.cloths.size(); ++c) {
        const Cloth& cloth = model.cloths[c];
        std::fill_n(cloth_of_.begin() + cloth.first_vertex, cloth.vertex_count, static_cast<int>(c));
    }
    for (std::size_t c = 0; c < std::max<std::size_t>(1, model.cloths.size()); ++c) {
        collision::Body body;
        if (c < model.cloths.size()) body.name = model.cloths[c].name;
        for (const Obstacle& obstacle : surfaces_.obstacles())
            friction_.push_back(collision::friction_on(body, obstacle, table_));
    }
}

// Fills in what the step needs from the surface below the vertex.
void SolidContacts::settle(const StepContext& context, Contact& contact, const Foot& below) const {
    const int o = contact.obstacle;
    const auto i = static_cast<std::size_t>(contact.vertex);
    const Vec3& x = context.start->x[i];
    const double dt = context.dt;
    const Anchor& anchor = contact.sticking ? contact.anchor : below.anchor;
    const Vec3 end = surfaces_.at(o, anchor, true);
    contact.normal = below.normal;
    contact.velocity = (end - surfaces_.at(o, anchor, false)) / dt;
    contact.friction = friction_[static_cast<std::size_t>(cloth_of_[i]) * surfaces_.size() +
                                 static_cast<std::size_t>(contact.obstacle)];
    const Vec3 u = context.start->v[i] - contact.velocity;
    contact.drift = u - contact.normal.dot(u) * contact.normal;
    contact.approach = std::max(0.0, -contact.normal.dot(u));

    // Set it onto the surface, or where it sticks, besides the motion.
    const Vec3 target = end + (thickness_ + rounding_margin) * contact.normal;
    const Vec3 rest = target - x - dt * contact.velocity;
    contact.alteration = contact.sticking ? rest : Vec3(contact.normal.dot(rest) * contact.normal);
}

// Takes a contact of the last step along to where its surface has moved.
bool SolidContacts::follow(const StepContext& context, Contact& contact) const {
    const int o = contact.obstacle;
    const Vec3& x = context.start->x[static_cast<std::size_t>(contact.vertex)];
    // Let the vertex ride on the surface.
    const Anchor below = contact.sticking ? contact.anchor : surfaces_.foot(o, x).anchor;
    const Vec3 carried = x + surfaces_.at(o, below, true) - surfaces_.at(o, below, false);
    const Foot there = surfaces_.foot(o, carried);
    if (there.distance > 2 * thickness_ + inside_margin) return false;
    settle(context, contact, there);
    if (contact.drift.norm() > slow_sliding) contact.slide = contact.drift;
    contact.slide -= contact.normal.dot(contact.slide) * contact.normal;
    contact.slide.normalize();
    // Where something else has moved it away it sticks anew.
    if (contact.sticking && contact.alteration.norm() > thickness_ + inside_margin) {
        contact.anchor = there.anchor;
        settle(context, contact, there);
    }
    return true;
}

bool SolidContacts::known(int vertex, int obstacle) const {
    const auto found = std::lower_bound(contacts_.begin(), contacts_.end(), vertex,
                                        [](const Contact& c, int v) { return c.vertex < v; });
    for (auto it = found; it != contacts_.end() && it->vertex == vertex; ++it) {
        if (it->obstacle == obstacle) return true;
    }
    return false;
}

// A contact where the vertex would be inside at `p`, the end of the step, with velocity `v`.
std::optional<SolidContacts::Contact> SolidContacts::meet(const StepContext& context, int vertex,
                                                          int obstacle, const Vec3& p, const Vec3& v) const {
    if (surfaces_.at_least_away(obstacle, p) > thickness_) return {};
    const Foot there = surfaces_.foot(obstacle, p);
    if (!(there.distance < thickness_ - inside_margin)) return {};
    // What is deeper in a mesh than it can have come was there before.
    const Vec3& x = context.start->x[static_cast<std::size_t>(vertex)];
    const Vec3 carried =
        surfaces_.at(obstacle, there.anchor, true) - surfaces_.at(obstacle, there.anchor, false);
    const double reach = deepest_start * thickness_ + (p - x).norm() + carried.norm();
    if (surfaces_.is_mesh(obstacle) && there.distance < -reach) return {};
    Contact contact;
    contact.vertex = vertex;
    contact.obstacle = obstacle;
    contact.again = std::find(let_go_.begin(), let_go_.end(), std::pair(vertex, obstacle)) != let_go_.end();
    settle(context, contact, there);

    // Stick where the blow takes all sliding, by Coulomb's law for impulses.
    const Vec3 u = v - contact.velocity;
    const double approach = std::max(0.0, -contact.normal.dot(u));
    const Vec3 drift = u - contact.normal.dot(u) * contact.normal;
    contact.push = context.model->mass[static_cast<std::size_t>(vertex)] * approach / context.dt;
    contact.gain = std::max(0.0, approach - contact.approach);
    if (contact.friction > 0 && drift.norm() <= contact.friction * approach) {
        contact.sticking = true;
        contact.anchor = there.anchor;
        settle(context, contact, there);
        // Not dragged to where it would have met: only onto the surface.
        contact.alteration = contact.normal.dot(contact.alteration) * contact.normal;
    } else {
        contact.slide = drift.normalized();
    }
    return contact;
}

// Makes contacts where these ends of the step are inside.
bool SolidContacts::find(const StepContext& context, ConstPoints x_end, ConstPoints v_end) {
    constexpr std::size_t block = 512;
    const std::size_t n = x_end.size();
    std::vector<std::vector<Contact>> parts((n + block - 1) / block);
    parallel_for(
        n,
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                if (held_[i]) continue;
                for (std::size_t o = 0; o < surfaces_.size(); ++o) {
                    const int vertex = static_cast<int>(i), obstacle = static_cast<int>(o);
                    if (known(vertex, obstacle)) continue;
                    if (auto contact = meet(context, vertex, obstacle, x_end[i], v_end[i]))
                        parts[i / block].push_back(*contact);
                }
            }
        },
        block);

    // What is not below the surface itself the filters behind can set right.
    bool deep = false;
    for (const auto& part : parts) {
        for (const Contact& contact : part) {
            const Vec3& x = x_end[static_cast<std::size_t>(contact.vertex)];
            deep = deep || surfaces_.foot(contact.obstacle, x).distance < 0;
        }
        made_ += static_cast<int>(part.size());
        contacts_.insert(contacts_.end(), part.begin(), part.end());
    }
    std::stable_sort(contacts_.begin(), contacts_.end(),
                     [](const Contact& a, const Contact& b) { return a.vertex < b.vertex; });
    return deep;
}

void SolidContacts::begin(const StepContext& context, std::span<const std::uint8_t> held) {
    made_ = released_ = 0;
    contacts_.clear();
    let_go_.clear();
    if (surfaces_.empty()) return;
    surfaces_.place(context);
    const State& start = *context.start;
    held_.assign(held.begin(), held.end());
    for (std::size_t at_record = 0; at_record + record_size <= memory_.size(); at_record += record_size) {
        const auto r = std::span(memory_).subspan(at_record, record_size);
        const bool is_vertex = r[0] >= 0 && r[0] < static_cast<double>(held.size());
        if (!is_vertex || !surfaces_.has(r[1], r.subspan<4, 3>())) continue;
        Contact contact;
        contact.vertex = static_cast<int>(r[0]);
        contact.obstacle = static_cast<int>(r[1]);
        if (held[static_cast<std::size_t>(contact.vertex)]) continue;
        contact.sticking = r[2] != 0;
        contact.push = r[3];
        contact.anchor = {{static_cast<int>(r[4]), static_cast<int>(r[5]), static_cast<int>(r[6])},
                          Vec3(r[7], r[8], r[9])};
        contact.slide = Vec3(r[10], r[11], r[12]);
        if (follow(context, contact)) {
            contacts_.push_back(contact);
        } else {
            ++released_;
        }
    }

    // Make new ones where inertia leads inside.
    Points ahead(start.x.size());
    for (std::size_t i = 0; i < ahead.size(); ++i) ahead[i] = start.x[i] + context.dt * start.v[i];
    find(context, ahead, start.v);
}

void SolidContacts::apply(double h, std::span<Hold> holds, PointsView friction,
                          std::vector<linalg::RankOneRow>& rows) const {
    std::vector<const Contact*> own;
    for (std::size_t k = 0; k < contacts_.size();) {
        const int vertex = contacts_[k].vertex;
        own.clear();
        for (; k < contacts_.size() && contacts_[k].vertex == vertex; ++k) own.push_back(&contacts_[k]);
        // Let the surface that asks for most have its way first.
        const auto demand = [](const Contact* c) { return c->normal.dot(c->alteration); };
        std::stable_sort(own.begin(), own.end(),
                         [&](const Contact* a, const Contact* b) { return demand(a) > demand(b); });
        const auto stuck = std::find_if(own.begin(), own.end(), [](const Contact* c) { return c->sticking; });
        Hold& hold = holds[static_cast<std::size_t>(vertex)];
        if (stuck != own.end()) {
            hold = {Mat3::Zero(), (*stuck)->velocity, (*stuck)->alteration};
            continue;
        }
        hold = {};
        for (const Contact* contact : own) slide_along(*contact, h, hold, friction, rows);
        // Leave no rounding where three surfaces leave nothing free.
        if (hold.freedom.trace() < 0.5) hold.freedom.setZero();
    }
}

// Holds a vertex across a surface that it slides along, and slows it there.
void SolidContacts::slide_along(const Contact& contact, double h, Hold& hold, PointsView friction,
                                std::vector<linalg::RankOneRow>& rows) const {
    // Slow along its way by Coulomb's force, across it by as much viscosity.
    Vec3& force = friction[static_cast<std::size_t>(contact.vertex)];
    const double most = contact.friction * contact.push;
    linalg::RankOneRow row;
    row.vertex[0] = contact.vertex;
    row.weight[0] = 1;
    row.direction = contact.normal.cross(contact.slide);
    row.factor = h * most / std::max(contact.drift.norm(), slow_sliding);
    force -= most * contact.slide + row.factor / h * row.direction.dot(contact.drift) * row.direction;
    if (row.factor > 0) rows.push_back(row);

    // Add what this surface asks for within what is still free.
    const Vec3 within = hold.freedom * contact.normal;
    const double part = within.squaredNorm();
    if (!(part > parallel_part)) return;
    const auto add = [&](Vec3& sum, const Vec3& wanted) {
        sum += (contact.normal.dot(wanted - sum) / part) * within;
    };
    add(hold.velocity, contact.velocity);
    add(hold.alteration, contact.alteration);
    hold.freedom -= within * within.transpose() / part;
}

// Measures the contacts of one vertex: its velocity at the end of the step, and the force that holds it.
bool SolidContacts::measure(const StepContext& context, std::span<Contact> own, const Vec3& x, const Vec3& v,
                            const Vec3& force) const {
    // Part the force among the normals.
    Eigen::Matrix<double, 3, Eigen::Dynamic> normals(3, static_cast<Eigen::Index>(own.size()));
    for (std::size_t k = 0; k < own.size(); ++k) normals.col(static_cast<Eigen::Index>(k)) = own[k].normal;
    const Eigen::VectorXd pushes =
        own.size() == 1
            ? Eigen::VectorXd::Constant(1, own[0].normal.dot(force))
            : Eigen::VectorXd(normals.completeOrthogonalDecomposition().solve(Eigen::VectorXd(force)));
    bool stopped = false;
    for (std::size_t k = 0; k < own.size(); ++k) {
        Contact& contact = own[k];
        const double push = pushes[static_cast<Eigen::Index>(k)];
        contact.push = std::max(0.0, push);
        contact.pull = std::max(0.0, -push);
        contact.hold = force - contact.normal.dot(force) * contact.normal;
        const Vec3 u = v - contact.velocity;
        contact.sliding = u - contact.normal.dot(u) * contact.normal;
        contact.solved = true;
        const double mass = context.model->mass[static_cast<std::size_t>(contact.vertex)];
        const double slack = release_ * mass + beyond_noise * noise_;
        const bool torn = contact.sticking && !contact.turned &&
                          contact.hold.norm() > overload * contact.friction * contact.push + slack;
        const bool back =
            !contact.sticking && !contact.turned && contact.sliding.dot(contact.slide) < -turned_back;
        if (!torn && !back) continue;

        // Let it slide, or stop it where it started, on the surface.
        const Foot below = surfaces_.foot(contact.obstacle, x);
        contact.sticking = back;
        contact.turned = true;
        if (torn) contact.slide = -contact.hold.normalized();
        contact.anchor = below.anchor;
        settle(context, contact, below);
        contact.alteration = contact.normal.dot(contact.alteration) * contact.normal;
        contact.solved = false;
        stopped = true;
    }
    return stopped;
}

bool SolidContacts::revise(const StepContext& context, ConstPoints v, ConstPoints x, ConstPoints force,
                           double noise) {
    if (surfaces_.empty()) return false;
    noise_ = noise;
    bool stopped = false;
    for (std::size_t k = 0; k < contacts_.size();) {
        const auto i = static_cast<std::size_t>(contacts_[k].vertex);
        std::size_t end = k;
        while (end < contacts_.size() && contacts_[end].vertex == static_cast<int>(i)) ++end;
        stopped = measure(context, {&contacts_[k], end - k}, x[i], v[i], force[i]) || stopped;
        k = end;
    }
    return drop_dragging(context) || find(context, x, v) || stopped;
}

// Lets go of contacts that drag vertices along, each once in a step.
bool SolidContacts::drop_dragging(const StepContext& context) {
    const std::size_t before = contacts_.size();
    std::erase_if(contacts_, [&](const Contact& contact) {
        const double mass = context.model->mass[static_cast<std::size_t>(contact.vertex)];
        const double least = dragged * mass / context.dt + beyond_noise * noise_;
        if (contact.again || !(contact.pull > least)) return false;
        let_go_.emplace_back(contact.vertex, contact.obstacle);
        return true;
    });
    released_ += static_cast<int>(before - contacts_.size());
    return contacts_.size() < before;
}

// Decides what a contact is in the next step; false: it lets go.
bool SolidContacts::decide(const StepContext& context, const Vec3& x_end, Contact& contact) const {
    const double mass = context.model->mass[static_cast<std::size_t>(contact.vertex)];
    if (!contact.solved) {
        // Expect as strong a force on top of the blow as has driven it there.
        contact.push += mass * contact.gain / context.dt;
        return true;
    }
    const double slack = release_ * mass;
    if (contact.pull > slack) return false;
    if (contact.sticking) {
        if (contact.hold.norm() > contact.friction * contact.push + slack) {
            contact.sticking = false;
            contact.slide = -contact.hold.normalized();
        }
    } else if (contact.sliding.dot(contact.slide) < -slow_sliding) {
        contact.sticking = true;
        contact.anchor = surfaces_.foot(contact.obstacle, x_end).anchor;
    }
    // The blow does not come again.
    contact.push = std::max(0.0, contact.push - mass * contact.approach / context.dt);
    return true;
}

void SolidContacts::finish(const StepContext& context, ConstPoints x_end) {
    const std::size_t before = contacts_.size();
    std::erase_if(contacts_, [&](Contact& contact) {
        return !decide(context, x_end[static_cast<std::size_t>(contact.vertex)], contact);
    });
    released_ += static_cast<int>(before - contacts_.size());
    memory_.clear();
    memory_.reserve(record_size * contacts_.size());
    for (const Contact& c : contacts_) {
        memory_.insert(memory_.end(), {double(c.vertex), double(c.obstacle), c.sticking ? 1.0 : 0.0, c.push,
                                       double(c.anchor.corner[0]), double(c.anchor.corner[1]),
                                       double(c.anchor.corner[2]), c.anchor.place.x(), c.anchor.place.y(),
                                       c.anchor.place.z(), c.slide.x(), c.slide.y(), c.slide.z()});
    }
}

ContactCounts SolidContacts::counts() const {
    ContactCounts counts{static_cast<int>(contacts_.size()), 0, made_, released_};
    for (const Contact& contact : contacts_) counts.sticking += contact.sticking ? 1 : 0;
    return counts;
}

}  // namespace taut::integrators
