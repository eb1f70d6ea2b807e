// The shape of the mannequin at rest, as a function in space that is negative inside the body and near the
// skin about the distance to it [m]: columns of elliptic cross sections (torso, head, arms, hands, legs,
// feet) and ellipsoids, joined by smooth unions (the cubic blend of Quilez 2013). A dancer of 1.75 m, arms
// 36 degrees from the body, legs apart; x to her left, looking along -y, soles on z = 0.
#pragma once

#include <vector>

#include "taut/base/vec.hpp"

namespace taut::collision {

// A cross section of a column, across its axis.
struct ColumnSection {
    double along;                // place on the axis [m]
    double center_u, center_v;   // [m]
    double half_u, front, back;  // half width; depth towards -v and +v [m]
};

// Ellipses along an axis with smooth (C2) radii, closed by half ellipsoids. The axes u, v, w of the
// frame are its columns; sections are sorted along w.
class Column {
public:
    Column(const Vec3& origin, const Mat3& frame, std::vector<ColumnSection> sections, double cap_start,
           double cap_end);
    double operator()(const Vec3& p) const;  // about the distance to its surface [m]

private:
    using Row = Eigen::Array<double, 5, 1>;
    Row at(double along) const;

    Vec3 origin_;
    Mat3 frame_;
    std::vector<double> along_;
    std::vector<Row> value_, slope_;
    double cap_start_, cap_end_;
};

// The whole body, symmetric in x.
class MannequinShape {
public:
    MannequinShape();
    double operator()(const Vec3& p) const;
    // How much nearer the arm is than the torso [m].
    double arm_lead(const Vec3& p) const;
    // Length of edges that the detail asks for [m]: short at hands and feet, long on torso and thighs.
    static double edge_length(const Vec3& p);

private:
    struct Ball {
        Vec3 center, half;  // of an ellipsoid [m]
        double blend;       // width of the smooth union [m]
    };
    Column torso_, neck_, arm_, hand_, leg_, foot_;
    std::vector<Ball> balls_;
};

}  // namespace taut::collision
