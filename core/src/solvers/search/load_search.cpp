/// Annealing of link loads and times. A sample of swaps gives the temperatures and the number of proposals.
#include "solvers/search/load_search.hpp"

#include <algorithm>
#include <utility>

#include "corewise/random.hpp"
#include "solvers/problem/fixed_point.hpp"
#include "solvers/search/anneal.hpp"
#include "solvers/search/search_parameters.hpp"

namespace corewise::search {
namespace {

std::uint64_t annealing_steps(std::int32_t n, Effort effort) {
  const auto size = static_cast<std::uint64_t>(n);
  return search_parameters(effort).load_steps_per_rank * size /
         integer_root(std::max<std::uint64_t>(size / 1024, 1));
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
  // Lower classes have less weight, so their loads settle at lower temperatures.
  const int n_classes = problem.model.counts_time ? 1 : problem.model.highest_class - 1;
  const Cost coldest =
      hottest >> (kCommon.load_cooling_bits + kCommon.load_cooling_bits_per_class * n_classes);
  const std::uint64_t proposals =
      annealing_steps(problem.graph.n_active(), effort) / sample.steps_per_proposal;
  return anneal(cost, proposer, {hottest, coldest, proposals}, random, work);
}

}  // namespace corewise::search
