/// The heaviest set of a size: what groups too many to look at one by one can hold at most.
#pragma once

#include <optional>

#include "solvers/proof/prices.hpp"

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

/// Prices that hold for groups none of which has more than `most_inside`: everybody pays the same for
/// company.
[[nodiscard]] Prices even_prices(const GroupFamily& family, Cost most_inside);

}  // namespace corewise::proof
