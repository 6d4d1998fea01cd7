/// Column generation: duals of set-partitioning problems whose columns are too many to price again and again.
///
/// Duals rise on a restricted master problem, pricing adds columns of negative reduced cost to it, and so on
/// (Gilmore and Gomory, Operations Research 9, 1961; Barnhart et al., Operations Research 46, 1998).
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/exact/subgradient_ascent.hpp"

namespace corewise::exact {

/// With pricing by enumeration, which adds a column for every vertex. Between the best feasible duals and
/// those of the master it goes only half of the way (smoothing: Wentges, Int. Trans. Op. Res. 4, 1997).
/// @param start       feasible duals.
/// @param groups      a partition into groups of the problem.
/// @param limits      its rounds are those of pricing.
/// @param most_steps  of the pricing, kSetsPerPricingStep sets each.
/// @return feasible duals, at least as good as `start`.
[[nodiscard]] Duals generate_by_enumeration(const SetPartitioning& problem, const Duals& start,
                                            const std::vector<VertexGroup>& groups,
                                            const AscentLimits& limits, std::uint64_t most_steps);

}  // namespace corewise::exact
