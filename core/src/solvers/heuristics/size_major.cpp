/// Solver `size-major`: the pairs with most bytes in large messages share nodes (all bytes where sizes are
/// unknown).
#include "solvers/heuristics/pair_groups.hpp"
#include "solvers/problem/slots.hpp"
#include "solvers/rows.hpp"

namespace corewise {

Solution solve_size_major(const PlacedProblem& problem, const SolverOptions& /*options*/) {
  const Traffic& traffic = problem.traffic;
  const PairGraph graph(traffic.large ? traffic.large->matrix : traffic.folded());
  std::vector<WeightedPair> pairs;
  for (std::int32_t rank = 0; rank < graph.n_ranks(); ++rank) {
    for (const PairTraffic& pair : graph.partners(Rank{rank})) {
      if (raw(pair.peer) > rank) pairs.push_back({Rank{rank}, pair.peer, pair.bytes});
    }
  }
  Solution solution;
  solution.placement = place_in_order(problem, group_on_nodes(problem, std::move(pairs)));
  return solution;
}

}  // namespace corewise
