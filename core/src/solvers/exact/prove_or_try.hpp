/// The search behind the solver `exact`, for solvers that can do without a proof.
#pragma once

#include "corewise/solver.hpp"
#include "solvers/problem/placed_problem.hpp"

namespace corewise {

/// The best placement found within the effort, `proven` where it is shown optimal.
[[nodiscard]] Solution prove_or_try(const PlacedProblem& problem, const SolverOptions& options);

}  // namespace corewise
