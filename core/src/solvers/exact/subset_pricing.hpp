/// Pricing by enumeration: reduced costs of all sets that can be a group, or only of the cheapest ones.
///
/// The reduced cost of a column is its cost minus the duals of its members and its class. It is also the
/// slack of the column's constraint in the dual problem.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "solvers/exact/duals.hpp"
#include "solvers/exact/limits.hpp"

namespace corewise::exact {

struct Pricing {
  /// [vertex] the least (slack / size) of all sets with this vertex, rounded down; kNoSet if there is none.
  std::vector<Cost> share;
  std::vector<VertexGroup> set;  ///< [vertex] the set that gives `share`
  std::vector<Cost> least;       ///< [class] least reduced cost; kNoSet if the class has no set

  static constexpr Cost kNoSet = std::numeric_limits<Cost>::max() / 4;
};

/// Over a list of columns.
[[nodiscard]] Pricing price_columns(const std::vector<Column>& columns, const Duals& duals);
/// For each class the set of least reduced cost, if that is negative, and for some vertices other sets of
/// negative reduced cost. Branches without such sets are cut off.
/// @param budget  of steps as long as kSetsPerPricingStep sets; pricing is complete even if it is used up.
[[nodiscard]] Pricing price_negative_sets(const SetPartitioning& problem, const Duals& duals,
                                          StepBudget& budget);

/// Adds its share of the least slack to the dual of each vertex. The duals become feasible for all priced
/// sets. If they were feasible before, no dual falls.
void distribute_slack(const Pricing& pricing, Duals& duals);

/// Adds all columns with a reduced cost of at most `most_reduced_cost`.
/// @param budget  of the same steps.
/// @return false if the budget was used up or there are more than kMostColumns columns.
[[nodiscard]] bool list_columns(const SetPartitioning& problem, const Duals& duals, Cost most_reduced_cost,
                                StepBudget& budget, std::vector<Column>& columns);

}  // namespace corewise::exact
