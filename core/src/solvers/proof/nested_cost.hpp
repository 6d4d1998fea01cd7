/// NestedCost: what a group really costs, with the best nest of groups inside it.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/proof/prices.hpp"
#include "solvers/proof/subset_table.hpp"

namespace corewise::proof {

class NestedCost {
 public:
  /// @param prices  [level]: prices that hold for the groups of that level; level 0 is all zero.
  NestedCost(const HopInstance& instance, const std::vector<Prices>& prices)
      : instance_(instance), prices_(prices), known_(instance.n_levels() + 1) {}

  /// Least cost of `set` as a group of `level`, all levels up to it together; remembered.
  [[nodiscard]] Cost of(Subset set, int level);

  /// The groups of the level below that give this cost.
  [[nodiscard]] std::vector<Subset> split(Subset set, int level);

  [[nodiscard]] const Prices& prices(int level) const { return prices_[level]; }

  /// Sets looked at so far.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  /// Least cost of `rest` split into groups of `level`, if below `limit`; else limit.
  Cost partition(Subset rest, int level, Cost limit);

  const HopInstance& instance_;
  const std::vector<Prices>& prices_;
  std::vector<SubsetTable> known_;
  std::uint64_t steps_ = 0;
};

/// Calls use(T) for every T of `size` vertices with lowest(set) in T and T inside set; stops when use returns
/// false.
template <typename Use>
void for_each_group_of_lowest(Subset set, int size, Use use) {
  int vertex[64];
  int n = 0;
  for_each_vertex(set, [&](int v) { vertex[n++] = v; });
  int chosen[64];  // positions of the members after the lowest, ascending
  for (int i = 0; i + 1 < size; ++i) chosen[i] = i + 1;
  while (true) {
    Subset members = Subset{1} << vertex[0];
    for (int i = 0; i + 1 < size; ++i) members |= Subset{1} << vertex[chosen[i]];
    if (!use(members)) return;
    int i = size - 2;
    while (i >= 0 && chosen[i] == n - (size - 1) + i) --i;
    if (i < 0) return;
    ++chosen[i];
    for (int j = i + 1; j + 1 < size; ++j) chosen[j] = chosen[j - 1] + 1;
  }
}

}  // namespace corewise::proof
