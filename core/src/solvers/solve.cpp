/// solve(): checks the problem, runs one row of the registry, measures it and checks what it returns.
#include <algorithm>
#include <utility>

#include "budget.hpp"
#include "corewise/error.hpp"
#include "corewise/solver.hpp"
#include "places.hpp"
#include "proof/bound.hpp"
#include "text.hpp"

namespace corewise {
namespace {

void check_solver(const SolverInfo& row, const MappingProblem& problem) {
  if (!problem.places.choosy || row.heeds_choosy_ranks) return;
  throw Error(ErrorCode::unsupported,
              concat("the solver ", row.name,
                     " takes no fixed ranks and no ranks with different numbers of cores; "
                     "use auto or block"));
}

/// What a row returned, before anyone relies on it.
void check_placement(const MappingProblem& problem, const Placement& placement,
                     std::string_view solver_name) {
  validate(placement, problem.machine, problem.places.capacity);
  if (placement.n_ranks() == problem.traffic.n_ranks() && keeps_constraints(problem, placement)) return;
  throw Error(ErrorCode::unsupported,
              concat("the solver ", solver_name, " moved a fixed rank; expected it to stay"));
}

}  // namespace

Solution solve(const MappingProblem& problem, std::string_view solver_name, const SolverOptions& options) {
  const SolverInfo& row = solver(solver_name);
  MappingProblem complete = problem;
  complete.places = make_places(problem);
  check_solver(row, complete);

  const double start_cpu_s = process_cpu_s();
  Solution solution = row.solve(complete, options);
  check_placement(complete, solution.placement, solver_name);
  solution.score = problem.objective.evaluate(problem.traffic, problem.machine, solution.placement);
  if (widths_differ(problem.constraints)) {  // the ranks could have been packed otherwise
    solution.proven = false;
    solution.bound.reset();
    solution.n_optimal.reset();
  } else if (row.optimises) {
    proof::tighten(complete, solution);
  }
  solution.placement = with_all_cores(complete, std::move(solution.placement));
  solution.cpu_s = process_cpu_s() - start_cpu_s;
  return solution;
}

}  // namespace corewise
