/// Proofs by SetSearch: sums of distances and greatest link loads of up to 16 ranks, in well under a second.
#pragma once

#include <optional>
#include <vector>

#include "solvers/problem/core_tree.hpp"
#include "solvers/problem/placed_problem.hpp"

namespace corewise::exact {

/// Whether best_by_sets() applies to the whole problem: a sum of distances, or greatest loads of one phase,
/// without constraints on single ranks, of at most 16 ranks; on each node if the objective keeps nodes.
[[nodiscard]] bool proves_by_sets(const PlacedProblem& problem);

/// The best (or worst) placement of all on the cores of the tree.
/// @param traffic  between the ranks to place, numbered from 0.
/// @return empty if the objective or the number of ranks doesn't allow it, or if sums could exceed 58 bits.
[[nodiscard]] std::optional<std::vector<CoreIndex>> best_by_sets(const PlacedProblem& problem,
                                                                 const Traffic& traffic,
                                                                 const CoreTree& tree);

/// A lower bound on the estimated time: that of the slowest link, where it is fastest.
/// @return empty for other objectives, several phases, more than 16 ranks, constraints, or the worst
/// placement.
[[nodiscard]] std::optional<Score> slowest_link_bound(const PlacedProblem& problem);

}  // namespace corewise::exact
