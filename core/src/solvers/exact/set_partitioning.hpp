/// Search for the cheapest partition among listed columns.
#pragma once

#include <vector>

#include "solvers/exact/limits.hpp"
#include "solvers/exact/nested_cost.hpp"

namespace corewise::exact {

struct PartitionResult {
  std::vector<VertexGroup> groups;  ///< empty if none with a cost of at most `most_cost` was found
  Cost cost = 0;
  bool complete = true;  ///< false if steps or time ran out
};

/// Branch and bound on the vertex with the fewest columns. The bounds are Lagrangian: at each node of the
/// search tree, the duals are raised again for the remaining vertices.
/// @param columns  all groups of the top level that can be in a partition of cost up to `most_cost`; their
///                 costs may be lower bounds.
/// @param duals    feasible for these columns.
[[nodiscard]] PartitionResult solve_set_partitioning(NestedCost& nested, const HopInstance& instance,
                                                     std::vector<Column> columns, const Duals& duals,
                                                     Cost most_cost, const ProofLimits& limits);

}  // namespace corewise::exact
