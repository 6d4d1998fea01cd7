/// NestedCost: the least cost of a set of vertices as one group, with the best groups of all levels inside
/// it.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/exact/duals.hpp"
#include "solvers/exact/subset_table.hpp"

namespace corewise::exact {

/// Greatest weight inside both parts together when a set is divided into `size` members and the others: the
/// set's weight less its minimum cut into parts of these sizes.
/// @param size  less than the set's. Takes about a nanosecond for each way to choose the part.
[[nodiscard]] Cost weight_inside_min_bisection(const TreeInstance& instance, Subset set, int size);

class NestedCost {
 public:
  /// @param duals  [level]: feasible for the groups of that level; level 0 is all zero.
  NestedCost(const HopInstance& instance, const std::vector<Duals>& duals)
      : instance_(instance), duals_(duals), known_(instance.classes.size()) {}

  /// Cost of `set` as a group of a class: its level and those below. Each is computed once.
  [[nodiscard]] Cost of(Subset set, int class_id);

  /// Groups of the level below that give this cost.
  [[nodiscard]] std::vector<VertexGroup> split(Subset set, int class_id);

  /// Sets enumerated so far.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  /// Least cost of dividing the remainder, if that is below `limit`; else limit.
  Cost partition(const Remainder& rest, Cost limit);
  /// Where two groups of level 1 are left: the size of one of them; else 0.
  [[nodiscard]] int size_of_bisection(const Remainder& rest) const;
  [[nodiscard]] const std::vector<std::pair<int, int>>& children(const Remainder& rest) const {
    return instance_.classes[rest.class_id].children;
  }
  /// Calls use(child, group) for the groups that can hold the lowest vertex, until use returns false.
  template <typename Use>
  void for_each_group(const Remainder& rest, Use use) const;

  const HopInstance& instance_;
  const std::vector<Duals>& duals_;
  std::vector<SubsetTable> known_;  ///< [class]
  std::uint64_t steps_ = 0;
};

}  // namespace corewise::exact
