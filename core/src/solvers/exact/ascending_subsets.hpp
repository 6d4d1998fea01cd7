/// AscendingSubsets: depth-first enumeration of all subsets of one size with their costs.
#pragma once

#include <array>
#include <limits>

#include "solvers/problem/cost.hpp"
#include "solvers/problem/subset.hpp"

namespace corewise::exact {

struct CostedSubset {
  Cost cost = std::numeric_limits<Cost>::max() / 4;
  Subset members = 0;  ///< 0: no subset
};

/// Members are chosen in ascending order. A subset costs `base` plus the costs of its members and pairs.
///
/// The Visitor must have these functions:
///   bool cut_off(int depth, int first, Cost cost, const Row& joining)
///     whether to skip all subsets that add size - depth vertices from `first` on to members of this cost;
///   CostedSubset last(int first, const Row& joining, const Row& pair, Cost cost, Subset members)
///     the cheapest subset with one more vertex v from `first` on, which adds joining[v] + pair[v];
///   void found(int v, const CostedSubset& best)
///     receives the best subset with the current members and v.
template <typename Visitor>
class AscendingSubsets {
 public:
  using Row = std::array<Cost, kMostPlaces>;

  AscendingSubsets(int n, int size, Visitor& visitor) : n_(n), size_(size), visitor_(visitor) {}

  /// The costs of a vertex and of a pair, to be set before run().
  Cost& vertex(int v) { return joining_[0][v]; }
  Cost& pair(int u, int v) { return pair_[u][v]; }

  /// @param last_first  the greatest vertex that is tried as the first member.
  CostedSubset run(Cost base, int last_first) {
    if (size_ == 1) return visitor_.last(0, joining_[0], kZero, base, 0);
    return descend(0, 0, last_first, base, 0);
  }

 private:
  static constexpr Row kZero{};

  CostedSubset descend(int depth, int first, int last, Cost cost, Subset members) {
    CostedSubset best;
    if (visitor_.cut_off(depth, first, cost, joining_[depth])) return best;
    const Row& joining = joining_[depth];
    Row& next = joining_[depth + 1];
    for (int v = first; v <= last; ++v) {
      CostedSubset found;
      const Subset with_v = members | Subset{1} << v;
      if (depth + 2 == size_) {
        found = visitor_.last(v + 1, joining, pair_[v], cost + joining[v], with_v);
      } else {
        for (int u = v + 1; u < n_; ++u) next[u] = joining[u] + pair_[v][u];
        found = descend(depth + 1, v + 1, n_ - (size_ - depth - 1), cost + joining[v], with_v);
      }
      visitor_.found(v, found);
      if (found.cost < best.cost) best = found;
    }
    return best;
  }

  int n_;
  int size_;
  Visitor& visitor_;
  std::array<Row, kMostPlaces> pair_;     // [u][v]
  std::array<Row, kMostPlaces> joining_;  // [depth][v] cost that v would add to the members chosen so far
};

}  // namespace corewise::exact
