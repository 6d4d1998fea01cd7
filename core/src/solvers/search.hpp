/// Depth-first search over all placements up to symmetry: ranks in order, cores ascending, hopeless branches
/// cut.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "budget.hpp"
#include "corewise/solver.hpp"

namespace corewise {

/// What to search: all ranks of the traffic on the cores below one object of the machine.
struct SearchSpace {
  const Traffic& traffic;
  const Machine& machine;
  const ObjectiveInfo& objective;
  bool worst = false;
  std::span<const std::int32_t> core_capacity;  ///< [core of the machine]
  int level = 0;                                ///< of the object; the machine's highest for all cores
  CoreIndex first_core{0};                      ///< a core below the object
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
[[nodiscard]] SearchResult search(const SearchSpace& space, std::span<const CoreIndex> start,
                                  std::uint64_t most_steps, const Deadline& deadline);

}  // namespace corewise
