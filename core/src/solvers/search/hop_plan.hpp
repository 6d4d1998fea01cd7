/// HopPlan: how the search for hop-bytes shares out its work. All counts depend on the number of ranks and
/// the effort alone, so that answers repeat on any machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "corewise/solver.hpp"
#include "solvers/problem/slot_tree.hpp"

namespace corewise::search {

/// A proposal takes about 50 ns.
struct HopPlan {
  int multisections = 1;
  int tries = 1;                        ///< of each bisection, where parts are small
  std::size_t units = 0;                ///< unit starts of each kind
  std::size_t leading_units = 0;        ///< more of each kind of units that leads all starts, or nearly
  std::size_t max_cluster_schemes = 6;  ///< at most, of the lowest levels
  std::int32_t max_ranks_boustrophedon = 256;  ///< beyond, they would take too much of the work
  std::size_t replicas = 1;                    ///< annealed each by itself, from the best starts in turn
  std::uint64_t proposals = 0;                 ///< of each
  /// Of a mean pair at the widest distance, for even and odd replicas: few ranks are melted down and frozen
  /// anew, many keep the large-scale order of their start.
  std::array<Cost, 2> initial_percent{};
  std::size_t reheated = 0;  ///< replicas after those, from the best found, so warm that it keeps its order
  std::uint64_t proposals_of_reheated = 0;  ///< of each
};

/// @param n              ranks that talk.
/// @param proof_follows  of what is found.
[[nodiscard]] HopPlan make_hop_plan(std::int32_t n, Effort effort, bool proof_follows);

}  // namespace corewise::search
