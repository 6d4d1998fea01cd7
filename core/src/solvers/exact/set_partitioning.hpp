/// Search for the cheapest partition among listed columns.
#pragma once

#include <vector>

#include "solvers/exact/limits.hpp"
#include "solvers/exact/nested_cost.hpp"

namespace corewise::exact {

struct PartitionResult {
  std::vector<VertexGroup> groups;  ///< empty if none with a cost of at most `most_cost` was found
  Cost cost = 0;
  bool complete = true;  ///< false if the budget was used up
};

/// Branch and bound: chooses the group of one vertex after the other, those in few columns first.
/// @param nested       with the same budget.
/// @param columns      all groups of the top level that can be in a partition of cost up to `most_cost`;
/// their
///                     costs may be lower bounds.
/// @param duals        feasible for these columns.
/// @param granularity  of costs: HopInstance::granularity.
/// @param budget       each step is as long as kSetsPerPartitioningStep sets.
[[nodiscard]] PartitionResult solve_set_partitioning(const SetPartitioning& problem, NestedCost& nested,
                                                     std::vector<Column> columns, const Duals& duals,
                                                     Cost most_cost, Cost granularity, StepBudget& budget);

}  // namespace corewise::exact
