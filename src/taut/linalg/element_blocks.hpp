// Second derivatives of many alike elements of N vertices each, computed in any order and summed into a
// BlockMatrix column by column, so that the sum has the same bits for any number of threads.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "taut/base/incidence.hpp"
#include "taut/base/parallel.hpp"
#include "taut/linalg/block_matrix.hpp"

namespace taut::linalg {

template <int N>
class ElementBlocks {
public:
    void prepare(int vertices, std::vector<std::array<int, N>> elements) {
        elements_ = std::move(elements);
        std::vector<int> members;
        members.reserve(N * elements_.size());
        for (const auto& element : elements_) members.insert(members.end(), element.begin(), element.end());
        places_ = places_of_vertices(vertices, members);
    }

    std::size_t size() const { return elements_.size(); }
    const std::array<int, N>& vertices(std::size_t e) const { return elements_[e]; }
    // Places N e + k of a vertex: corner k of element e.
    std::span<const int> places(std::size_t vertex) const { return places_.of(vertex); }

    void add_pattern(std::vector<std::array<int, 2>>& pairs) const {
        for (const auto& element : elements_) {
            for (int a = 0; a < N; ++a) {
                for (int b = 0; b < a; ++b) pairs.push_back({element[a], element[b]});
            }
        }
    }

    // matrix += sum over elements: make(e) gives what the blocks of an element are made of, and
    // block(e, made, row, column) one of them. Each column is summed by one thread, in the order of elements.
    template <class Make, class Block>
    void add(Make&& make, Block&& block, BlockMatrix& matrix) const {
        using Made = decltype(make(std::size_t{0}));
        std::vector<Made> made(elements_.size());
        parallel_for(
            elements_.size(),
            [&](std::size_t begin, std::size_t end) {
                for (std::size_t e = begin; e < end; ++e) made[e] = make(e);
            },
            block_of_elements);
        parallel_for(
            static_cast<std::size_t>(matrix.size()),
            [&](std::size_t begin, std::size_t end) {
                for (std::size_t j = begin; j < end; ++j) {
                    for (const int place : places_.of(j)) {
                        const std::size_t e = static_cast<std::size_t>(place) / N;
                        const int column = place % N;
                        for (int row = 0; row < N; ++row) {
                            const int i = elements_[e][row];
                            if (i >= static_cast<int>(j))
                                matrix.add(i, static_cast<int>(j), block(e, made[e], row, column));
                        }
                    }
                }
            },
            block_of_elements);
    }

private:
    // Elements, or vertices, per task: each costs some hundred nanoseconds.
    static constexpr std::size_t block_of_elements = 256;

    std::vector<std::array<int, N>> elements_;
    Incidence places_;
};

}  // namespace taut::linalg
