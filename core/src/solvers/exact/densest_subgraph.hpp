/// Densest k-subgraph: the greatest weight inside any set of k vertices, for groups too many to enumerate.
#pragma once

#include <optional>

#include "solvers/exact/limits.hpp"
#include "solvers/problem/tree_instance.hpp"

namespace corewise::exact {

/// Greatest weight inside any set of `size` vertices.
///
/// Without its weakest member a set of j vertices keeps at least w - 2 w / j of its weight w, because the
/// members' mean degree inside is 2 w / j. So all sets heavier than a known one can be built, vertex by
/// vertex, from sets that are heavier than a threshold for their own size; in sparse graphs these are few.
/// @param known  weight inside some set of that size; the heavier, the faster.
/// @return absent where the limits don't suffice.
[[nodiscard]] std::optional<Cost> densest_subgraph_weight(const TreeInstance& instance, int size, Cost known,
                                                          const ProofLimits& limits);

/// An upper bound of the same: each member has its heaviest edges inside.
[[nodiscard]] Cost degree_bound_of_subgraph(const TreeInstance& instance, int size);

}  // namespace corewise::exact
