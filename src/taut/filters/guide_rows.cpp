#include "taut/filters/guide_rows.hpp"

#include <cmath>

namespace taut::filters {

void GuideRows::start(const StepContext& context, bool rows_taken) {
    guided_.clear();
    index_.clear();
    held_.assign(context.pinned.begin(), context.pinned.end());
    time_start_ = context.start->t, time_end_ = context.time_end();
    if (!rows_taken) return;
    for (const Guide& guide : context.model->guides) {
        if (!guide.holds(time_start_)) continue;
        for (const int vertex : guide.vertices) {
            const auto i = static_cast<std::size_t>(vertex);
            if (!context.pinned[i]) guided_.push_back({i, &guide, {}});
        }
    }
    if (guided_.empty()) return;
    index_.assign(context.pinned.size(), -1);
    for (std::size_t k = 0; k < guided_.size(); ++k) {
        index_[guided_[k].vertex] = static_cast<int>(k);
        held_[guided_[k].vertex] = 1;
    }
}

void GuideRows::aim(ConstPoints x) {
    rows_.start.assign(1, 0);
    rows_.vertex.clear();
    rows_.gradient.clear();
    residual_.clear();
    for (Guided& own : guided_) {
        const Vec3& p = x[own.vertex];
        own.foot = own.guide->foot(p, time_start_, time_end_);

        // Take orthonormal directions across, the longest column of what is not
        // free each time.
        Mat3 across = Mat3::Identity() - own.foot.freedom;
        for (int rank = static_cast<int>(std::lround(across.trace())); rank > 0; --rank) {
            Eigen::Index longest = 0;
            across.colwise().squaredNorm().maxCoeff(&longest);
            const Vec3 n = across.col(longest).normalized();
            across -= n * (n.transpose() * across);
            rows_.vertex.push_back(static_cast<int>(own.vertex));
            rows_.gradient.push_back(n);
            rows_.start.push_back(static_cast<int>(rows_.vertex.size()));
            residual_.push_back(n.dot(p - own.foot.point));
        }
    }
    change_.assign(residual_.size(), 0.0);
}

void GuideRows::aim_way(ConstPoints dx, double dt) {
    for (std::size_t r = 0; r < residual_.size(); ++r) {
        const auto i = static_cast<std::size_t>(rows_.vertex[r]);
        const GuideFoot& foot = guided_[static_cast<std::size_t>(index_[i])].foot;
        residual_[r] = rows_.gradient[r].dot(dx[i] - dt * foot.velocity);
    }
}

void GuideRows::enter(linalg::SaddleSystem& system) {
    if (empty()) return;
    system.extra = &rows_;
    system.extra_c = residual_;
    system.extra_dmu = change_;
}

void GuideRows::place(PointsView x) const {
    for (const Guided& own : guided_) x[own.vertex] = own.guide->nearest(x[own.vertex], time_end_);
}

Vec3 GuideRows::left(std::size_t i, const Vec3& f) const {
    if (index_.empty() || index_[i] < 0) return f;
    return guided_[static_cast<std::size_t>(index_[i])].foot.freedom * f;
}

void GuideRows::leave(PointsView f) const {
    for (const Guided& own : guided_) f[own.vertex] = own.foot.freedom * Vec3(f[own.vertex]);
}

}  // namespace taut::filters
