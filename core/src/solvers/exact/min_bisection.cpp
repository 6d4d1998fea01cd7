/// Minimum bisection: all subsets of the smaller size, cheapest cut.
#include "solvers/exact/min_bisection.hpp"

#include <algorithm>

#include "solvers/exact/ascending_subsets.hpp"

namespace corewise::exact {
namespace {

struct CheapestCut {
  int n;  ///< vertices of the set

  static bool cut_off(int, int, Cost, const AscendingSubsets<CheapestCut>::Row&) { return false; }
  static void found(int, const CostedSubset&) {}

  CostedSubset last(int first, const auto& joining, const auto& pair, Cost cost, Subset) const {
    Cost least = CostedSubset{}.cost;
    for (int v = first; v < n; ++v) least = std::min(least, joining[v] + pair[v]);
    return {cost + least, 0};
  }
};

}  // namespace

Cost weight_inside_min_bisection(const TreeInstance& instance, Subset set, int size) {
  CheapestCut visitor{std::popcount(set)};
  size = std::min(size, visitor.n - size);
  AscendingSubsets<CheapestCut> parts(visitor.n, size, visitor);
  // A member cuts its weight to the set; of each pair inside the part both ends were counted.
  Cost weight_of_set = 0;
  int i = 0;
  for_each_vertex(set, [&](int u) {
    int j = 0;
    parts.vertex(i) = 0;
    for_each_vertex(set, [&](int v) {
      const Cost weight = u == v ? 0 : instance.between(u, v);
      parts.vertex(i) += weight;
      parts.pair(i, j++) = -2 * weight;
    });
    weight_of_set += parts.vertex(i++);
  });
  // Parts of equal size are interchangeable: the first vertex is in the one that is enumerated.
  const int last_first = 2 * size == visitor.n ? 0 : visitor.n - size;
  return weight_of_set / 2 - parts.run(0, last_first).cost;
}

}  // namespace corewise::exact
