/// Solver `size-major`: the pairs with most bytes in large messages share nodes (all bytes where sizes are
/// unknown).
#include "solvers/heuristics/pair_groups.hpp"
#include "solvers/rows.hpp"

namespace corewise {

Solution solve_size_major(const PlacedProblem& problem, const SolverOptions& /*options*/) {
  const Traffic& traffic = problem.traffic;
  return solve_by_pairs(problem, traffic.large ? traffic.large->matrix : traffic.folded(),
                        &PairTraffic::bytes);
}

}  // namespace corewise
