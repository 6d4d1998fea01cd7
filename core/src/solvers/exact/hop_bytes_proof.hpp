/// Proofs for hop-bytes: a lower bound from dual values, then a search if the bound is below the known cost.
#pragma once

#include <optional>
#include <vector>

#include "solvers/exact/limits.hpp"
#include "solvers/problem/hop_instance.hpp"

namespace corewise::exact {

struct HopProof {
  Cost bound = 0;       ///< no placement costs less; scaled, negative if the worst is searched
  bool proven = false;  ///< `better`, or `known` if there is no `better`, is optimal
  std::optional<std::vector<int>> better;  ///< a better placement than the known one: [vertex] -> position
};

/// @param known  a good placement: [vertex] -> position.
[[nodiscard]] HopProof prove_hop_bytes(const HopInstance& instance, const std::vector<int>& known,
                                       const ProofLimits& limits);

}  // namespace corewise::exact
