// Contact rows against the quadratic program they stand for, solved by trying all active sets; friction that
// sticks and slides; momentum; and lengths that stay in their bands.
#include "taut/filters/contact_rows.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "sim/cloths.hpp"

namespace taut::filters {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double never = -1;  // a tolerance that no sweep meets

double gap(const ContactRow& row, const Points& x) {
    double sum = -row.target;
    for (std::size_t k = 0; k < 4; ++k) {
        if (row.point[k] >= 0) sum += row.weight[k] * row.normal.dot(x[std::size_t(row.point[k])]);
    }
    return sum;
}

// Rows as one matrix over all coordinates.
MatrixXd gradients(const std::vector<ContactRow>& rows, std::size_t points) {
    MatrixXd a = MatrixXd::Zero(Eigen::Index(rows.size()), Eigen::Index(3 * points));
    for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t k = 0; k < 4; ++k) {
            if (rows[r].point[k] < 0) continue;
            for (int c = 0; c < 3; ++c) {
                a(Eigen::Index(r), 3 * rows[r].point[k] + c) += rows[r].weight[k] * rows[r].normal[c];
            }
        }
    }
    return a;
}

// The solution of the program, by brute force: of all active sets the one with pushes >= 0 and no row missed.
Points reference(const std::vector<ContactRow>& rows, const std::vector<double>& inverse_mass,
                 const Points& x) {
    const auto n = Eigen::Index(3 * x.size());
    const MatrixXd a = gradients(rows, x.size());
    VectorXd w(n), b(Eigen::Index(rows.size()));
    for (Eigen::Index i = 0; i < n; ++i) w[i] = inverse_mass[std::size_t(i / 3)];
    for (std::size_t r = 0; r < rows.size(); ++r) b[Eigen::Index(r)] = -gap(rows[r], x);
    for (unsigned set = 0; set < (1u << rows.size()); ++set) {
        std::vector<Eigen::Index> active;
        for (Eigen::Index r = 0; r < Eigen::Index(rows.size()); ++r) {
            if (set >> r & 1) active.push_back(r);
        }
        VectorXd change = VectorXd::Zero(n);
        if (!active.empty()) {
            const MatrixXd own = a(active, Eigen::all);
            const VectorXd push = (own * w.asDiagonal() * own.transpose()).fullPivLu().solve(b(active));
            if (push.minCoeff() < -1e-12) continue;
            change = w.asDiagonal() * own.transpose() * push;
        }
        if ((a * change - b).minCoeff() < -1e-9) continue;
        Points result = x;
        for (Eigen::Index i = 0; i < n; ++i) result[std::size_t(i / 3)][i % 3] += change[i];
        return result;
    }
    ADD_FAILURE() << "no active set fits";
    return x;
}

// Vertex-face and edge-edge rows between points in the unit cube, that some state satisfies.
std::vector<ContactRow> random_rows(int count, int points, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> u(0, 1);
    const Points good = testing::random_points(std::size_t(points), 1, seed + 1);
    std::vector<ContactRow> rows;
    for (int r = 0; r < count; ++r) {
        ContactRow row;
        std::vector<int> order(static_cast<std::size_t>(points));
        for (int p = 0; p < points; ++p) order[std::size_t(p)] = p;
        std::shuffle(order.begin(), order.end(), random);
        for (std::size_t k = 0; k < 4; ++k) row.point[k] = order[k];
        const double s = u(random), t = u(random);
        row.weight = r % 2 ? std::array{1 - s, s, t - 1, -t} : std::array{1.0, -s * t, -s * (1 - t), s - 1};
        row.normal = testing::random_points(1, 1, seed + 100 + unsigned(r))[0].normalized();
        row.target = gap(row, good) - 0.3 * u(random);
        rows.push_back(row);
    }
    return rows;
}

ContactRows with(const std::vector<ContactRow>& rows) {
    ContactRows list;
    for (const ContactRow& row : rows) list.add(row);
    return list;
}

