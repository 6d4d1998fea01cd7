/// Proofs for hop-bytes: a lower bound from dual values, then a search if the bound is below the known cost.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "solvers/exact/limits.hpp"
#include "solvers/problem/hop_instance.hpp"

namespace corewise::exact {

struct HopProof {
  Cost bound = 0;       ///< no placement costs less; scaled, negative if the worst is searched
  bool proven = false;  ///< `better`, or `known` if there is no `better`, is optimal
  std::optional<std::vector<CoreIndex>> better;  ///< [vertex] a better placement than the known one
};

/// @param known      [vertex] a good placement, also of the padding.
/// @param least_cut  [level] lower bound on the weight between the groups of a level.
[[nodiscard]] HopProof prove_hop_bytes(const HopInstance& instance, std::vector<CoreIndex> known,
                                       std::span<const Cost> least_cut, const ProofLimits& limits);

}  // namespace corewise::exact
