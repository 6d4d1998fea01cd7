/// Dual ascent: raises duals on a list of columns, or on all columns by column generation.
#pragma once

#include <cstdint>
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
/// @param start  duals that are feasible for the columns.
/// @return duals that are feasible for the columns and at least as good as `start`. Vertices in no column
/// keep their duals.
[[nodiscard]] Duals subgradient_ascent(const std::vector<Column>& columns, const Duals& start,
                                       const AscentLimits& limits);

/// Column generation, because there are too many columns to price all in every step: each round raises the
/// duals on a restricted master problem, then adds columns of negative reduced cost to it (Gilmore and
/// Gomory, Operations Research 9, 1961; Barnhart et al., Operations Research 46, 1998). Pricing is by
/// enumeration and adds up to one column for each vertex. It prices at duals half-way between the best
/// feasible ones and those of the master (smoothing: Wentges, Int. Trans. Op. Res. 4, 1997).
/// @param start       feasible duals.
/// @param groups      a partition into groups of the problem.
/// @param limits      its rounds are those of pricing.
/// @param budget      as of price_negative_sets(); ends the rounds.
/// @return feasible duals, at least as good as `start`.
[[nodiscard]] Duals generate_by_enumeration(const SetPartitioning& problem, const Duals& start,
                                            const std::vector<VertexGroup>& groups,
                                            const AscentLimits& limits, StepBudget& budget);

}  // namespace corewise::exact
