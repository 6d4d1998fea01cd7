/// The annealing of link loads and time.
#include "solvers/search/load_search.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "corewise/random.hpp"
#include "solvers/search/anneal.hpp"
#include "solvers/search/load_cost.hpp"

namespace corewise::search {
namespace {

std::uint64_t make_steps(std::int32_t n, Effort effort) {
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

}  // namespace

std::vector<std::int32_t> optimise_loads(const LoadProblem& problem, std::vector<std::int32_t> start,
                                         std::uint64_t seed, Effort effort, WorkMeter& work) {
  if (problem.graph.edges.empty()) return start;
  Random random(seed);
  LoadCost cost(problem.model, Mapping(problem.tree, std::move(start)), problem.worst ? -1 : 1, work);
  SwapProposer proposer(problem.graph, problem.tree, problem.swap_level, problem.rules);

  // What a swap changes and costs here, from a sample.
  constexpr int n_samples = 200;
  const std::uint64_t steps_before = work.steps();
  Cost total_change = 0;
  for (int i = 0; i < n_samples; ++i) {
    const Swap swap = proposer.draw(cost.mapping(), random);
    if (swap.u != swap.v) total_change += std::abs(cost.delta(swap.u, swap.v));
  }
  const std::uint64_t steps_per_proposal = (work.steps() - steps_before) / n_samples + 1;
  const int n_channels = problem.model.counts_time ? 1 : problem.model.highest_class - 1;
  const Cost hottest = std::max<Cost>(1, total_change / n_samples / 2);
  const Cost coldest = std::max<Cost>(1, hottest >> (6 + 4 * n_channels));
  const std::uint64_t n_proposals = make_steps(problem.graph.n_active(), effort) / steps_per_proposal;
  return anneal(cost, proposer, {hottest, coldest, n_proposals}, random, work);
}

}  // namespace corewise::search
