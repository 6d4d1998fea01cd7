/// Solver `exact`: a proven placement, or an error if the effort doesn't suffice for a proof.
#include "corewise/error.hpp"
#include "solvers/exact/prove_or_try.hpp"
#include "solvers/problem/placed_problem.hpp"
#include "solvers/rows.hpp"
#include "text.hpp"

namespace corewise {

Solution solve_exact(const PlacedProblem& problem, const SolverOptions& options) {
  if (widths_differ(problem.constraints)) {
    throw Error(ErrorCode::unsupported,
                "exact proves nothing for ranks with different numbers of cores; use the solver auto");
  }
  Solution solution = prove_or_try(problem, Placement(problem.places.block), options);
  if (solution.proven || solution.cut_short) return solution;
  throw Error(ErrorCode::unsupported,
              concat("exact found no proof for ", problem.traffic.n_ranks(), " ranks on machine '",
                     problem.machine.name(), "'; use the solver auto, or more effort"));
}

}  // namespace corewise
