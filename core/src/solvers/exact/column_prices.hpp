/// Prices for groups too many to look at one by one: sets that they overdraw are searched for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "solvers/exact/prices.hpp"

namespace corewise::proof {

/// Raises prices on a pool of sets, looks for sets outside the pool that cost less than their prices, adds
/// these to the pool, and so on (column generation: Gilmore and Gomory 1961; Barnhart et al. 1998).
/// @param start   prices that hold.
/// @param groups  a partition into groups of the family.
/// @param enough  stops once the total exceeds it and no set is overdrawn.
/// @return prices that hold; `start` where the limits don't suffice.
[[nodiscard]] Prices column_prices(const GroupFamily& family, const Prices& start,
                                   const std::vector<Group>& groups, Cost enough, const ProofLimits& limits);

/// Which sets to list.
struct SetList {
  Cost most_net;  ///< by which their cost exceeds their prices
  std::size_t most_sets;
  Subset within = 0;              ///< members of all
  bool one_of_each_sort = false;  ///< of sets that differ by twins of the same prices only one
};

/// As list_sets(), by growth.
/// @return false where the limits or `most_sets` don't suffice.
[[nodiscard]] bool grow_sets(const GroupFamily& family, const Prices& prices, const SetList& wanted,
                             const ProofLimits& limits, std::vector<CostedSet>& sets);

}  // namespace corewise::proof
