/// The functions behind the rows of registry.cpp.
#pragma once

#include "corewise/solver.hpp"

namespace corewise {

[[nodiscard]] Solution solve_auto(const MappingProblem& problem, const SolverOptions& options);
[[nodiscard]] Solution solve_block(const MappingProblem& problem, const SolverOptions& options);
[[nodiscard]] Solution solve_exact(const MappingProblem& problem, const SolverOptions& options);
[[nodiscard]] Solution solve_frequency_major(const MappingProblem& problem, const SolverOptions& options);
[[nodiscard]] Solution solve_random(const MappingProblem& problem, const SolverOptions& options);
[[nodiscard]] Solution solve_round_robin(const MappingProblem& problem, const SolverOptions& options);
[[nodiscard]] Solution solve_size_major(const MappingProblem& problem, const SolverOptions& options);
[[nodiscard]] Solution solve_spread(const MappingProblem& problem, const SolverOptions& options);

/// `auto` without starts of its own: the function behind improve().
[[nodiscard]] Solution improve_start(const MappingProblem& problem, const Placement& start,
                                     const SolverOptions& options);

}  // namespace corewise
