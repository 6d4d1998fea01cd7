/// Subgradient ascent: raises duals if all sets can be priced in every round.
#pragma once

#include <functional>
#include <vector>

#include "solvers/exact/duals.hpp"
#include "solvers/exact/subset_pricing.hpp"

namespace corewise::exact {

struct AscentLimits {
  std::vector<int> count;  ///< [class] number of groups in a partition
  Cost target;             ///< stops once the dual objective exceeds this
  int rounds;              ///< limit on the number of pricings
  const Deadline& deadline;
};

/// Subgradient method with Polyak's step (Held and Karp, Math. Programming 1, 1971).
/// @param price  prices the sets at given duals.
/// @param start  feasible duals.
/// @return duals that are feasible for all priced sets and at least as good as `start`. Vertices in no set
/// keep their duals.
[[nodiscard]] Duals subgradient_ascent(const std::function<Pricing(const Duals&)>& price, const Duals& start,
                                       const AscentLimits& limits);

}  // namespace corewise::exact