TEST(ContactRows, WithoutFrictionTheyAreTheClosestStateByMass) {
    for (unsigned seed = 0; seed < 40; ++seed) {
        const int points = 5 + int(seed % 4), count = 1 + int(seed % 6);
        const auto rows = random_rows(count, points, 10 * seed);
        auto inverse_mass = testing::random_numbers(std::size_t(points), 0.2, 5, seed);
        if (seed % 3 == 0) inverse_mass[0] = 0;
        const Points wanted = testing::random_points(std::size_t(points), 1, seed + 7);
        Points x = wanted;
        ContactRows list = with(rows);
        list.solve(wanted, inverse_mass, {}, never, 20000, x);
        const Points exact = reference(rows, inverse_mass, wanted);
        for (std::size_t p = 0; p < x.size(); ++p) EXPECT_LT((x[p] - exact[p]).norm(), 1e-6) << seed;
        EXPECT_TRUE(inverse_mass[0] > 0 || x[0] == wanted[0]);
        for (const ContactRow& row : list.rows()) {
            EXPECT_GE(row.push, 0);
            EXPECT_LT(row.push * std::abs(gap(row, x)), 1e-6) << "pushes only where it touches";
        }
    }
}

TEST(ContactRows, TheSameRowManyTimesIsThatRow) {
    auto rows = random_rows(1, 4, 3);
    rows[0].target += 2;
    const std::vector<double> inverse_mass{1, 2, 3, 4};
    const Points wanted = testing::random_points(4, 1, 4);
    Points once = wanted, often = wanted;
    with(rows).solve(wanted, inverse_mass, {}, 1e-12, 100, once);
    rows.resize(7, rows[0]);
    with(rows).solve(wanted, inverse_mass, {}, 1e-12, 100, often);
    for (std::size_t p = 0; p < 4; ++p) EXPECT_LT((once[p] - often[p]).norm(), 1e-12);
}

TEST(ContactRows, EndsWithinTheToleranceOrSaysHowManySweepsItTook) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        const auto rows = random_rows(6, 8, 50 + seed);
        const std::vector<double> inverse_mass(8, 1.0);
        const Points wanted = testing::random_points(8, 1, seed);
        Points x = wanted;
        ContactRows list = with(rows);
        const int sweeps = list.solve(wanted, inverse_mass, {}, 1e-4, 1000, x);
        EXPECT_LT(sweeps, 1000);
        // Of the last sweep, the rows behind may disturb those before.
        for (const ContactRow& row : rows) EXPECT_GT(gap(row, x), -1e-3);
        Points short_of = wanted;
        ContactRows again = with(rows);
        EXPECT_EQ(again.solve(wanted, inverse_mass, {}, never, 3, short_of), 3);
    }
}

TEST(ContactRows, SatisfiedRowsChangeNothing) {
    auto rows = random_rows(4, 6, 8);
    const Points x0 = testing::random_points(6, 1, 9);
    for (ContactRow& row : rows) {
        row.target += gap(row, x0) - 1e-3;
        row.friction = 1;
    }
    Points x = x0;
    const LengthBand band{0, 1, 0.5 * (x0[0] - x0[1]).norm(), 2 * (x0[0] - x0[1]).norm()};
    EXPECT_EQ(with(rows).solve(x0, std::vector<double>(6, 1.0), std::vector{band}, 1e-9, 10, x), 1);
    EXPECT_EQ(x, x0);
}

TEST(ContactRows, RowsThatNobodyCanMoveAreLeftAlone) {
    auto rows = random_rows(2, 4, 8);
    for (ContactRow& row : rows) row.target += 100;
    const Points x0 = testing::random_points(4, 1, 9);
    Points x = x0;
    EXPECT_EQ(with(rows).solve(x0, std::vector<double>(4, 0.0), {}, 1e-9, 10, x), 1);
    EXPECT_EQ(x, x0);
}

