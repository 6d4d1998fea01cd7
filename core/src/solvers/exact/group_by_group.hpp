/// Search for the cheapest partition into equal groups where all sets that could be one are too many to list:
/// one group after the other.
#pragma once

#include <vector>

#include "solvers/exact/partition_search.hpp"

namespace corewise::proof {

/// Takes each set that could be the first group in turn: those of one heavy vertex, or those that could be
/// the cheapest of m groups. Together the groups exceed their prices by no more than there is to spare, so
/// the cheapest by no more than an m-th of that. What is left is searched likewise, at prices raised anew,
/// down to two groups. Of sets that differ by vertices alike only one is taken.
/// @param instance  its root has one kind of children, at least two.
/// @param prices    [level]: hold for the groups of that level.
[[nodiscard]] PartitionResult search_group_by_group(const HopInstance& instance,
                                                    const std::vector<Prices>& prices, Cost most_cost,
                                                    const ProofLimits& limits);

}  // namespace corewise::proof
