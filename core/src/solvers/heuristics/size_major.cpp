/// Solver `size-major`: the pairs with most bytes in large messages share nodes (all bytes where sizes are
/// unknown).
#include "solvers/heuristics/pair_groups.hpp"
#include "solvers/rows.hpp"

namespace corewise {
namespace {

// Pairs that do the same in a program send nearly the same, and which of them sends most is chance:
// neighbours in the rows of HPL's process grid, whose panels shrink from step to step, differ by factors
// of 1.10 to 1.35 (N = 2000 and 4000, 16 and 32 ranks; fixtures/matrices/hpl), and the next kind of pairs
// sends 1.54 times less than the heaviest or still less. Taken strictly by weight, a chain of such neighbours
// falls apart: 6 and 8 are joined first, and 4 and 14 are left over.
constexpr double kEquallyHeavy = 1.4142135623730951;

}  // namespace

Solution solve_size_major(const PlacedProblem& problem, const SolverOptions& /*options*/) {
  const Traffic& traffic = problem.traffic;
  return solve_by_pairs(problem, traffic.large ? traffic.large->matrix : traffic.folded(),
                        &PairTraffic::bytes, kEquallyHeavy);
}

}  // namespace corewise
