/// Branch and bound: depth-first search over all placements up to symmetry, ranks in order, cores ascending.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "corewise/solver.hpp"
#include "solvers/exact/partial_score.hpp"
#include "solvers/problem/deadline.hpp"
#include "solvers/problem/placed_problem.hpp"

namespace corewise {

/// The ranks to place, and the object of the machine on whose cores they are placed.
struct SearchSpace {
  const PlacedProblem& problem;
  const Traffic& traffic;       ///< between these ranks only, renumbered in their order
  std::span<const Rank> ranks;  ///< [rank of `traffic`] its number in the problem
  int level = 0;                ///< of the object; the machine's highest for all cores
  CoreIndex first_core{0};      ///< a core below the object
};

struct SearchResult {
  /// Of the optimal placements, the lexicographically first list of cores.
  std::vector<CoreIndex> core_of_rank;
  Score score;
  std::optional<std::uint64_t> n_optimal;  ///< including symmetric placements; empty above 2^64
  bool finished = true;                    ///< false when most_steps or the deadline ended the search early
};

/// @param start      a valid list of cores: the search never returns a worse one.
/// @param most_steps limit on the number of steps. Each step places one rank.
/// Source: the enumeration of the SMP-CMP paper (section IV.C).
[[nodiscard]] SearchResult branch_and_bound(const SearchSpace& space, std::span<const CoreIndex> start,
                                            std::uint64_t most_steps, const Deadline& deadline);

}  // namespace corewise
