/// The rows of registry.cpp and the functions that they point to.
#pragma once

#include "corewise/solver.hpp"
#include "solvers/problem/placed_problem.hpp"

namespace corewise {

struct SolverRow {
  SolverInfo info;
  /// Returns only the first core of every rank; solve() adds the other cores, the score and cpu_s.
  Solution (*solve)(const PlacedProblem&, const SolverOptions&);
};

/// @throws as solver() does.
[[nodiscard]] const SolverRow& solver_row(std::string_view name);

[[nodiscard]] Solution solve_auto(const PlacedProblem& problem, const SolverOptions& options);
[[nodiscard]] Solution solve_block(const PlacedProblem& problem, const SolverOptions& options);
[[nodiscard]] Solution solve_exact(const PlacedProblem& problem, const SolverOptions& options);
[[nodiscard]] Solution solve_frequency_major(const PlacedProblem& problem, const SolverOptions& options);
[[nodiscard]] Solution solve_random(const PlacedProblem& problem, const SolverOptions& options);
[[nodiscard]] Solution solve_round_robin(const PlacedProblem& problem, const SolverOptions& options);
[[nodiscard]] Solution solve_size_major(const PlacedProblem& problem, const SolverOptions& options);
[[nodiscard]] Solution solve_spread(const PlacedProblem& problem, const SolverOptions& options);

/// The search of `auto` from `start` only, for improve().
[[nodiscard]] Solution improve_start(const PlacedProblem& problem, const Placement& start,
                                     const SolverOptions& options);

}  // namespace corewise
