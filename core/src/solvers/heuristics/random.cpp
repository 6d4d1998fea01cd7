/// Solver `random`: every valid placement is equally likely; cores are shared only if ranks outnumber them.
#include "corewise/random.hpp"

#include <algorithm>

#include "solvers/rows.hpp"

namespace corewise {

Solution solve_random(const PlacedProblem& problem, const SolverOptions& options) {
  Random random(options.seed);
  const auto n_ranks = static_cast<std::size_t>(problem.traffic.n_ranks());
  std::vector<CoreIndex> slots;
  for (std::int32_t layer = 0; slots.size() < n_ranks; ++layer) {
    const std::size_t layer_start = slots.size();
    for (std::int32_t core = 0; core < problem.machine.n_cores(); ++core) {
      if (problem.places.capacity[core] > layer) slots.push_back(CoreIndex{core});
    }
    random.shuffle(std::span(slots).subspan(layer_start));
  }
  slots.resize(n_ranks);
  random.shuffle(std::span(slots));
  Solution solution;
  solution.placement = Placement(std::move(slots));
  return solution;
}

}  // namespace corewise
