/// Solvers: search for a placement of ranks on a machine. Each is one row of src/solvers/registry.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "corewise/constraints.hpp"
#include "corewise/objective.hpp"
#include "corewise/stop.hpp"

namespace corewise {

/// How much work a solver may do. Work is counted in steps, not in time, so results repeat on any machine.
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
      deadline_cpu_s;         ///< CPU time of all threads. A search that reaches it ends (cut_short).
  int threads = 1;            ///< the most to use; the result does not depend on this number
  std::stop_token stop = {};  ///< once requested from another thread, the search soon throws Stopped
};

/// A placement and what is known about it.
struct Solution {
  Placement placement;
  Score score;                 ///< of the problem's objective
  bool proven = false;         ///< the score is proven optimal
  std::optional<Score> bound;  ///< no placement scores lower (higher if MappingProblem::worst)
  std::optional<std::uint64_t>
      n_optimal;           ///< number of placements with the optimal score, if the solver counted them
  bool cut_short = false;  ///< the deadline or a stop ended the search
  double cpu_s = 0;
};

/// The description of a solver.
struct SolverInfo {
  std::string_view name;
  std::string_view sentence;
  std::string_view citation;
  bool optimises;                   ///< searches for the best score; tests compare it with brute force
  bool supports_constrained_ranks;  ///< takes fixed ranks and ranks with different numbers of cores
};

/// All solvers, sorted by name.
[[nodiscard]] std::span<const SolverInfo> solvers();
/// @throws Error(bad_input) naming the nearest solver.
[[nodiscard]] const SolverInfo& solver(std::string_view name);

/// Runs a solver, measures its CPU time, checks its placement and gives every rank all its cores.
///
/// With several cores per rank, the machine is first divided into places (src/solvers/problem/places.hpp).
/// `proven` and `bound` then hold among placements on these places. If ranks have different numbers of cores,
/// the solution has neither.
/// @throws Error(bad_input) when the constraints contradict each other or the machine, or leave too little
/// room.
/// @throws Error(size_mismatch) when a column of the constraints has the wrong length.
/// @throws Error(unsupported) when the solver doesn't take such constraints.
/// @throws Stopped once the stop of the options was requested.
[[nodiscard]] Solution solve(const MappingProblem& problem, std::string_view solver_name,
                             const SolverOptions& options);

/// A placement that another tool made.
struct Start {
  Placement placement;  ///< the first core of every rank
  double cpu_s = 0;     ///< CPU time of the tool; added to the solution's, and taken from the deadline
};

/// Improves `start` with the search of the solver `auto`. The result is never worse than the start.
/// @throws as solve() does; Error(bad_input) when the start breaks a constraint.
[[nodiscard]] Solution improve(const MappingProblem& problem, const Start& start, SolverOptions options);

}  // namespace corewise
