/// Annealing by hop-bytes: pulls are tabulated where the table stays near the processor.
#include "solvers/search/anneal_hops.hpp"

#include <utility>

#include "solvers/search/gain_cache.hpp"
#include "solvers/search/hop_cost.hpp"

namespace corewise::search {

std::vector<std::int32_t> anneal_hops(const HopModel& model, std::vector<std::int32_t> slot_of,
                                      const CoolingSchedule& schedule, Random& random, WorkMeter& work) {
  const auto& [graph, tree, sign, rules] = model;
  SwapProposer proposer(graph, tree, tree.n_levels(), rules);
  Mapping mapping(tree, std::move(slot_of));
  if (GainCache::size(tree) <= max_gain_cache_entries) {
    GainCache cost(graph, std::move(mapping), sign, work);
    return anneal(cost, proposer, schedule, random, work);
  }
  HopCost cost(graph, std::move(mapping), sign, work);
  return anneal(cost, proposer, schedule, random, work);
}

}  // namespace corewise::search
