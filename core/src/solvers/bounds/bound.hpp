/// A bound on every objective, for any machine and any number of ranks.
#pragma once

#include "corewise/solver.hpp"
#include "solvers/problem/placed_problem.hpp"

namespace corewise::bounds {

/// A lower bound on the score of every placement (an upper bound if the worst is wanted). It follows from the
/// bytes that must (or can) cross each level and, for times, from the latencies of each rank's messages. If
/// the objective keeps nodes, each node is bounded separately.
/// @throws Error(bad_input) when the objective doesn't fit 64 bits.
[[nodiscard]] Score objective_bound(const PlacedProblem& problem);

/// Replaces the solution's bound by objective_bound() if that is tighter. A score that reaches the bound is
/// proven; times reach it if only rounding separates them.
/// @pre solution.score is set.
void tighten(const PlacedProblem& problem, Solution& solution);

}  // namespace corewise::bounds
