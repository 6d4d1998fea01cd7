/// Duals for groups too many to look at one by one: sets that they overdraw are searched for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "solvers/exact/duals.hpp"

namespace corewise::exact {

/// Raises duals on a pool of sets, looks for sets outside the pool that cost less than their duals, adds
/// these to the pool, and so on (column generation: Gilmore and Gomory 1961; Barnhart et al. 1998).
/// @param start   duals that hold.
/// @param groups  a partition into groups of the family.
/// @param enough  stops once the total exceeds it and no set is of negative reduced cost.
/// @return duals that hold; `start` where the limits don't suffice.
[[nodiscard]] Duals column_generation(const SetPartitioning& partitioning, const Duals& start,
                                      const std::vector<VertexGroup>& groups, Cost enough,
                                      const ProofLimits& limits);

/// Which sets to list.
struct SetList {
  Cost most_reduced_cost;  ///< by which their cost exceeds their duals
  std::size_t most_sets;
  Subset within = 0;  ///< members of all
  bool up_to_symmetry =
      false;  ///< of sets that differ by interchangeable vertices of the same duals only one
};

/// As list_columns(), by growth.
/// @return false where the limits or `most_sets` don't suffice.
[[nodiscard]] bool search_columns(const SetPartitioning& partitioning, const Duals& duals,
                                  const SetList& wanted, const ProofLimits& limits,
                                  std::vector<Column>& sets);

}  // namespace corewise::exact
