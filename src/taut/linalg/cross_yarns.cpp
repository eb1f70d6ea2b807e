#include "taut/linalg/cross_yarns.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>

#include "taut/base/parallel.hpp"

namespace taut::linalg {
namespace {

// Vertices of a stretch. What bends across matters to tensions that are smooth along the yarn; 8, 16 and 32
// differ by 2 % in iterations on hang.
constexpr int stretch_length = 16;

// Part of the bending across that counts, where stiffness over mass is 1; falls with its square root,
// because neighbours follow a stretch that moves, the farther the stiffer they are. Chosen by trial.
constexpr double share_at_one = 1.7;

}  // namespace

template <class Real>
void CrossYarns<Real>::analyse(const SaddlePattern& pattern, std::span<const int> place) {
    stretches_.clear();
    family_.clear();
    vertex_.clear();
    hinges_.clear();
    if (!pattern.stiffness || pattern.stiffness->empty()) return;
    for (const RowChain& chain : *pattern.chains) {
        if (chain.of_yarn()) cut(pattern, chain, place);
    }
    for (const int family : {0, 1}) {
        const std::vector<int> at = stretch_at(pattern.vertices, family);
        for (const RowChain& chain : *pattern.chains) {
            if (chain.of_yarn() && chain.family != family) add_hinges(pattern, chain, at);
        }
    }
    merge_hinges();
    mean_stiffness_ = 0;
    for (double k : pattern.stiffness->diagonal()) mean_stiffness_ += k / pattern.vertices;
    inverse_mass_.assign(stretches_.size(), Real(0));
    bend_.assign(hinges_.size(), Real(0));
    move_.assign(stretches_.size() + 1, Lanes<Real>{});
    force_ = move_;
}

// Cuts a chain at its pins, and what lies between them into stretches of like length.
template <class Real>
void CrossYarns<Real>::cut(const SaddlePattern& pattern, const RowChain& chain, std::span<const int> place) {
    const int length = int(chain.vertex.size()), rows = int(chain.row.size());
    const auto push = [&](Stretch& stretch, int end, int k, int vertex) {
        if (chain.closed) k = (k + rows) % rows;
        if (k < 0 || k >= rows || place[chain.row[k]] < 0) return;
        const int head = pattern.rows->vertex[pattern.rows->start[chain.row[k]] + 1];
        stretch.place[end] = place[chain.row[k]];
        stretch.sign[end] = Real(head == vertex ? 1 : -1);
    };
    const auto free = [&](int k) { return k < length && !pattern.pinned[chain.vertex[k]]; };
    for (int from = 0; from < length; ++from) {
        if (!free(from)) continue;
        int to = from;
        while (free(to)) ++to;
        const int parts = std::max(1, (to - from + stretch_length / 2) / stretch_length);
        for (int part = 0, begin = from; part < parts; ++part) {
            const int end = from + int(std::int64_t(to - from) * (part + 1) / parts);
            Stretch stretch;
            push(stretch, 0, begin - 1, chain.vertex[begin]);
            push(stretch, 1, end - 1, chain.vertex[end - 1]);
            stretch.begin = int(vertex_.size());
            vertex_.insert(vertex_.end(), chain.vertex.begin() + begin, chain.vertex.begin() + end);
            stretch.end = int(vertex_.size());
            stretches_.push_back(stretch);
            family_.push_back(chain.family);
            begin = end;
        }
        from = to;
    }
}

// The stretch of a family each vertex lies on; pinned vertices and those on no yarn are held.
template <class Real>
std::vector<int> CrossYarns<Real>::stretch_at(int vertices, int family) const {
    std::vector<int> at(vertices, int(stretches_.size()));
    for (std::size_t s = 0; s < stretches_.size(); ++s) {
        if (family_[s] != family) continue;
        for (int k = stretches_[s].begin; k < stretches_[s].end; ++k) at[vertex_[k]] = int(s);
    }
    return at;
}

// Bending along a chain acts between the stretches of the other family that it crosses.
template <class Real>
void CrossYarns<Real>::add_hinges(const SaddlePattern& pattern, const RowChain& chain,
                                  std::span<const int> stretch_at) {
    const int length = int(chain.vertex.size()), held = int(stretches_.size());
    if (length < 3) return;
    for (int k = chain.closed ? 0 : 1; k + (chain.closed ? 0 : 1) < length; ++k) {
        const int a = chain.vertex[(k + length - 1) % length], b = chain.vertex[k],
                  c = chain.vertex[(k + 1) % length];
        const double stiffness = pattern.stiffness->coupling(a, c);
        const auto [left, right] = std::minmax(stretch_at[a], stretch_at[c]);
        const int middle = stretch_at[b];
        if (!(stiffness > 0) || (left == held && middle == held)) continue;
        hinges_.push_back({middle, left, right, stiffness});
    }
}

template <class Real>
void CrossYarns<Real>::merge_hinges() {
    const auto key = [](const Hinge& h) { return std::tie(h.middle, h.left, h.right); };
    std::stable_sort(hinges_.begin(), hinges_.end(),
                     [&](const Hinge& a, const Hinge& b) { return key(a) < key(b); });
    std::size_t count = 0;
    for (const Hinge& hinge : hinges_) {
        if (count > 0 && key(hinges_[count - 1]) == key(hinge)) {
            hinges_[count - 1].stiffness += hinge.stiffness;
        } else {
            hinges_[count++] = hinge;
        }
    }
    hinges_.resize(count);
    hinges_.shrink_to_fit();
}

template <class Real>
void CrossYarns<Real>::assemble(const SaddleSystem& system, double unit) {
    const double ratio = system.stiffness_scale * mean_stiffness_ / unit;
    const double share = std::min(1.0, share_at_one / std::sqrt(ratio)) * system.stiffness_scale / unit;
    parallel_for(stretches_.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t s = begin; s < end; ++s) {
            double mass = 0;
            for (int k = stretches_[s].begin; k < stretches_[s].end; ++k) mass += system.diagonal[vertex_[k]];
            inverse_mass_[s] = Real(unit / mass);
        }
    });
    for (std::size_t k = 0; k < hinges_.size(); ++k) bend_[k] = Real(share * hinges_[k].stiffness);
}

