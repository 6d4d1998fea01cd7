/// Solvers: from traffic and a machine to a placement. Each is one row of the registry in
/// src/solvers/registry.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "corewise/constraints.hpp"
#include "corewise/objective.hpp"

namespace corewise {

/// How much work a solver may do; counted in work, not in time, so that results repeat on any machine.
enum class Effort { fast, standard, strong };

/// What to solve.
struct MappingProblem {
  const Traffic& traffic;
  const Machine& machine;
  const ObjectiveInfo& objective;
  bool worst = false;  ///< search for the highest score instead of the lowest
  Constraints constraints = {};
};

/// How to solve it.
struct SolverOptions {
  std::uint64_t seed = 1;
  Effort effort = Effort::standard;
  std::optional<double>
      deadline_cpu_s;         ///< CPU of all threads; only cuts short; the solution says when it did
  int threads = 1;            ///< at most; what is found does not depend on it
  std::stop_token stop = {};  ///< once requested from another thread, ends the search as a deadline does
};

/// A placement and what is known of it.
struct Solution {
  Placement placement;
  Score score;                 ///< of the problem's objective
  bool proven = false;         ///< the score is shown optimal
  std::optional<Score> bound;  ///< no placement is better than this (worse, when looking for the worst)
  std::optional<std::uint64_t>
      n_optimal;  ///< placements that share the optimal score, where the solver counted them
  bool cut_short = false;
  double cpu_s = 0;
};

/// The description of a solver.
struct SolverInfo {
  std::string_view name;
  std::string_view sentence;
  std::string_view citation;
  bool optimises;  ///< aims at the problem's objective: held near brute force by the conformance tests
  bool supports_constrained_ranks;  ///< fixed ones and ones of different widths; the others refuse them
};

/// All solvers, sorted by name.
[[nodiscard]] std::span<const SolverInfo> solvers();
/// @throws Error(bad_input) naming the nearest solver.
[[nodiscard]] const SolverInfo& solver(std::string_view name);

/// Runs a solver, measures its CPU time, checks its placement and gives every rank all its cores.
///
/// With several cores per rank, `proven` and `bound` hold for the places that the machine was cut into; where
/// the ranks' widths differ there is neither.
/// @throws Error(bad_input) when the constraints contradict each other or the machine, or leave too little
/// room.
/// @throws Error(size_mismatch) when a column of the constraints has the wrong length.
/// @throws Error(unsupported) when the solver doesn't take such constraints.
[[nodiscard]] Solution solve(const MappingProblem& problem, std::string_view solver_name,
                             const SolverOptions& options);

/// A placement that another tool made.
struct Start {
  Placement placement;  ///< the first core of every rank
  double cpu_s = 0;     ///< what it took: counts in the solution's, and towards the deadline
};

/// The search of `auto` from `start`, in place of the starts of `auto`; never worse.
/// @throws as solve() does; Error(bad_input) when the start doesn't keep the constraints.
[[nodiscard]] Solution improve(const MappingProblem& problem, const Start& start, SolverOptions options);

}  // namespace corewise
