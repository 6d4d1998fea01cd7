/// The heaviest set of a size: what groups too many to look at one by one can hold at most.
#pragma once

#include <optional>
#include <vector>

#include "solvers/exact/duals.hpp"

namespace corewise::exact {

/// Greatest weight inside any set of `size` vertices.
///
/// Without its weakest member a set of j vertices keeps at least w - 2 w / j of its weight w, because the
/// members' average share is 2 w / j. So all sets heavier than a known one grow, vertex by vertex, from sets
/// that are heavier than a threshold for their own size; in sparse graphs these are few.
/// @param known  weight inside some set of that size; the heavier, the faster.
/// @return absent where the limits don't suffice.
[[nodiscard]] std::optional<Cost> densest_subgraph_weight(const HopInstance& instance, int size, Cost known,
                                                          const ProofLimits& limits);

/// No set of `size` vertices has more inside: each member has its heaviest possible incident edges.
[[nodiscard]] Cost degree_bound_of_subgraph(const HopInstance& instance, int size);

/// Duals that hold for groups none of which has more inside than its class can have: members don't matter.
/// @param most_inside  [class].
[[nodiscard]] Duals uniform_duals(const SetPartitioning& partitioning, const std::vector<Cost>& most_inside);

}  // namespace corewise::exact
