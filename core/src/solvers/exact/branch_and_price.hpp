/// Branch and price: search for the cheapest partition into equal groups whose columns are too many to list.
#pragma once

#include <vector>

#include "solvers/exact/duals.hpp"
#include "solvers/exact/limits.hpp"
#include "solvers/exact/partition.hpp"

namespace corewise::exact {

/// Branches on the columns of one group: those with a certain vertex of much traffic, or those that can have
/// the least reduced cost of all m groups. All reduced costs together are within the slack between the dual
/// objective and `most_cost`, so the least is within an m-th of it. The other vertices are a problem of the
/// same kind: column generation raises their duals, and so on down to two groups. Of columns that differ by
/// interchangeable vertices only one is tried.
/// @param instance  its root has one class of children, at least two.
/// @param duals     [level]: feasible for the groups of that level.
[[nodiscard]] PartitionResult branch_and_price(const HopInstance& instance, const std::vector<Duals>& duals,
                                               Cost most_cost, const ProofLimits& limits);

}  // namespace corewise::exact
