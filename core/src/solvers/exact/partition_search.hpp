/// Search for the cheapest partition into groups of the top level, with prices as the bound.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/exact/nested_cost.hpp"
#include "solvers/exact/prices.hpp"

namespace corewise::proof {

struct PartitionResult {
  std::vector<Group> groups;  ///< empty where nothing within the limit was found
  Cost cost = 0;
  bool complete = true;  ///< false where steps or time ran out
};

/// @param sets    groups of the top level that can be in a partition costing up to `most_cost`; costs may be
///   too low.
/// @param prices  hold for these sets.
[[nodiscard]] PartitionResult search_partition(NestedCost& nested, const HopInstance& instance,
                                               std::vector<CostedSet> sets, const Prices& prices,
                                               Cost most_cost, const ProofLimits& limits);

/// The same for two groups, which need no list: one grows within what may be cut.
/// @param prices  hold for the groups of the level below.
[[nodiscard]] PartitionResult search_bisection(NestedCost& nested, const HopInstance& instance,
                                               const Prices& prices, Cost most_cost,
                                               const ProofLimits& limits);

}  // namespace corewise::proof