// A point of mass 1/inverse on a floor at z = 0, from the origin to (side, 0, -depth).
Points slid(double side, double depth, double friction, double inverse, const Vec3& carried = Vec3::Zero(),
            double grip = 1) {
    ContactRow row;
    row.point[0] = 0;
    row.weight[0] = 1;
    row.friction = friction;
    row.carried = carried;
    ContactRows rows;
    rows.set_grip(grip);
    rows.add(row);
    const Points start{Vec3::Zero()};
    Points x{Vec3(side, 0, -depth)};
    rows.solve(start, std::vector{inverse}, {}, 1e-12, 50, x);
    return x;
}

TEST(ContactRows, FrictionSticksInsideTheConeAndSlidesOnIt) {
    for (double inverse : {1e-3, 1.0, 1e4}) {
        for (double mu : {0.1, 0.5, 2.0}) {
            for (double side : {0.0, 0.01, 0.3}) {
                const Vec3 x = slid(side, 0.1, mu, inverse)[0];
                EXPECT_NEAR(x.z(), 0, 1e-12);
                EXPECT_NEAR(x.x(), side <= 0.1 * mu ? 0 : side - 0.1 * mu, 1e-12) << mu << ' ' << side;
            }
            // What the floor itself does is no sliding.
            EXPECT_NEAR(slid(0.3, 0.1, mu, inverse, Vec3(0.3, 0, 0))[0].x(), 0.3, 1e-12);
            EXPECT_NEAR(slid(0, 0.1, mu, inverse, Vec3(1, 0, 0.5))[0].x(), std::min(1.0, 0.1 * mu), 1e-12);
            // A share of the grip is a share of the friction.
            EXPECT_EQ(slid(0.3, 0.1, mu, inverse, Vec3::Zero(), 0.25), slid(0.3, 0.1, 0.25 * mu, inverse));
        }
    }
}

TEST(ContactRows, FrictionStaysInTheConeWhateverThePairs) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        auto rows = random_rows(5, 7, 200 + seed);
        for (ContactRow& row : rows) row.friction = 0.4;
        const auto inverse_mass = testing::random_numbers(7, 0.2, 5, seed);
        const Points start = testing::random_points(7, 1, seed + 1),
                     wanted = testing::random_points(7, 1, seed + 2);
        Points x = wanted;
        ContactRows list = with(rows);
        list.solve(start, inverse_mass, {}, never, 200, x);
        Vec3 before = Vec3::Zero(), after = Vec3::Zero();
        for (std::size_t p = 0; p < 7; ++p) {
            before += wanted[p] / inverse_mass[p];
            after += x[p] / inverse_mass[p];
        }
        EXPECT_LT((after - before).norm(), 1e-11) << "momentum";
        for (const ContactRow& row : list.rows()) {
            EXPECT_LE(row.slide.norm(), row.friction * row.push + 1e-12);
            EXPECT_NEAR(row.slide.dot(row.normal), 0, 1e-9);
        }
    }
}

TEST(ContactRows, FrictionNeverTurnsTheSlidingRound) {
    // Two points in contact, pressed and sheared: friction may stop them, not send them back.
    for (double mu : {0.05, 0.2, 0.5, 5.0}) {
        ContactRow row;
        row.point = {0, 1, -1, -1};
        row.weight = {1, -1, 0, 0};
        row.target = 0.01;
        row.friction = mu;
        ContactRows rows;
        rows.add(row);
        const Points start{Vec3(0, 0, 0.01), Vec3::Zero()};
        Points x{Vec3(0.1, 0, -0.1), Vec3(-0.1, 0, 0.1)};
        rows.solve(start, std::vector{1.0, 3.0}, {}, 1e-12, 50, x);
        const double slide = (x[0] - x[1]).x();
        EXPECT_NEAR(slide, std::max(0.0, 0.2 - mu * 0.21), 1e-9) << mu;
        EXPECT_NEAR((x[0] - x[1]).z(), 0.01, 1e-12);
    }
}

