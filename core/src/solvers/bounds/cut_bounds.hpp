/// Bounds on the bytes between the groups of a level, wherever the ranks are: from them come bounds for every
/// objective, machine and number of ranks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corewise/solver.hpp"
#include "solvers/problem/placed_problem.hpp"

namespace corewise::bounds {

/// Ranks that are placed on one object of the machine: on a node where the objective keeps nodes, else on
/// all of it.
struct Domain {
  std::vector<Rank> ranks;
  std::vector<std::vector<std::int64_t>> places;  ///< [level][group], descending, groups without any left out
};

/// Bytes of the domain's pairs whose ends are in different groups of one level.
struct CutBounds {
  std::uint64_t least = 0;       ///< of all pairs together
  std::uint64_t most = 0;        ///< likewise
  std::uint64_t least_load = 0;  ///< of the group with most of them
  std::uint64_t most_load = 0;   ///< of any group
};

/// One domain for each node that has ranks (each on its given node, pairs between nodes don't count), or one
/// for the machine if it has any. Levels up to the object's own, which is the last.
[[nodiscard]] std::vector<Domain> domains(const PlacedProblem& problem, bool by_node);

/// What bounds may take.
struct CutBoundLimits {
  std::int64_t places_for_spectrum;  ///< domains with more have no spectral bound: it takes their cube
  std::int64_t group_of_pattern;     ///< larger groups have no pattern's bound: it takes their square
};

/// [domain][level]. From every rank's own partners (as Gilmore 1962 and Lawler 1963 bound quadratic
/// assignments), from eigenvalues (Donath and Hoffman 1973), and where the graph is a grid, a torus, a
/// hypercube, a stencil or a forest from what its groups hold at most (patterns/pattern.hpp, forest.hpp).
/// @param graph  pairs across domains are left out.
[[nodiscard]] std::vector<std::vector<CutBounds>> cut_bounds(std::span<const Domain> domains,
                                                             const PairGraph& graph,
                                                             const CutBoundLimits& limits);

}  // namespace corewise::bounds
