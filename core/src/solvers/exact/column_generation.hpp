/// Column generation: duals of set-partitioning problems with too many columns to price all in every round.
///
/// Each round raises the duals on a restricted master problem, then adds columns of negative reduced cost to
/// it (Gilmore and Gomory, Operations Research 9, 1961; Barnhart et al., Operations Research 46, 1998).
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/exact/subgradient_ascent.hpp"

namespace corewise::exact {

/// Column generation with pricing by enumeration, which adds up to one column for each vertex. It prices at
/// duals half-way between the best feasible ones and those of the master (smoothing: Wentges, Int. Trans. Op.
/// Res. 4, 1997).
/// @param start       feasible duals.
/// @param groups      a partition into groups of the problem.
/// @param limits      its rounds are those of pricing.
/// @param most_steps  limit on the steps of pricing, each as long as kSetsPerPricingStep sets.
/// @return feasible duals, at least as good as `start`.
[[nodiscard]] Duals generate_by_enumeration(const SetPartitioning& problem, const Duals& start,
                                            const std::vector<VertexGroup>& groups,
                                            const AscentLimits& limits, std::uint64_t most_steps);

}  // namespace corewise::exact
