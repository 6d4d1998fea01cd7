/// Depth-first search over all placements up to symmetry: ranks in order, cores ascending, hopeless branches
/// cut.
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

/// What to search: some ranks on the cores below one object of the machine.
struct SearchSpace {
  const PlacedProblem& problem;
  const Traffic& traffic;       ///< of these ranks alone, renumbered in their order
  std::span<const Rank> ranks;  ///< their numbers in the problem
  int level = 0;                ///< of the object; the machine's highest for all cores
  CoreIndex first_core{0};      ///< a core below the object
};

struct SearchResult {
  /// Of the optimal placements the lexicographically first list of cores.
  std::vector<CoreIndex> core_of_rank;
  Score score;
  std::optional<std::uint64_t> n_optimal;  ///< symmetric placements counted; absent above 2^64
  bool finished = true;                    ///< false when most_steps or the deadline ended the search early
};

/// @param start      a valid list of cores: the search never returns a worse one.
/// @param most_steps ranks to place at most, counted over the whole search.
/// Source: the SMP-CMP paper (section IV.C) enumerates so; the order makes ties fall to the first list of
/// cores.
[[nodiscard]] SearchResult branch_and_bound(const SearchSpace& space, std::span<const CoreIndex> start,
                                            std::uint64_t most_steps, const Deadline& deadline);

}  // namespace corewise
