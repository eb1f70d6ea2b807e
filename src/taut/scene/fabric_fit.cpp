#include "taut/scene/fabric_fit.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "taut/elements/load_path.hpp"

namespace taut::scene {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;
using elements::LoadCurve;
using Column = std::vector<double>;

// A part is kept if it lowers the root mean square by this share at least: less is noise.
constexpr double least_gain = 0.02;
constexpr double good_enough = 2e-4;  // root mean square over the largest load: no laboratory measures better

// Scales of yielding and starts of stiffening, over the largest deformation. A part that yields much sooner
// than the first measured points is a step there; one that hardly yields is a spring.
constexpr double least_scale = 0.004, most_scale = 1.5;
constexpr int scales_tried = 18, starts_tried = 9;

// One part besides the spring, with its scale or start.
struct Part {
    bool yields = true;
    double place = 0;
};

// Measured paths over their largest deformation and load, and columns of the least squares.
class Fitter {
public:
    explicit Fitter(std::span<const LoadPath> paths) {
        for (const LoadPath& path : paths) {
            for (const double s : path.s) reach_ = std::max(reach_, std::abs(s));
            for (const double load : path.load) most_ = std::max(most_, std::abs(load));
        }
        for (const LoadPath& path : paths) {
            LoadPath scaled = path;
            for (double& s : scaled.s) s /= reach_;
            for (const double load : scaled.load) loads_.push_back(load / most_);
            paths_.push_back(std::move(scaled));
        }
        spring_ = column([](double s) { return s; });
    }

    LoadCurve fit() {
        constexpr double rough = 1e-3, fine = 1e-6;  // steps of refining, among parts and in the end
        std::vector<Part> parts;
        double error = error_of(columns_of(parts));
        while (error > good_enough) {
            std::vector<Part> more = with_best(parts);
            if (more.size() == parts.size()) break;
            const double lower = refine(more, rough);
            if (!(lower < (1 - least_gain) * error)) break;
            parts = std::move(more), error = lower;
        }
        refine(parts, fine);
        return curve_of(parts);
    }

private:
    template <class Load>
    Column column(Load load) const {
        Column values;
        for (const LoadPath& path : paths_) {
            for (const double s : path.s) values.push_back(load(s));
        }
        return values;
    }

    Column column_of(const Part& part) const {
        if (!part.yields) {
            return column([&](double s) {
                const double over = std::max(std::abs(s) - part.place, 0.0);
                return std::copysign(over * over, s);
            });
        }
        Column values;
        LoadCurve unit;
        unit.yielding[0] = {1, part.place};
        for (const LoadPath& path : paths_) {
            elements::LoadMemory memory;
            for (const double s : path.s) values.push_back(elements::follow(unit, memory, s).load);
        }
        return values;
    }

    std::vector<Column> columns_of(const std::vector<Part>& parts) const {
        std::vector<Column> columns{spring_};
        for (const Part& part : parts) columns.push_back(column_of(part));
        return columns;
    }

    // Root mean square that is left with these columns.
    double error_of(const std::vector<Column>& columns) const {
        const std::vector<double> x = nonnegative_least_squares(columns, loads_);
        double sum = 0;
        for (std::size_t k = 0; k < loads_.size(); ++k) {
            double miss = -loads_[k];
            for (std::size_t j = 0; j < x.size(); ++j) miss += x[j] * columns[j][k];
            sum += miss * miss;
        }
        return std::sqrt(sum / static_cast<double>(loads_.size()));
    }

