/// Annealing of link loads and time: temperatures and the number of proposals from a sample of swaps.
#include "solvers/search/load_search.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "corewise/random.hpp"
#include "solvers/problem/fixed_point.hpp"
#include "solvers/search/anneal.hpp"
#include "solvers/search/load_cost.hpp"

namespace corewise::search {
namespace {

/// Steps of the whole annealing. Beyond 1024 ranks they grow with the root of the number of ranks only.
std::uint64_t annealing_steps(std::int32_t n, Effort effort) {
  const auto size = static_cast<std::uint64_t>(n);
  const std::uint64_t slower = integer_root(std::max<std::uint64_t>(size / 1024, 1));
  switch (effort) {
    case Effort::fast:
      return 10'000 * size / slower;
    case Effort::standard:
      return 200'000 * size / slower;
    case Effort::strong:
      return 2'000'000 * size / slower;
  }
  return 0;
}

/// What evaluating a random swap takes, and by how much it changes the cost on average.
struct SwapSample {
  std::uint64_t steps_per_proposal;
  Cost mean_change;
};

SwapSample sample_swaps(LoadCost& cost, SwapProposer& proposer, Random& random, const WorkMeter& work) {
  constexpr int n_samples = 200;
  const std::uint64_t steps_before = work.steps();
  Cost total_change = 0;
  for (int i = 0; i < n_samples; ++i) {
    const Swap swap = proposer.propose(cost.mapping(), random);
    if (swap.u != swap.v) total_change += std::abs(cost.delta(swap.u, swap.v));
  }
  return {(work.steps() - steps_before) / n_samples + 1, total_change / n_samples};
}

}  // namespace

SlotOfVertex optimise_loads(const LoadProblem& problem, SlotOfVertex initial, std::uint64_t seed,
                            Effort effort, WorkMeter& work) {
  if (problem.graph.edges.empty()) return initial;
  Random random(seed);
  LoadCost cost(problem.model, Mapping(problem.tree, std::move(initial)), problem.worst ? -1 : 1, work);
  SwapProposer proposer(problem.graph, problem.tree, problem.top_level, problem.rules);
  const SwapSample sample = sample_swaps(cost, proposer, random, work);
  const Cost hottest = std::max<Cost>(1, sample.mean_change / 2);
  // The loads of the lowest class have the least weight: they still change at the lowest temperatures.
  const int n_classes = problem.model.counts_time ? 1 : problem.model.highest_class - 1;
  const Cost coldest = hottest >> (6 + 4 * n_classes);
  const std::uint64_t proposals =
      annealing_steps(problem.graph.n_active(), effort) / sample.steps_per_proposal;
  return anneal(cost, proposer, {hottest, coldest, proposals}, random, work);
}

}  // namespace corewise::search
