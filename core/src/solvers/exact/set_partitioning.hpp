/// Search for the cheapest partition among listed columns.
#pragma once

#include <vector>

#include "solvers/exact/limits.hpp"
#include "solvers/exact/nested_cost.hpp"

namespace corewise::exact {

struct PartitionResult {
  std::vector<VertexGroup> groups;  ///< empty where no partition within the limit was found
  Cost cost = 0;
  bool complete = true;  ///< false where steps or time ran out
};

/// Branch and bound over the columns of the vertex that has fewest, with Lagrangian bounds: the duals are
/// raised again for what is left to partition.
/// @param columns  all groups of the top level that can be in a partition costing up to `most_cost`; their
/// own
///   costs may be lower bounds.
/// @param duals    feasible for these columns.
[[nodiscard]] PartitionResult solve_set_partitioning(NestedCost& nested, const HopInstance& instance,
                                                     std::vector<Column> columns, const Duals& duals,
                                                     Cost most_cost, const ProofLimits& limits);

}  // namespace corewise::exact
