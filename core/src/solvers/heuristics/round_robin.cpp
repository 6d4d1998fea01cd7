/// Solver `round-robin`: rank 0 to node 0, rank 1 to node 1, and so on. Each node fills its cores in order.
#include <algorithm>

#include "solvers/rows.hpp"

namespace corewise {

Solution solve_round_robin(const PlacedProblem& problem, const SolverOptions& /*options*/) {
  const Machine& machine = problem.machine;
  std::int32_t widest = 0;
  for (std::int32_t node = 0; node < machine.n_nodes(); ++node) {
    widest = std::max(widest, machine.n_cores_on(NodeIndex{node}));
  }

  std::vector<CoreIndex> core_of_rank;
  const auto n_ranks = static_cast<std::size_t>(problem.traffic.n_ranks());
  core_of_rank.reserve(n_ranks);
  for (std::int32_t layer = 0; core_of_rank.size() < n_ranks; ++layer) {
    for (std::int32_t on_node = 0; on_node < widest; ++on_node) {
      for (std::int32_t node = 0; node < machine.n_nodes() && core_of_rank.size() < n_ranks; ++node) {
        if (on_node >= machine.n_cores_on(NodeIndex{node})) continue;
        const std::int32_t core = raw(machine.first_core(NodeIndex{node})) + on_node;
        if (problem.places.capacity[core] > layer) core_of_rank.push_back(CoreIndex{core});
      }
    }
  }
  Solution solution;
  solution.placement = Placement(std::move(core_of_rank));
  return solution;
}

}  // namespace corewise
