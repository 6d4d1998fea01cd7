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

/// With pricing by CutSearch, for problems with too many sets to enumerate.
/// @param start   feasible duals.
/// @param groups  a partition into groups of the problem.
/// @param target  stops once the dual objective exceeds it and no reduced cost is negative.
/// @return feasible duals; `start` where the limits don't suffice for better ones.
[[nodiscard]] Duals generate_by_search(const SetPartitioning& problem, const Duals& start,
                                       const std::vector<VertexGroup>& groups, Cost target,
                                       const ProofLimits& limits);

struct ColumnQuery {
  Cost most_reduced_cost;
  std::size_t most_columns;
  Subset within = 0;            ///< members of all
  bool up_to_symmetry = false;  ///< only one of the columns that differ by interchangeable vertices
};

/// Adds all columns that match, found by CutSearch.
/// @return false where the limits or `most_columns` don't suffice.
[[nodiscard]] bool search_columns(const SetPartitioning& problem, const Duals& duals,
                                  const ColumnQuery& query, const ProofLimits& limits,
                                  std::vector<Column>& columns);

}  // namespace corewise::exact