    // The parts and one more, that of a coarse list that helps most; as they are where there is no room.
    std::vector<Part> with_best(const std::vector<Part>& parts) const {
        std::vector<Part> tries;
        const auto yielding =
            std::count_if(parts.begin(), parts.end(), [](const Part& p) { return p.yields; });
        if (yielding < elements::max_yielding) {
            for (int k = 0; k < scales_tried; ++k) {
                const double way = static_cast<double>(k) / (scales_tried - 1);
                tries.push_back({true, least_scale * std::pow(most_scale / least_scale, way)});
            }
        }
        if (yielding == static_cast<long>(parts.size())) {
            for (int k = 0; k < starts_tried; ++k) tries.push_back({false, 0.1 * k});
        }
        std::vector<Column> columns = columns_of(parts);
        columns.emplace_back();
        std::vector<Part> more = parts;
        double least = std::numeric_limits<double>::infinity();
        for (const Part& part : tries) {
            columns.back() = column_of(part);
            const double error = error_of(columns);
            if (!(error < least)) continue;
            least = error;
            more.resize(parts.size());
            more.push_back(part);
        }
        return more;
    }

    // Moves scales and starts one after the other while that helps, in ever smaller steps.
    double refine(std::vector<Part>& parts, double last_step) const {
        constexpr double first_step = 0.25;  // of the logarithm of a scale
        constexpr int most_rounds = 40;      // per size of step
        std::vector<Column> columns = columns_of(parts);
        double error = error_of(columns);
        for (double step = first_step; step > last_step; step *= 0.5) {
            bool moved = true;
            for (int round = 0; moved && round < most_rounds; ++round) {
                moved = false;
                for (std::size_t k = 0; k < parts.size(); ++k) {
                    for (const double way : {step, -step})
                        moved |= move(parts[k], way, columns, k + 1, error);
                }
            }
        }
        return error;
    }

    // Moves one part and its column, where that lowers the error.
    bool move(Part& part, double way, std::vector<Column>& columns, std::size_t at, double& error) const {
        constexpr double latest = 0.95;  // start of stiffening
        Part moved = part;
        moved.place = part.yields ? std::clamp(part.place * std::exp(way), least_scale, most_scale)
                                  : std::clamp(part.place + 0.3 * way, 0.0, latest);
        Column column = column_of(moved);
        std::swap(columns[at], column);
        const double now = error_of(columns);
        if (now < error) {
            part = moved, error = now;
            return true;
        }
        std::swap(columns[at], column);
        return false;
    }

    LoadCurve curve_of(std::vector<Part> parts) const {
        std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.place < b.place; });
        const std::vector<double> x = nonnegative_least_squares(columns_of(parts), loads_);
        LoadCurve curve;
        curve.slope = x[0] * most_ / reach_;
        std::size_t next = 0;
        for (std::size_t k = 0; k < parts.size(); ++k) {
            if (x[k + 1] == 0) continue;
            if (parts[k].yields) {
                curve.yielding[next++] = {x[k + 1] * most_, parts[k].place * reach_};
            } else {
                curve.stiffening = x[k + 1] * most_ / (reach_ * reach_);
                curve.start = parts[k].place * reach_;
                curve.end = reach_;
            }
        }
        return curve;
    }

    std::vector<LoadPath> paths_;
    Column loads_, spring_;
    double reach_ = 0, most_ = 0;
};

void add_miss(FitError& error, double miss) {
    error.rms += miss * miss;
    error.largest = std::max(error.largest, std::abs(miss));
    ++error.points;
}

void finish(FitError& error, double most) {
    if (error.points == 0 || !(most > 0)) return;
    error.rms = std::sqrt(error.rms / error.points) / most;
    error.largest /= most;
}

// Lawson and Hanson's method: columns with a positive part are free, the others hold at 0.
class ActiveSet {
public:
    ActiveSet(MatrixXd a, VectorXd b) : a_(std::move(a)), b_(std::move(b)), x_(VectorXd::Zero(a_.cols())) {}

    VectorXd solve() {
        const Eigen::Index most_rounds =
            3 * a_.cols();  // each frees one; more is going to and fro in rounding
        for (Eigen::Index round = 0; round < most_rounds; ++round) {
            const Eigen::Index best = most_pulled();
            if (best < 0) break;
            free_.push_back(best);
            while (!free_.empty() && !settle()) {
            }
        }
        return x_;
    }

private:
    // The column at 0 that would lower the error most, or -1.
    Eigen::Index most_pulled() const {
        const VectorXd pull = a_.transpose() * (b_ - a_ * x_);
        double most = 1e-12 * b_.norm();
        Eigen::Index best = -1;
        for (Eigen::Index j = 0; j < a_.cols(); ++j) {
            if (pull[j] <= most || std::find(free_.begin(), free_.end(), j) != free_.end()) continue;
            best = j, most = pull[j];
        }
        return best;
    }

