/// Search for the cheapest partition into groups of the top level, with duals as the bound.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/exact/duals.hpp"
#include "solvers/exact/nested_cost.hpp"

namespace corewise::exact {

struct PartitionResult {
  std::vector<VertexGroup> groups;  ///< empty where nothing within the limit was found
  Cost cost = 0;
  bool complete = true;  ///< false where steps or time ran out
};

/// @param sets    groups of the top level that can be in a partition costing up to `most_cost`; costs may be
///   too low.
/// @param duals  hold for these sets.
[[nodiscard]] PartitionResult solve_set_partitioning(NestedCost& nested, const HopInstance& instance,
                                                     std::vector<Column> sets, const Duals& duals,
                                                     Cost most_cost, const ProofLimits& limits);

/// The same for two groups, which need no list: one grows within what may be cut.
/// @param duals  hold for the groups of the level below.
[[nodiscard]] PartitionResult search_bisection(NestedCost& nested, const HopInstance& instance,
                                               const Duals& duals, Cost most_cost, const ProofLimits& limits);

}  // namespace corewise::exact
