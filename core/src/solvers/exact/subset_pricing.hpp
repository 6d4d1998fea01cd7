/// Pricing by enumeration: reduced costs of all sets that could be a group, or of those that matter.
///
/// A column's reduced cost, its cost less the duals of its members and its class, is also the slack that it
/// leaves in the dual problem.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "solvers/exact/duals.hpp"
#include "solvers/exact/limits.hpp"

namespace corewise::exact {

struct Pricing {
  /// [vertex]: the least slack of a set with this vertex, divided by the set's size and rounded down; kNoSet
  /// where no set holds the vertex.
  std::vector<Cost> share;
  std::vector<VertexGroup> set;  ///< [vertex]: that set
  std::vector<Cost> least;       ///< [class]: least reduced cost; kNoSet where there is no set of the class

  static constexpr Cost kNoSet = std::numeric_limits<Cost>::max() / 4;
};

/// Over all sets of the problem.
[[nodiscard]] Pricing price_all_sets(const SetPartitioning& problem, const Duals& duals);
/// Over a list of columns.
[[nodiscard]] Pricing price_columns(const std::vector<Column>& columns, const Duals& duals);
/// The set of least reduced cost of each class where that is negative, and of some vertices sets that come
/// near it. Faster than price_all_sets(), because branches without such sets are cut off.
/// @param steps  raised by those taken, kSetsPerPricingStep sets each.
[[nodiscard]] Pricing price_negative_sets(const SetPartitioning& problem, const Duals& duals,
                                          std::uint64_t& steps);

/// Gives each vertex its share of the least slack. Duals become feasible for all sets that were priced, and
/// no share is lost where they were feasible before.
void distribute_slack(const Pricing& pricing, Duals& duals);

struct ListLimits {
  Cost most_reduced_cost;
  std::size_t most_columns;
  std::uint64_t most_steps = std::numeric_limits<std::uint64_t>::max();  ///< as of price_negative_sets()
  const Deadline* deadline = nullptr;
};

/// Adds all columns with a reduced cost up to a limit.
/// @return false where the other limits don't suffice.
[[nodiscard]] bool list_columns(const SetPartitioning& problem, const Duals& duals, const ListLimits& limits,
                                std::vector<Column>& columns);

}  // namespace corewise::exact
