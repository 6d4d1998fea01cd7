/// The search of the solver `exact`. The solver `auto` uses it too, and continues if there is no proof.
#pragma once

#include "corewise/solver.hpp"
#include "solvers/problem/placed_problem.hpp"

namespace corewise {

/// The best placement found within the effort, never worse than `start`; `proven` if it is optimal. Machines,
/// or nodes that ranks keep, of up to 16 places are proven for a sum of distances and for greatest loads of
/// one phase. The other objectives, and more places, are proven if branch and bound ends within its limit.
[[nodiscard]] Solution prove_or_try(const PlacedProblem& problem, const Placement& start,
                                    const SolverOptions& options);

}  // namespace corewise
