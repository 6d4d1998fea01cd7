/// Bounds on the bytes between the groups of a level, valid for every placement. The bounds of all objectives
/// follow from them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corewise/solver.hpp"
#include "solvers/problem/placed_problem.hpp"

namespace corewise::bounds {

/// Ranks that share one object of the machine: a node if the objective keeps nodes, else the whole machine.
struct Domain {
  std::vector<Rank> ranks;
  std::vector<std::vector<std::int64_t>> places;  ///< [level][group] descending, without groups of 0 places
};

/// Bounds on the bytes of the domain's pairs whose ranks are in different groups of one level.
struct CutBounds {
  std::uint64_t least = 0;       ///< of all pairs together
  std::uint64_t most = 0;        ///< of all pairs together
  std::uint64_t least_load = 0;  ///< of the group with most bytes to other groups
  std::uint64_t most_load = 0;   ///< of any group to other groups
};

/// One domain for the whole machine or, with `by_node`, for each node: ranks stay on their nodes, and pairs
/// between nodes don't count. Domains without ranks are left out. The last level is the object itself.
[[nodiscard]] std::vector<Domain> domains(const PlacedProblem& problem, bool by_node);

/// [domain][level] bounds from the partners of each rank that can, or must, be outside its group (as Gilmore
/// 1962 and Lawler 1963 bound quadratic assignment problems).
/// @param graph  pairs across domains are left out.
[[nodiscard]] std::vector<std::vector<CutBounds>> cut_bounds(std::span<const Domain> domains,
                                                             const PairGraph& graph);

}  // namespace corewise::bounds
