/// Proofs for loads of links on one object of the machine: level by level, no placement loads the fullest
/// less.
#pragma once

#include <span>
#include <vector>

#include "solvers/exact/duals.hpp"
#include "solvers/exact/load_instance.hpp"

namespace corewise::exact {

/// A placement of a domain's ranks and how much of its score is proven.
struct LoadProof {
  std::vector<CoreIndex> core_of_vertex;  ///< of the ranks
  std::vector<Cost> load;    ///< of the fullest link, level by level from the top down; class 1 left out
  std::size_t n_proven = 0;  ///< loads, from the first, that no placement betters
};

/// Proves that a placement's loads are lexicographically least, or replaces it by better ones.
/// @param known    [vertex that is a rank].
/// @param crossing [level]: bounds of the domain.
[[nodiscard]] LoadProof prove_least_loads(const LoadInstance& instance, const CoreTree& tree,
                                          std::vector<CoreIndex> known,
                                          std::span<const bounds::CutBounds> cut, const ProofLimits& limits);

/// The same for lexicographically greatest loads.
[[nodiscard]] LoadProof prove_most_loads(const LoadInstance& instance, const CoreTree& tree,
                                         std::vector<CoreIndex> known, std::span<const bounds::CutBounds> cut,
                                         const ProofLimits& limits);

/// Loads of the fullest links as LoadProof has them.
[[nodiscard]] std::vector<Cost> fullest_links(const LoadInstance& instance, const CoreTree& tree,
                                              std::span<const CoreIndex> core_of_vertex);

}  // namespace corewise::exact
