/// Search for the worst placement where next to nothing has to stay together: a colouring with few conflicts.
#pragma once

#include "solvers/exact/set_partitioning.hpp"

namespace corewise::exact {

/// Gives one vertex after the other to a group of the top level, always the one with fewest groups left that
/// it fits (Brelaz, Comm. ACM 22, 1979), and counts what the others will cost at least, each by itself.
/// @param instance  wants the worst: no weight is positive; its root has one class of children.
[[nodiscard]] PartitionResult search_colouring(NestedCost& nested, const HopInstance& instance,
                                               Cost most_cost, const ProofLimits& limits);

}  // namespace corewise::exact
