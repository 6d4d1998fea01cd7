/// Search for the cheapest partition into equal groups where all sets that could be one are too many to list:
/// one group after the other.
#pragma once

#include <vector>

#include "solvers/exact/set_partitioning.hpp"

namespace corewise::exact {

/// Takes each set that could be the first group in turn: those of one heavy vertex, or those that could be
/// the cheapest of m groups. Together the groups exceed their duals by no more than there is to spare, so
/// the cheapest by no more than an m-th of that. What is left is searched likewise, at duals raised anew,
/// down to two groups. Of sets that differ by vertices alike only one is taken.
/// @param instance  its root has one class of children, at least two.
/// @param duals    [level]: hold for the groups of that level.
[[nodiscard]] PartitionResult branch_and_price(const HopInstance& instance, const std::vector<Duals>& duals,
                                               Cost most_cost, const ProofLimits& limits);

}  // namespace corewise::exact
