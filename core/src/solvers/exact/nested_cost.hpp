/// NestedCost: what a group really costs, with the best nest of groups inside it.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/exact/duals.hpp"
#include "solvers/exact/subset_table.hpp"

namespace corewise::exact {

class NestedCost {
 public:
  /// @param duals  [level]: duals that hold for the groups of that level; level 0 is all zero.
  NestedCost(const HopInstance& instance, const std::vector<Duals>& duals)
      : instance_(instance), duals_(duals), known_(instance.classes.size()) {}

  /// Least cost of `set` as a group of a class, all levels up to it together; remembered.
  [[nodiscard]] Cost of(Subset set, int class_id);

  /// The groups of the level below that give this cost.
  [[nodiscard]] std::vector<VertexGroup> split(Subset set, int class_id);

  /// Sets looked at so far.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  /// Vertices that wait for the children that are left of one object.
  struct Rest {
    Subset set;
    const IsomorphismClass& parent;
    ChildrenLeft left;
  };

  /// Least cost of the children that are left, if below `limit`; else limit.
  Cost partition(const Rest& rest, Cost limit);
  /// Where two groups of level 1 are left: the size of one of them; else 0.
  [[nodiscard]] int size_of_half(const Rest& rest) const;
  /// Calls use(child, group) for the groups that can hold the lowest vertex, until use returns false.
  template <typename Use>
  void for_each_group(const Rest& rest, Use use) const;

  const HopInstance& instance_;
  const std::vector<Duals>& duals_;
  std::vector<SubsetTable> known_;  ///< [class]
  std::uint64_t steps_ = 0;
};

/// Calls use(T) for every T of `size` vertices with lowest(set) in T and T inside set.
/// @return false as soon as use does.
template <typename Use>
bool for_each_group_of_lowest(Subset set, int size, Use use) {
  int vertex[64];
  int n = 0;
  for_each_vertex(set, [&](int v) { vertex[n++] = v; });
  int chosen[64];  // positions of the members after the lowest, ascending
  for (int i = 0; i + 1 < size; ++i) chosen[i] = i + 1;
  while (true) {
    Subset members = Subset{1} << vertex[0];
    for (int i = 0; i + 1 < size; ++i) members |= Subset{1} << vertex[chosen[i]];
    if (!use(members)) return false;
    int i = size - 2;
    while (i >= 0 && chosen[i] == n - (size - 1) + i) --i;
    if (i < 0) return true;
    ++chosen[i];
    for (int j = i + 1; j + 1 < size; ++j) chosen[j] = chosen[j - 1] + 1;
  }
}

}  // namespace corewise::exact
