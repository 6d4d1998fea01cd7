/// Solver `size-major`: the pairs with most bytes in large messages share nodes. If message sizes are
/// unknown, all bytes count.
#include "solvers/heuristics/pair_groups.hpp"
#include "solvers/rows.hpp"

namespace corewise {
namespace {

// Pairs with the same role in a program send nearly the same number of bytes, and chance decides which sends
// most. In HPL (N = 2000 and 4000, 16 and 32 ranks; fixtures/matrices/hpl), panels shrink from step to step,
// so neighbours in a row of the process grid differ by factors of 1.10 to 1.35. The next kind of pairs sends
// less than the heaviest by a factor of 1.54 or more. Strictly by weight, a chain of neighbours would be torn
// apart: ranks 6 and 8 would be joined first, and ranks 4 and 14 would be left over.
constexpr double kEquallyHeavy = 1.4142135623730951;

}  // namespace

Solution solve_size_major(const PlacedProblem& problem, const SolverOptions& /*options*/) {
  const Traffic& traffic = problem.traffic;
  return solve_by_pairs(problem, traffic.large ? traffic.large->matrix : traffic.folded(),
                        &PairTraffic::bytes, kEquallyHeavy);
}

}  // namespace corewise
