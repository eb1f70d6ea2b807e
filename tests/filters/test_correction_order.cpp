// The order of corrections: Algorithm 1 written out on the indices of a hanging grid, what holds for any
// mesh, shapes that turn, lie flat or have no yarns.
#include "taut/filters/correction_order.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <set>
#include <tuple>

#include "sim/cloths.hpp"

namespace taut::filters::correction_order_tests {
namespace {

using Kinds = std::array<SpringKind, 3>;
using Step = std::tuple<int, int, SpringKind>;  // from, to, kind

constexpr auto horizontal = SpringKind::horizontal, vertical = SpringKind::vertical,
               shear = SpringKind::shear;
const std::vector<Kinds> all_kinds{{horizontal, vertical, shear}, {vertical, horizontal, shear},
                                   {horizontal, shear, vertical}, {vertical, shear, horizontal},
                                   {shear, horizontal, vertical}, {shear, vertical, horizontal}};
const Vec3 gravity(0, 0, -1);

// Row j of a sheet j cells below the first.
Points hanging(const Points& flat) {
    Points x;
    for (const Vec3& p : flat) x.emplace_back(p.x(), 0, -p.y());
    return x;
}

std::vector<std::uint8_t> flags(std::size_t n, const std::vector<int>& fixed) {
    std::vector<std::uint8_t> result(n, 0);
    for (int v : fixed) result[std::size_t(v)] = 1;
    return result;
}

// One order with all that went into it.
struct Order {
    Order(Model model_, Points shape, const std::vector<int>& fixed_, CorrectionRules rules_ = {},
          const std::vector<Vec3>& down = {gravity}, const std::vector<int>& cloth_of = {})
        : model(std::move(model_)),
          x(std::move(shape)),
          fixed(flags(model.rest.size(), fixed_)),
          rules(rules_) {
        springs.prepare(model);
        list = correction_order(springs, {x, down, fixed, cloth_of}, rules, spring_of);
    }
    std::vector<Step> steps() const {
        std::vector<Step> result;
        for (const Correction& c : list) result.emplace_back(c.from, c.to, c.kind);
        return result;
    }
    // How far a correction leads down, by its length [1].
    double slope(const Correction& c) const {
        const Vec3 d = x[std::size_t(c.to)] - x[std::size_t(c.from)];
        return d.dot(gravity) / d.norm();
    }
    std::vector<int> visits() const {
        std::vector<int> count(x.size(), 0);
        for (const Correction& c : list) ++count[std::size_t(c.to)];
        return count;
    }

    Model model;
    Points x;
    std::vector<std::uint8_t> fixed;
    CorrectionRules rules;
    ClothSprings springs;
    std::vector<Correction> list;
    std::vector<int> spring_of;
};

Order hung(int nu, int nv, const std::vector<int>& fixed, CorrectionRules rules = {}) {
    const Model model = testing::sheet(nu, nv);
    return {model, hanging(model.rest), fixed, rules};
}

// Algorithm 1 as the paper has it, on columns i and rows j, with nothing but indices; a goal is queued at
// every visit, or at its first alone.
class LiteralGrid {
public:
    LiteralGrid(int nu, int nv, std::set<int> fixed, CorrectionRules rules)
        : nu_(nu), nv_(nv), fixed_(std::move(fixed)), rules_(rules) {}

    std::vector<Step> order() {
        for (int v : fixed_) {
            queue_.push_back(v);
            if (!rules_.synchronous) drain();
        }
        drain();
        return list_;
    }

private:
    void drain() {
        while (!queue_.empty()) {
            const int v = queue_.front();
            queue_.pop_front();
            for (SpringKind kind : rules_.kinds) {
                for (const auto& [di, dj] : directions(kind)) expand(v, v % nu_ + di, v / nu_ + dj, kind);
            }
        }
    }
    // Sideways, downwards, and obliquely downwards.
    static std::vector<std::array<int, 2>> directions(SpringKind kind) {
        if (kind == horizontal) return {{-1, 0}, {1, 0}};
        if (kind == vertical) return {{0, 1}};
        return {{-1, 1}, {1, 1}};
    }
    void expand(int from, int i, int j, SpringKind kind) {
        if (i < 0 || i >= nu_ || j < 0 || j >= nv_) return;
        const int goal = j * nu_ + i;
        if (fixed_.contains(goal) || count_[goal] == rules_.visits) return;
        if (count_[goal]++ == 0 || rules_.every_visit) queue_.push_back(goal);
        list_.emplace_back(from, goal, kind);
    }

