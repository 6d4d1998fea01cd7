/// HopPlan: how the search for hop-bytes divides its work among constructions, annealing and reheating.
///
/// All counts depend only on the number of ranks and the effort, so that results repeat on any machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "corewise/solver.hpp"
#include "solvers/problem/slot_tree.hpp"

namespace corewise::search {

struct HopPlan {
  // Constructions of initial mappings.
  int multisections = 1;
  int bisection_attempts = 1;        ///< for each bisection of a small part; the least cut is kept
  std::size_t cluster_mappings = 0;  ///< for each cluster scheme
  std::size_t extra_cluster_mappings =
      0;                                ///< for each scheme that is best, or nearly, where clusters are best
  std::size_t max_cluster_schemes = 6;  ///< those of the lowest levels
  std::int32_t max_ranks_boustrophedon =
      256;  ///< with more ranks these orders would take too much of the work

  std::uint64_t multilevel_proposals = 0;  ///< swaps for each vertex, on each level and in each region

  // Independent annealing runs, each from another initial mapping. A proposal takes about 50 ns.
  std::size_t annealing_runs = 1;
  std::uint64_t proposals_per_run = 0;
  /// For even and for odd runs, as in TemperatureScale::schedule(). A high temperature forgets the initial
  /// mapping; with many ranks there is no time for that, and a low one keeps its large-scale structure.
  std::array<Cost, 2> initial_percent{};

  // Further runs at a low temperature, each from the best mapping found.
  std::size_t reheating_runs = 0;
  std::uint64_t proposals_per_reheating_run = 0;
};

/// @param n_ranks        those that communicate.
/// @param proof_follows  an exact method will improve the result.
[[nodiscard]] HopPlan make_hop_plan(std::int32_t n_ranks, Effort effort, bool proof_follows);

}  // namespace corewise::search
