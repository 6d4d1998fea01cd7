/// A bound on every objective of a known form, for any machine and any number of ranks.
#pragma once

#include <optional>

#include "corewise/solver.hpp"
#include "solvers/problem/placed_problem.hpp"

namespace corewise::bounds {

/// No placement is better than this (worse, for the worst): level by level what must (or can) cross, over the
/// links that it can use; for times also what the latencies of a rank's messages add up to. Where the
/// objective keeps nodes, loads are bounded node by node. Absent where the objective has no form.
/// @throws Error(bad_input) when the objective doesn't fit 64 bits.
[[nodiscard]] std::optional<Score> objective_bound(const PlacedProblem& problem);

/// What objective_bound() says of a sum of distances without eigenvalues, which at 128 ranks take most of its
/// time. Absent for other forms.
[[nodiscard]] std::optional<Score> quick_bound(const PlacedProblem& problem);

/// Keeps the tighter of the solution's bound and objective_bound(); a score that reaches it is proven. Times
/// count as equal where only rounding can tell them apart.
/// @param solution  its score is filled in.
void tighten(const PlacedProblem& problem, Solution& solution);

}  // namespace corewise::bounds
