/// Solver `frequency-major`: the pairs with most messages share nodes.
#include "solvers/heuristics/pair_groups.hpp"
#include "solvers/rows.hpp"

namespace corewise {

Solution solve_frequency_major(const PlacedProblem& problem, const SolverOptions& /*options*/) {
  return solve_by_pairs(problem, problem.traffic.folded(), &PairTraffic::messages, 1);
}

}  // namespace corewise
