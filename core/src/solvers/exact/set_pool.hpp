/// SetPool: the few sets of many that decide prices.
#pragma once

#include <unordered_set>
#include <vector>

#include "solvers/exact/prices.hpp"

namespace corewise::proof {

class SetPool {
 public:
  /// @param groups  a partition into groups of the family: always in the pool.
  SetPool(const GroupFamily& family, const std::vector<Group>& groups)
      : family_(family), groups_(groups), known_(family.instance.kinds.size()) {
    for (const Group& group : groups) add(group);
  }

  /// @return false where it was there before.
  bool add(const Group& group) {
    const bool fresh = known_[group.kind].insert(group.members).second;
    if (fresh) sets_.push_back({group.members, family_.cost(group.members, group.kind), group.kind});
    return fresh;
  }

  /// Adds what the partition's groups become when one member is exchanged.
  void add_neighbours();

  /// Keeps the partition that was known and the `count` sets nearest to their prices.
  void thin_out(const Prices& prices, std::size_t count);

  [[nodiscard]] std::size_t size() const { return sets_.size(); }
  [[nodiscard]] CheapestSets cheapest(const Prices& prices) const { return cheapest_sets(sets_, prices); }

 private:
  const GroupFamily& family_;
  const std::vector<Group>& groups_;
  std::vector<CostedSet> sets_;
  std::vector<std::unordered_set<Subset>> known_;  ///< [kind]: members of the pool
};

/// Where all sets of a family can be looked at: prices raised on a pool, to which each look adds the sets
/// that they overdraw most, one of every vertex (column generation: Gilmore and Gomory 1961). From the best
/// prices that hold only half of the way is gone to those of the pool (smoothing: Wentges 1997).
/// @param start       prices that hold.
/// @param groups      a partition into groups of the family.
/// @param ascent      its rounds are looks.
/// @param most_steps  of looks; each goes through a dozen sets.
/// @return prices that hold.
[[nodiscard]] Prices pool_prices(const GroupFamily& family, const Prices& start,
                                 const std::vector<Group>& groups, const Ascent& ascent,
                                 std::uint64_t most_steps);

}  // namespace corewise::proof
