/// Proofs that a placement's loads are lexicographically least, or greatest, on one object of the machine.
#pragma once

#include <span>
#include <vector>

#include "solvers/bounds/cut_bounds.hpp"
#include "solvers/exact/limits.hpp"
#include "solvers/problem/tree_instance.hpp"

namespace corewise::exact {

/// A placement of a domain's ranks and how much of its score is proven.
struct LoadProof {
  std::vector<CoreIndex> core_of_vertex;  ///< of the ranks
  std::vector<Cost> load;    ///< greatest link load of each class, from the highest down to class 2
  std::size_t n_proven = 0;  ///< number of loads, from the first on, that are proven optimal
};

/// For each level from the top down: proves that no placement with the same loads above has a better load
/// here, or finds such a placement and continues with it.
/// @param known  [vertex] core of each rank in a good placement.
/// @param cut    [level] bounds of the domain.
/// @param worst  whether greater loads are better.
[[nodiscard]] LoadProof prove_loads(const TreeInstance& instance, std::vector<CoreIndex> known,
                                    std::span<const bounds::CutBounds> cut, bool worst,
                                    const ProofLimits& limits);

}  // namespace corewise::exact