TEST(ContactRows, LengthsComeBackIntoTheirBands) {
    const Points start{Vec3::Zero(), Vec3::UnitX(), Vec3(2, 0, 0)};
    for (double stretch : {0.9, 1.5}) {
        Points x{Vec3::Zero(), Vec3(stretch, 0, 0), Vec3(2 * stretch, 0.1, 0)};
        const Points wanted = x;
        const std::vector<double> inverse_mass{1, 0.5, 2};
        const std::vector<LengthBand> bands{{0, 1, 0.99, 1.01}, {1, 2, 0.99, 1.01}};
        ContactRows none;
        EXPECT_LT(none.solve(start, inverse_mass, bands, 1e-9, 500, x), 500);
        for (const LengthBand& band : bands) {
            const double length = (x[std::size_t(band.a)] - x[std::size_t(band.b)]).norm();
            EXPECT_GE(length, band.low);
            EXPECT_LE(length, band.high);
        }
        Vec3 change = Vec3::Zero();
        for (std::size_t p = 0; p < 3; ++p) change += (x[p] - wanted[p]) / inverse_mass[p];
        EXPECT_LT(change.norm(), 1e-12);
    }
    // Between two points that are held nothing can be done.
    Points x{Vec3::Zero(), Vec3(3, 0, 0), Vec3::Zero()};
    const std::vector<LengthBand> tight{{0, 1, 0.99, 1.01}, {0, 2, 0.5, 1}};
    ContactRows none;
    none.solve(start, std::vector{0.0, 0.0, 1.0}, tight, 1e-9, 10, x);
    EXPECT_EQ(x[1], Vec3(3, 0, 0));
    EXPECT_TRUE(x[2].allFinite());
}

TEST(ContactRows, ContactsAndLengthsAreSettledTogether) {
    // A link that stands on the floor is pushed down at one end: the other gives way.
    ContactRow floor;
    floor.point[0] = 0;
    floor.weight[0] = 1;
    ContactRows rows;
    rows.add(floor);
    const Points start{Vec3::Zero(), Vec3(0, 0, 1)};
    Points x{Vec3(0, 0, -0.2), Vec3(0, 0, 0.8)};
    rows.solve(start, std::vector{1.0, 1.0}, std::vector<LengthBand>{{0, 1, 0.999, 1.001}}, 1e-9, 1000, x);
    EXPECT_NEAR(x[0].z(), 0, 1e-6);
    EXPECT_NEAR((x[1] - x[0]).norm(), 1, 1.1e-3);
}

TEST(ContactRows, LengthsThatReachFarAreNotWaitedForOnceContactsHold) {
    // A long yarn, a tenth too long, with its first point held: lengths alone would take thousands of sweeps.
    constexpr int links = 300;
    Points yarn;
    std::vector<double> inverse_mass(links + 1, 1.0);
    std::vector<LengthBand> bands;
    for (int i = 0; i <= links; ++i) yarn.emplace_back(1.1 * i, 0, 0);
    for (int i = 0; i < links; ++i) bands.push_back({i, i + 1, 0.999, 1.001});
    inverse_mass[0] = 0;
    const Points start = yarn;

    Points x = start;
    ContactRows none;
    none.set_patience(64);
    const int alone = none.solve(start, inverse_mass, bands, 1e-6, 100000, x);
    EXPECT_LT(alone, 100);
    EXPECT_LT(x.back().x(), start.back().x());

    // A wall in the way of its other end is disturbed by every sweep: sweeps go on.
    ContactRow wall;
    wall.point[0] = links;
    wall.weight[0] = 1;
    wall.normal = Vec3::UnitX();
    wall.target = start.back().x();
    x = start;
    ContactRows rows;
    rows.set_patience(64);
    rows.add(wall);
    const int against = rows.solve(start, inverse_mass, bands, 1e-6, 100000, x);
    EXPECT_GT(against, alone);
    EXPECT_NEAR(x.back().x(), wall.target, 1e-6);
}

}  // namespace
}  // namespace taut::filters
