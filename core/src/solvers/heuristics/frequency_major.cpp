/// Solver `frequency-major`: the pairs with most messages share nodes.
#include "solvers/heuristics/pair_groups.hpp"
#include "solvers/problem/slots.hpp"
#include "solvers/rows.hpp"

namespace corewise {

Solution solve_frequency_major(const PlacedProblem& problem, const SolverOptions& /*options*/) {
  std::vector<WeightedPair> pairs;
  const PairGraph graph(problem.traffic.folded());
  for (std::int32_t rank = 0; rank < graph.n_ranks(); ++rank) {
    for (const PairTraffic& pair : graph.partners(Rank{rank})) {
      if (raw(pair.peer) > rank) pairs.push_back({Rank{rank}, pair.peer, pair.messages});
    }
  }
  Solution solution;
  solution.placement = place_in_order(problem, group_on_nodes(problem, std::move(pairs)));
  return solution;
}

}  // namespace corewise
