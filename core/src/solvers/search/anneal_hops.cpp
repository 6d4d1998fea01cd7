/// Annealing by hop-bytes: pulls are tabulated where the table stays near the processor.
#include "solvers/search/anneal_hops.hpp"

#include <utility>

#include "solvers/search/hop_cost.hpp"
#include "solvers/search/pull_table.hpp"

namespace corewise::engine {

std::vector<std::int32_t> anneal_hops(const HopModel& model, std::vector<std::int32_t> slot_of,
                                      const Schedule& schedule, Random& random, WorkMeter& work) {
  const auto& [graph, tree, sign, rules] = model;
  SwapProposer proposer(graph, tree, tree.n_levels(), rules);
  Mapping mapping(tree, std::move(slot_of));
  if (PullTable::size(tree) <= largest_pull_table) {
    PullTable cost(graph, std::move(mapping), sign, work);
    return anneal(cost, proposer, schedule, random, work);
  }
  HopCost cost(graph, std::move(mapping), sign, work);
  return anneal(cost, proposer, schedule, random, work);
}

}  // namespace corewise::engine