    int nu_, nv_;
    std::set<int> fixed_;
    CorrectionRules rules_;
    std::map<int, int> count_;
    std::deque<int> queue_;
    std::vector<Step> list_;
};

TEST(CorrectionOrder, IsAlgorithm1OnAHangingGrid) {
    const int nu = 9, nv = 7;
    std::vector<int> top;
    for (int i = 0; i < nu; ++i) top.push_back(i);
    for (const std::vector<int>& fixed :
         {std::vector<int>{0, 8}, {4}, {0}, top, {0, 8, 54, 62}, {3, 20, 41}, {62}, {}}) {
        for (const Kinds& kinds : all_kinds) {
            for (int variant : {0, 1, 2, 3}) {
                for (int visits : {1, 2, 3, 4}) {
                    CorrectionRules rules;
                    rules.kinds = kinds, rules.visits = visits;
                    rules.synchronous = variant % 2 == 0, rules.every_visit = variant / 2 == 0;
                    LiteralGrid literal(nu, nv, {fixed.begin(), fixed.end()}, rules);
                    EXPECT_EQ(hung(nu, nv, fixed, rules).steps(), literal.order())
                        << fixed.size() << " fixed, " << visits << " visits";
                }
            }
        }
    }
}

// From left to right along the first row, and every row below it the same: by hand.
TEST(CorrectionOrder, ThreeByTwoByHand) {
    CorrectionRules once;
    once.visits = 1;
    const std::vector<Step> wanted{
        {0, 1, horizontal}, {0, 3, vertical}, {0, 4, shear}, {1, 2, horizontal}, {1, 5, shear}};
    EXPECT_EQ(hung(3, 2, {0}, once).steps(), wanted);
    once.kinds = {shear, vertical, horizontal};
    const std::vector<Step> shear_first{
        {0, 4, shear}, {0, 3, vertical}, {0, 1, horizontal}, {4, 5, horizontal}, {1, 2, horizontal}};
    EXPECT_EQ(hung(3, 2, {0}, once).steps(), shear_first);
}

// All but the fixed can be reached downwards from the first row.
void expect_invariants(const Order& order) {
    std::vector<char> reached(order.fixed.begin(), order.fixed.end());
    std::set<std::pair<int, int>> seen;
    std::vector<int> visits(order.x.size(), 0);
    ASSERT_EQ(order.spring_of.size(), order.list.size());
    for (std::size_t k = 0; k < order.list.size(); ++k) {
        const Correction& c = order.list[k];
        const auto from = std::size_t(c.from), to = std::size_t(c.to);
        EXPECT_TRUE(reached[from]) << "correction " << k << " starts from nowhere";
        EXPECT_FALSE(order.fixed[to]) << k;
        EXPECT_TRUE(seen.emplace(order.spring_of[k], c.from).second) << k << " is a repetition";
        EXPECT_LE(++visits[to], order.rules.visits);
        EXPECT_GE(order.slope(c), -order.rules.level - 1e-12) << k << " leads upwards";

        // The spring joins the two, and is of the kind it is said to be.
        const ClothSpring& spring = order.springs.all()[std::size_t(order.spring_of[k])];
        EXPECT_TRUE((spring.a == c.from && spring.b == c.to) || (spring.a == c.to && spring.b == c.from));
        EXPECT_EQ(spring.shear, c.kind == shear);
        if (c.kind == vertical) {
            EXPECT_GT(order.slope(c), order.rules.level);
        }
        if (c.kind == horizontal) {
            EXPECT_LE(order.slope(c), order.rules.level + 1e-12);
        }
        reached[to] = 1;
    }

    // What a spring that leads not upwards joins to something reached is reached itself.
    for (const ClothSpring& spring : order.springs.all()) {
        for (const auto& [a, b] : {std::pair{spring.a, spring.b}, std::pair{spring.b, spring.a}}) {
            if (order.slope({a, b, horizontal}) >= -order.rules.level + 1e-12 && reached[std::size_t(a)]) {
                EXPECT_TRUE(reached[std::size_t(b)]) << a << " to " << b;
            }
        }
    }
}

TEST(CorrectionOrder, KeepsItsInvariantsOnShakenShapes) {
    for (unsigned seed : {1u, 2u, 3u}) {
        for (bool synchronous : {true, false}) {
            for (int visits : {1, 3, 100}) {
                for (double level : {0.0, 0.2, 0.5, 0.9, 1.0}) {
                    CorrectionRules rules;
                    rules.visits = visits, rules.synchronous = synchronous, rules.level = level;
                    rules.kinds = all_kinds[(seed + std::size_t(visits)) % all_kinds.size()];
                    const Model sheet = testing::sheet(8, 9);
                    expect_invariants(
                        {sheet, testing::shaken(hanging(sheet.rest), 0.08, seed), {0, 7, 30}, rules});
                    mesh::MadeMesh split = mesh::make_grid(8, 9, 1, 1);
                    split_quads(split);
                    const Model triangles = testing::model_of(split);
                    expect_invariants(
                        {triangles, testing::shaken(hanging(triangles.rest), 0.08, seed), {3}, rules});
                    const Model sleeve = testing::sleeve(9, 6);
                    expect_invariants({sleeve, testing::shaken(sleeve.rest, 0.03, seed), {1, 5}, rules});
                }
            }
        }
    }
}

TEST(CorrectionOrder, NothingFixedIsNothingCorrected) {
    EXPECT_TRUE(hung(5, 5, {}).list.empty());
    std::vector<int> all(25);
    for (int v = 0; v < 25; ++v) all[std::size_t(v)] = v;
    EXPECT_TRUE(hung(5, 5, all).list.empty());
}

// Every free vertex of a sheet that hangs by its first row is visited, at the limit where it can be.
TEST(CorrectionOrder, TwoCornersReachASheetOfThePaper) {
    const Order order = hung(41, 41, {0, 40});
    const std::vector<int> visits = order.visits();
    long total = 0;
    for (std::size_t v = 0; v < visits.size(); ++v) {
        total += visits[v];
        if (v == 0 || v == 40) continue;
        // In the first row there are two neighbours at the same height, further down at least three.
        EXPECT_EQ(visits[v], v < 41 ? 2 : 3) << v;
    }
    EXPECT_EQ(order.list.size(), std::size_t(total));
    EXPECT_EQ(order.list.size(), 2u * 39 + 3u * 40 * 41);
}

TEST(CorrectionOrder, NumbersHardlyDependOnWhatIsFixed) {
    std::vector<int> top;
    for (int i = 0; i < 41; ++i) top.push_back(i);
    const double corners = double(hung(41, 41, {0, 40}).list.size());
    EXPECT_NEAR(double(hung(41, 41, top).list.size()) / corners, 1, 0.05);
    EXPECT_NEAR(double(hung(41, 41, {20}).list.size()) / corners, 1, 0.05);
}

// A quarter turn about the vertical changes no slope.
TEST(CorrectionOrder, TurningAboutTheVerticalChangesNothing) {
    const Model model = testing::sheet(7, 8);
    const Points x = testing::shaken(hanging(model.rest), 0.05, 7);
    Points turned;
    for (const Vec3& p : x) turned.emplace_back(-p.y(), p.x(), p.z());
    EXPECT_EQ(Order(model, x, {0, 6}).steps(), Order(model, turned, {0, 6}).steps());
}

// Upside down it spreads towards the first row.
TEST(CorrectionOrder, DownIsWhereItIsSaidToBe) {
    const Model model = testing::sheet(6, 6);
    const Points x = hanging(model.rest);
    EXPECT_TRUE(Order(model, x, {30, 35}).visits()[0] == 0);
    const Order up(model, x, {30, 35}, {}, {Vec3(0, 0, 1)});
    for (int v = 0; v < 36; ++v) {
        EXPECT_EQ(up.visits()[std::size_t(v)] > 0, v != 30 && v != 35) << v;
    }
    // Sideways, along the rows: columns are level.
    const Order side(model, x, {0}, {}, {Vec3(1, 0, 0)});
    for (const Correction& c : side.list) {
        if (c.kind == vertical) {
            EXPECT_EQ(c.to, c.from + 1);
        }
        if (c.kind == horizontal) {
            EXPECT_EQ(std::abs(c.to - c.from), 6);
        }
    }
}

// Lying flat, or without any pull, nothing is up: rings about what is fixed.
TEST(CorrectionOrder, FlatSheetsSpreadInAllDirections) {
    const Model model = testing::sheet(9, 9);
    const Order flat(model, model.rest, {40});
    const Order weightless(model, hanging(model.rest), {40}, {}, {Vec3::Zero()});
    EXPECT_EQ(flat.steps(), weightless.steps());
    std::vector<int> rank(81, 100000);
    for (std::size_t k = flat.list.size(); k-- > 0;) {
        EXPECT_NE(flat.list[k].kind, vertical);
        rank[std::size_t(flat.list[k].to)] = int(k);
    }
    rank[40] = -1;
    for (int a = 0; a < 81; ++a) {
        for (int b = 0; b < 81; ++b) {
            const auto ring = [](int v) { return std::max(std::abs(v % 9 - 4), std::abs(v / 9 - 4)); };
            if (ring(a) < ring(b)) {
                EXPECT_LT(rank[std::size_t(a)], rank[std::size_t(b)]) << a << " before " << b;
            }
        }
    }
}

// Beyond the level a stretch spring counts as vertical one way, and is left out the other way.
TEST(CorrectionOrder, LevelDecidesWhatIsHorizontal) {
    const Model model = testing::chain(3);
    for (double degrees : {20.0, 29.0, 31.0, 60.0}) {
        const double a = degrees * M_PI / 180;
        const Points x{Vec3(-std::cos(a), 0, std::sin(a)), Vec3(0, 0, 0), Vec3(std::cos(a), 0, -std::sin(a))};
        const Order order(model, x, {1});
        const bool level = degrees < 30;
        ASSERT_EQ(order.list.size(), level ? 2u : 1u) << degrees;
        EXPECT_EQ(order.list.back().to, 2);
        EXPECT_EQ(order.list.back().kind, level ? horizontal : vertical) << degrees;
    }
}

TEST(CorrectionOrder, EveryClothHasItsOwnDownAndOnlyWhatIsHeldIsCorrected) {
    Model two = testing::sheet(4, 3);
    const mesh::MadeMesh more = mesh::make_grid(4, 3, 1, 1);
    append(two, {"other", more.mesh, more.net, more.rest, std::vector<double>(12, 1e-3)});
    const std::vector<int> cloth_of{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    const Points x = hanging(two.rest);
    const Order one(two, x, {0, 3}, {}, {gravity, -gravity}, cloth_of);
    for (std::size_t v = 12; v < 24; ++v) EXPECT_EQ(one.visits()[v], 0);
    EXPECT_EQ(one.steps(), hung(4, 3, {0, 3}).steps());

    // The other one falls upwards: nothing is above its first row, all is above its last.
    const Order both(two, x, {0, 3, 12}, {}, {gravity, -gravity}, cloth_of);
    for (const Correction& c : both.list) EXPECT_TRUE(c.to < 16) << c.to;
    const Order last(two, x, {20}, {}, {gravity, -gravity}, cloth_of);
    for (std::size_t v = 12; v < 24; ++v) EXPECT_EQ(last.visits()[v] > 0, v != 20) << v;
}

// Vertices on top of each other are level, and nothing is a number that is none.
TEST(CorrectionOrder, CoincidentVerticesAreLevel) {
    const Model model = testing::sheet(4, 4);
    const Order order(model, Points(16, Vec3(1, 2, 3)), {5});
    for (const Correction& c : order.list) EXPECT_NE(c.kind, vertical);
    for (int v = 0; v < 16; ++v) EXPECT_EQ(order.visits()[std::size_t(v)] > 0, v != 5);
}

// Without yarns all springs are horizontal or vertical, and all there is can be reached.
TEST(CorrectionOrder, ClothWithoutYarnsIsReached) {
    mesh::MadeMesh made = mesh::make_grid(5, 4, 1, 1);
    split_quads(made);
    Model model = testing::model_of(made);
    for (mesh::Edge& edge : model.edges) edge.direction = mesh::Direction::none;
    const Order order(model, hanging(model.rest), {0, 4});
    expect_invariants(order);
    for (int v = 0; v < 20; ++v) EXPECT_EQ(order.visits()[std::size_t(v)] > 0, v != 0 && v != 4);
    for (const Correction& c : order.list) EXPECT_NE(c.kind, shear);
}

}  // namespace
}  // namespace taut::filters::correction_order_tests
