/// Search for the worst placement as a graph colouring with few conflicts: groups are the colours.
#pragma once

#include "solvers/exact/limits.hpp"
#include "solvers/exact/nested_cost.hpp"
#include "solvers/exact/partition.hpp"

namespace corewise::exact {

/// Gives each vertex a group of the top level, always next the vertex with fewest groups left that it fits
/// (Brelaz, Comm. ACM 22, 1979). The bound counts what each other vertex adds at least, by itself.
/// @param instance  wants the worst placement: no weight is positive; its root has one class of children.
[[nodiscard]] PartitionResult search_colouring(NestedCost& nested, const HopInstance& instance,
                                               Cost most_cost, const ProofLimits& limits);

}  // namespace corewise::exact
