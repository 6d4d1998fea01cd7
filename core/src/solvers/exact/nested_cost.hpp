/// NestedCost: the least cost of a set of vertices as one group, with the best groups of all lower levels.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "solvers/exact/duals.hpp"
#include "solvers/exact/limits.hpp"

namespace corewise::exact {

/// Greatest weight inside both parts together if a set is divided into `size` members and the others: the
/// set's weight minus its least cut into parts of these sizes. Enumerates all parts, about 1 ns each.
/// @param size  less than the size of the set.
[[nodiscard]] Cost weight_inside_min_bisection(const TreeInstance& instance, Subset set, int size);

class NestedCost {
 public:
  /// @param duals  [level]: feasible for the groups of that level; level 0 is all zero.
  /// @param budget  spent in sets enumerated, but no result is cut short.
  NestedCost(const HopInstance& instance, const std::vector<Duals>& duals, StepBudget& budget)
      : instance_(instance), duals_(duals), budget_(budget), known_(instance.classes.size()) {}

  /// Least cost of `set` as a group of a class, on its level and all lower levels. Remembers results.
  [[nodiscard]] Cost of(Subset set, int class_id);

  /// Groups of the level below that give the cost of().
  [[nodiscard]] std::vector<VertexGroup> split(Subset set, int class_id);

 private:
  /// Least cost of dividing the remainder if this is below `limit`, else `limit`.
  Cost partition(const Remainder& rest, Cost limit);
  /// If two groups of level 1 remain, the size of one of them; else 0.
  [[nodiscard]] int size_of_bisection(const Remainder& rest) const;
  [[nodiscard]] const std::vector<std::pair<int, int>>& children(const Remainder& rest) const {
    return instance_.classes[rest.class_id].children;
  }
  /// Calls use(child, group) for all possible groups with the lowest vertex, until use returns false.
  template <typename Use>
  void for_each_group(const Remainder& rest, Use use) const;

  const HopInstance& instance_;
  const std::vector<Duals>& duals_;
  StepBudget& budget_;
  std::vector<std::unordered_map<Subset, Cost>> known_;  ///< [class]
};

}  // namespace corewise::exact
