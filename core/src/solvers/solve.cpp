/// solve(): checks the problem, runs one row of the registry, measures it and checks what it returns.
#include <algorithm>
#include <optional>
#include <utility>

#include "corewise/error.hpp"
#include "corewise/solver.hpp"
#include "solvers/bounds/bound.hpp"
#include "solvers/problem/deadline.hpp"
#include "solvers/problem/needed_part.hpp"
#include "solvers/problem/placed_problem.hpp"
#include "solvers/rows.hpp"
#include "text.hpp"

namespace corewise {
namespace {

void check_solver(const SolverInfo& row, const PlacedProblem& problem) {
  if (!problem.places.constrained || row.supports_constrained_ranks) return;
  throw Error(ErrorCode::unsupported,
              concat("the solver ", row.name,
                     " takes no fixed ranks and no ranks with different numbers of cores; "
                     "use auto or block"));
}

/// Stops a faulty solver before its placement is used.
void check_placement(const PlacedProblem& problem, const Placement& placement, std::string_view solver_name) {
  validate(placement, problem.machine, problem.places.capacity);
  if (placement.n_ranks() == problem.traffic.n_ranks() && keeps_constraints(problem, placement)) return;
  throw Error(ErrorCode::unsupported,
              concat("the solver ", solver_name, " moved a fixed rank; expected it to stay"));
}

/// Scores the placement, adds a bound, and gives every rank all its cores.
void finish(const PlacedProblem& problem, bool optimises, const SolverOptions& options, Solution& solution) {
  check_stop(options.stop);
  solution.score = problem.objective.evaluate(problem.traffic, problem.machine, solution.placement);
  check_stop(options.stop);
  if (widths_differ(problem.constraints)) {  // other places might allow a better placement
    solution.proven = false;
    solution.bound.reset();
    solution.n_optimal.reset();
  } else if (optimises) {
    bounds::tighten(problem, solution);
  }
  solution.placement = with_all_cores(problem, std::move(solution.placement));
}

}  // namespace

Solution solve(const MappingProblem& problem, std::string_view solver_name, const SolverOptions& options) {
  const SolverRow& row = solver_row(solver_name);
  const double start_cpu_s = process_cpu_s();
  if (row.info.optimises) {
    if (const std::optional<NeededPart> part = needed_part(problem)) {
      Solution solution = solve(part->of(problem), solver_name, options);
      solution.placement = part->on_whole(solution.placement);
      solution.n_optimal.reset();  // counted on the part only
      solution.cpu_s = process_cpu_s() - start_cpu_s;
      return solution;
    }
  }
  const PlacedProblem asked = with_places(problem);
  check_solver(row.info, asked);
  const PlacedProblem placed = row.info.optimises ? with_nodes_kept(asked) : asked;
  Solution solution = row.solve(placed, options);
  check_placement(placed, solution.placement, solver_name);
  finish(placed, row.info.optimises, options, solution);
  solution.cpu_s = process_cpu_s() - start_cpu_s;
  return solution;
}

Solution improve(const MappingProblem& problem, const Start& start, SolverOptions options) {
  const PlacedProblem placed = with_nodes_kept(with_places(problem));
  if (start.placement.n_ranks() != problem.traffic.n_ranks()) {
    throw Error(ErrorCode::size_mismatch,
                concat("a start of ", start.placement.n_ranks(), " ranks for traffic of ",
                       problem.traffic.n_ranks(), "; expected as many"));
  }
  validate(start.placement, problem.machine, placed.places.capacity);
  if (!keeps_constraints(placed, start.placement)) {
    throw Error(ErrorCode::bad_input, "the start moves a fixed rank; expected it to stay");
  }

  const double start_cpu_s = process_cpu_s();
  if (options.deadline_cpu_s) *options.deadline_cpu_s -= start.cpu_s;
  Solution solution = improve_start(placed, start.placement, options);
  solution.cut_short |= options.deadline_cpu_s && *options.deadline_cpu_s <= 0;
  finish(placed, true, options, solution);
  solution.cpu_s = start.cpu_s + process_cpu_s() - start_cpu_s;
  return solution;
}

}  // namespace corewise
