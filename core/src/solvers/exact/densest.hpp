/// The heaviest set of a size: what groups too many to look at one by one can hold at most.
#pragma once

#include <optional>
#include <vector>

#include "solvers/exact/prices.hpp"

namespace corewise::proof {

/// Greatest weight inside any set of `size` vertices.
///
/// Without its weakest member a set of j vertices keeps at least w - 2 w / j of its weight w, because the
/// members' average share is 2 w / j. So all sets heavier than a known one grow, vertex by vertex, from sets
/// that are heavier than a threshold for their own size; in sparse graphs these are few.
/// @param known  weight inside some set of that size; the heavier, the faster.
/// @return absent where the limits don't suffice.
[[nodiscard]] std::optional<Cost> greatest_weight_inside(const HopInstance& instance, int size, Cost known,
                                                         const ProofLimits& limits);

/// No set of `size` vertices has more inside: each member has its heaviest possible company.
[[nodiscard]] Cost weight_inside_by_degrees(const HopInstance& instance, int size);

/// Prices that hold for groups none of which has more inside than its kind can have: members don't matter.
/// @param most_inside  [kind].
[[nodiscard]] Prices even_prices(const GroupFamily& family, const std::vector<Cost>& most_inside);

}  // namespace corewise::proof
