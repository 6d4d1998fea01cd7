/// Solver `block`: ranks in order, node after node, core after core.
#include "solvers/rows.hpp"

namespace corewise {

Solution solve_block(const PlacedProblem& problem, const SolverOptions& /*options*/) {
  Solution solution;
  solution.placement = Placement(problem.places.block);
  return solution;
}

}  // namespace corewise