    // Goes towards the solution among the free columns, and holds what would fall below 0. True: none would.
    bool settle() {
        const auto count = static_cast<Eigen::Index>(free_.size());
        MatrixXd part(a_.rows(), count);
        for (Eigen::Index k = 0; k < count; ++k) part.col(k) = a_.col(free_[static_cast<std::size_t>(k)]);
        const VectorXd wanted = part.colPivHouseholderQr().solve(b_);
        double way = 1;
        for (Eigen::Index k = 0; k < count; ++k) {
            const double from = x_[free_[static_cast<std::size_t>(k)]];
            if (wanted[k] <= 0) way = std::min(way, from > 0 ? from / (from - wanted[k]) : 0.0);
        }
        std::vector<Eigen::Index> kept;
        for (Eigen::Index k = 0; k < count; ++k) {
            const Eigen::Index j = free_[static_cast<std::size_t>(k)];
            const double from = x_[j], at = from + way * (wanted[k] - from);
            x_[j] = wanted[k] <= 0 && at <= 1e-14 * (from + 1) ? 0 : at;
            if (x_[j] > 0) kept.push_back(j);
        }
        const bool all = kept.size() == free_.size();
        free_ = std::move(kept);
        return all;
    }

    MatrixXd a_;
    VectorXd b_, x_;
    std::vector<Eigen::Index> free_;
};

}  // namespace

std::vector<double> nonnegative_least_squares(const std::vector<std::vector<double>>& columns,
                                              const std::vector<double>& b) {
    const auto n = static_cast<Eigen::Index>(columns.size()), m = static_cast<Eigen::Index>(b.size());
    MatrixXd all(m, n + 1);
    VectorXd scale(n);
    for (Eigen::Index j = 0; j < n; ++j) {
        all.col(j) = Eigen::Map<const VectorXd>(columns[static_cast<std::size_t>(j)].data(), m);
        scale[j] = all.col(j).norm();
        if (scale[j] > 0) all.col(j) /= scale[j];
    }
    all.col(n) = Eigen::Map<const VectorXd>(b.data(), m);

    // Turn many rows into as many as there are columns; lengths stay.
    if (m > n + 1) {
        const Eigen::HouseholderQR<MatrixXd> qr(all);
        all = MatrixXd(qr.matrixQR().topRows(n + 1).triangularView<Eigen::Upper>());
    }
    const VectorXd x = ActiveSet(all.leftCols(n), all.col(n)).solve();
    std::vector<double> result(columns.size());
    for (Eigen::Index j = 0; j < n; ++j)
        result[static_cast<std::size_t>(j)] = scale[j] > 0 ? std::max(x[j], 0.0) / scale[j] : 0;
    return result;
}

FitErrors fit_errors(const LoadCurve& curve, std::span<const LoadPath> paths) {
    FitErrors errors;
    double most = 0;
    for (const LoadPath& path : paths) {
        elements::LoadMemory memory;
        double farthest = 0;
        for (std::size_t k = 0; k < path.s.size(); ++k) {
            most = std::max(most, std::abs(path.load[k]));
            add_miss(errors.cycle, elements::follow(curve, memory, path.s[k]).load - path.load[k]);
            if (std::abs(path.s[k]) <= farthest) continue;
            farthest = std::abs(path.s[k]);
            add_miss(errors.out, elements::load_at(curve, path.s[k]).load - path.load[k]);
        }
    }
    finish(errors.out, most);
    finish(errors.cycle, most);
    return errors;
}

LoadCurve fit_load_curve(std::span<const LoadPath> paths) { return Fitter(paths).fit(); }

}  // namespace taut::scene
