/// Subgradient ascent of duals over sets that can all be priced.
#pragma once

#include <functional>
#include <vector>

#include "solvers/exact/duals.hpp"
#include "solvers/exact/subset_pricing.hpp"

namespace corewise::exact {

struct AscentLimits {
  std::vector<int> count;  ///< [class]: groups that a partition has
  Cost target;             ///< stops once the dual objective exceeds it
  int rounds;              ///< pricings at most
  const Deadline& deadline;
};

/// Subgradient method with Polyak's step (Held and Karp, Math. Programming 1, 1971), as long as the objective
/// rises.
/// @param price  prices the sets at given duals.
/// @param start  feasible duals.
/// @return duals feasible for all sets that `price` knows, at least as good as `start`; vertices in no set
/// keep theirs.
[[nodiscard]] Duals subgradient_ascent(const std::function<Pricing(const Duals&)>& price, const Duals& start,
                                       const AscentLimits& limits);

}  // namespace corewise::exact
