/// A bound on every objective, for any machine and any number of ranks.
#pragma once

#include "corewise/solver.hpp"
#include "solvers/problem/placed_problem.hpp"

namespace corewise::bounds {

/// No placement is better than this (worse, for the worst): level by level what must (or can) cross, over the
/// links that it can use; with `time` also what the latencies of a rank's messages add up to. With link-load
/// every rank stays on its node.
/// @param problem  with its capacities filled in.
/// @throws Error(bad_input) when the objective doesn't fit 64 bits.
[[nodiscard]] Score objective_bound(const PlacedProblem& problem);

/// What objective_bound() says of hop-bytes without eigenvalues, which at 128 ranks take most of its
/// time.
[[nodiscard]] double quick_hop_bytes_bound(const PlacedProblem& problem);

/// Keeps the tighter of the solution's bound and objective_bound(); a score that reaches it is proven. Times
/// count as equal where only rounding can tell them apart.
/// @param solution  its score is filled in.
void tighten(const PlacedProblem& problem, Solution& solution);

}  // namespace corewise::bounds
