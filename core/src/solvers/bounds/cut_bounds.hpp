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

/// Limits on the time of cut_bounds().
struct CutBoundLimits {
  std::int64_t places_for_spectrum;  ///< largest domain with a spectral bound; its cube is the time
  std::int64_t group_of_pattern;     ///< largest group with bounds by patterns; its square is the time
};

/// [domain][level] the tightest bounds from three sources: the partners of each rank (as Gilmore 1962 and
/// Lawler 1963 bound quadratic assignment problems); eigenvalues (Donath and Hoffman 1973); and, if the graph
/// is a grid, torus, hypercube, stencil or forest, the most that its groups can have inside
/// (patterns/pattern.hpp, forest.hpp).
/// @param graph  pairs across domains are left out.
[[nodiscard]] std::vector<std::vector<CutBounds>> cut_bounds(std::span<const Domain> domains,
                                                             const PairGraph& graph,
                                                             const CutBoundLimits& limits);

}  // namespace corewise::bounds
