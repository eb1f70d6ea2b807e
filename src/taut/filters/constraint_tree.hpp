// The hierarchy of House et al. 1996, section 3.3: rows along yarns are cut into small groups that are solved
// directly; above, every group is one constraint C_G = sum rho_i C_i with the multipliers found below as rho
// (Eq. 21), so that each parent solves a system of as many unknowns as it has children, up to one multiplier
// at the top. A pass visits every vertex of every group once per level. See docs/theory/hierarchical.md.
#pragma once

#include <span>
#include <vector>

#include "taut/filters/multiplier_rows.hpp"

namespace taut::filters {

// Rows one behind the other, of a yarn or of what stands for one.
struct ConstraintPath {
    int family = 0;  // warp, weft, or single rows
    bool closed = false;
    std::vector<int> rows;
};

struct TreeShape {
    int group_size = 8;  // rows of the lowest groups at most; 0: a whole path
    int branches = 2;    // children of a group at most
    bool above = true;   // groups above those of the lowest level
};

class ConstraintTree {
public:
    void build(const MultiplierRows& rows, std::span<const ConstraintPath> paths, const TreeShape& shape);
    // Factors the lowest groups for the rows as they are.
    void factor(const MultiplierRows& rows);
    // Multipliers for the right side b, by one pass from the lowest level to the top.
    void pass(const MultiplierRows& rows, std::span<const double> b, std::span<double> lambda);
    // The same with the lowest groups reduced to one multiplier each: rho holds what stands in for theirs.
    void pass_with(const MultiplierRows& rows, std::span<const double> b, std::span<const double> rho,
                   std::span<double> lambda);

    int levels() const { return static_cast<int>(levels_.size()); }
    int groups(int level) const { return static_cast<int>(levels_[level].nodes.size()); }
    long work(int level) const { return levels_[level].work; }  // entries that a pass visits
    std::span<const int> group_rows(int group) const;           // of a lowest group

private:
    struct Node {
        int child = 0, children = 0;  // in the level below; lowest: rows
        int entry = 0, entries = 0;   // vertices
        int pair = 0, pairs = 0;      // vertices that two children share
        int path = 0, family = 0;
        int dense = -1;     // lowest: where the factors of a group that is no chain stand
        double square = 0;  // g . W g of the group's force g
        double right = 0;   // rho . b
        double scale = 1;   // multiplier of the group
    };
    struct Pair {
        int child, other;        // within the parent
        int entry, other_entry;  // in the level below
    };
    struct Level {
        std::vector<Node> nodes;
        std::vector<int> vertex;  // of entries
        std::vector<int> up;      // entry of the level above
        std::vector<Pair> pairs;
        Points force;  // of entries
        long work = 0;
    };

    void build_lowest(const MultiplierRows& rows, std::span<const ConstraintPath> paths, int group_size);
    void add_group(const MultiplierRows& rows, std::span<const int> part, int path, int family);
    bool combine(const TreeShape& shape, bool by_path, bool by_family);
    void add_parent(Level& below, Level& level, int first, int count);
    void gather_lowest(const MultiplierRows& rows, std::span<const double> b, std::span<double> lambda);
    void gather(const MultiplierRows& rows, Level& below, Level& level);
    void climb(const MultiplierRows& rows, std::span<double> lambda);
    void solve_group(const Node& node, std::span<const double> b, std::span<double> x) const;

    std::vector<Level> levels_;
    std::vector<int> row_;                  // rows of the lowest groups
    std::vector<std::array<int, 2>> ends_;  // entries of both ends of each
    std::vector<double> pivot_, factor_;    // of chains: D, and L below the diagonal
    std::vector<double> dense_;             // of groups that are none
    std::vector<double> scratch_;
    std::vector<double> small_, small_factors_, scale_;
    std::vector<int> stamp_;  // n
    int dense_size_ = 0;
};

}  // namespace taut::filters
