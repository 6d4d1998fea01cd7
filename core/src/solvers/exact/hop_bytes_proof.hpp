/// Proofs for hop-bytes: a lower bound from dual values, and a search where the bound leaves a gap.
#pragma once

#include <optional>
#include <vector>

#include "solvers/exact/limits.hpp"
#include "solvers/problem/hop_instance.hpp"

namespace corewise::exact {

struct HopProof {
  Cost bound = 0;       ///< no placement costs less (scaled; negative costs where the worst is wanted)
  bool proven = false;  ///< nothing is better than `known`, or than `better` where that was found
  std::optional<std::vector<int>> better;  ///< a better placement than the known one: [vertex] -> position
};

/// @param known  a good placement: [vertex] -> position.
[[nodiscard]] HopProof prove_hop_bytes(const HopInstance& instance, const std::vector<int>& known,
                                       const ProofLimits& limits);

}  // namespace corewise::exact
