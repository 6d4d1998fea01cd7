/// Search for the cheapest partition into two groups, which needs no list of columns.
#pragma once

#include "solvers/exact/limits.hpp"
#include "solvers/exact/nested_cost.hpp"
#include "solvers/exact/partition.hpp"

namespace corewise::exact {

/// Goes through the sets whose cut leaves a chance, with CutSearch.
/// @param duals  feasible for the groups of the level below the top.
[[nodiscard]] PartitionResult search_bisection(NestedCost& nested, const HopInstance& instance,
                                               const Duals& duals, Cost most_cost, const ProofLimits& limits);

}  // namespace corewise::exact
