/// Solver `block`: ranks in order, node after node, core after core.
#include "rows.hpp"
#include "slots.hpp"

namespace corewise {

Solution solve_block(const MappingProblem& problem, const SolverOptions& /*options*/) {
  Solution solution;
  solution.placement = place_in_order(problem, given_nodes(problem));
  return solution;
}

}  // namespace corewise
