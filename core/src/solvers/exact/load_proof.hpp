/// Proofs that a placement's loads are lexicographically least, or greatest, on one object of the machine.
#pragma once

#include <span>
#include <vector>

#include "solvers/exact/limits.hpp"
#include "solvers/exact/load_instance.hpp"

namespace corewise::exact {

/// A placement of a domain's ranks and how much of its score is proven.
struct LoadProof {
  std::vector<CoreIndex> core_of_vertex;  ///< of the ranks
  std::vector<Cost> load;    ///< of the fullest link, level by level from the top down; class 1 left out
  std::size_t n_proven = 0;  ///< loads, from the first, that no placement betters
};

/// Level by level: shows that no placement with these loads above it has a better load, or takes the better
/// placement.
/// @param known  [vertex that is a rank].
/// @param cut    [level]: bounds of the domain.
/// @param worst  whether greater loads are better.
[[nodiscard]] LoadProof prove_loads(const LoadInstance& instance, const CoreTree& tree,
                                    std::vector<CoreIndex> known, std::span<const bounds::CutBounds> cut,
                                    bool worst, const ProofLimits& limits);

}  // namespace corewise::exact
