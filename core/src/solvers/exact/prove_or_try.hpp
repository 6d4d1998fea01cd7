/// The search of the solver `exact`. The solver `auto` uses it too, and continues if there is no proof.
#pragma once

#include "corewise/solver.hpp"
#include "solvers/problem/placed_problem.hpp"

namespace corewise {

/// The best placement found within the effort; `proven` if it is optimal.
[[nodiscard]] Solution prove_or_try(const PlacedProblem& problem, const SolverOptions& options);

}  // namespace corewise