template <class Real>
void CrossYarns<Real>::apply(const LaneVector<Real>& gradient, const std::vector<Real>& y,
                             std::vector<Real>& t) {
    // Move every stretch by what its end rows push.
    for (std::size_t s = 0; s < stretches_.size(); ++s) {
        Lanes<Real> push{};
        for (const int end : {0, 1}) {
            const int place = stretches_[s].place[end];
            if (place >= 0) push += stretches_[s].sign[end] * y[place] * gradient[place];
        }
        move_[s] = inverse_mass_[s] * push;
    }

    // Bend the yarns that cross.
    std::fill(force_.begin(), force_.end(), Lanes<Real>{});
    for (std::size_t k = 0; k < hinges_.size(); ++k) {
        const Hinge& h = hinges_[k];
        const Lanes<Real> bend = bend_[k] * (move_[h.left] + move_[h.right] - Real(2) * move_[h.middle]);
        force_[h.left] += bend;
        force_[h.right] += bend;
        force_[h.middle] -= Real(2) * bend;
    }

    // Let the end rows feel it.
    std::fill(t.begin(), t.end(), Real(0));
    for (std::size_t s = 0; s < stretches_.size(); ++s) {
        const Lanes<Real> answer = inverse_mass_[s] * force_[s];
        for (const int end : {0, 1}) {
            const int place = stretches_[s].place[end];
            if (place < 0) continue;
            const Lanes<Real> product = gradient[place] * answer;
            t[place] += stretches_[s].sign[end] * (product[0] + product[1] + product[2]);
        }
    }
}

template class CrossYarns<float>;
template class CrossYarns<double>;

}  // namespace taut::linalg
