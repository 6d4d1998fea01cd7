/// HopInstance: hop-bytes, or another objective of the form DistanceSum, as nested set-partitioning problems
/// on a tree of any shape.
///
/// With distances d_1 <= ... <= d_L between cores that meet at levels 1 to L, a placement costs
///   d_L * w(V) + sum over levels k < L and groups S of level k of (d_k - d_{k+1}) * w(S),
/// where V are all vertices and w(S) is the weight of the pairs inside S. So the cost depends only on which
/// vertices share an object of the tree and on the objects' isomorphism classes. In regular trees each level
/// has one class.
#pragma once

#include <optional>
#include <vector>

#include "solvers/problem/placed_problem.hpp"
#include "solvers/problem/tree_instance.hpp"

namespace corewise {

/// Costs are multiplied by this factor, so that dual values can be fractions of a byte.
inline constexpr Cost kCostScale = 1024;

/// The vertices are the ranks in order. Weights are negated if the worst is wanted. The class of the root is
/// that of the lowest object that holds all places; classes of higher objects are left out.
struct HopInstance : TreeInstance {
  std::vector<Cost> distance;     ///< [level]; distance[0] is unused
  Cost granularity = kCostScale;  ///< scaled costs of two placements differ by a multiple of this

  /// Scaled factor (d_k - d_{k+1}) of the weight inside a group of level k < n_levels(); never positive.
  [[nodiscard]] Cost factor(int level) const { return kCostScale * (distance[level] - distance[level + 1]); }
  /// Scaled cost if all pairs meet at the root: the first term of the sum above.
  [[nodiscard]] Cost cost_at_root() const { return kCostScale * distance[n_levels()] * inside(all()); }
};

/// Empty if a core may take several ranks, if constraints other than capacities exist, if there are more than
/// 64 places, if objects have children of too many classes (ChildrenLeft), or if scaled costs exceed 62 bits.
[[nodiscard]] std::optional<HopInstance> hop_instance(const DistanceSum& form, const PlacedProblem& problem);

}  // namespace corewise
