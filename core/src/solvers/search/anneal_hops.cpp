/// Annealing of hop-bytes, with a gain cache if it fits the processor's caches.
#include "solvers/search/anneal_hops.hpp"

#include <utility>

#include "solvers/search/gain_cache.hpp"
#include "solvers/search/hop_cost.hpp"

namespace corewise::search {

SlotOfVertex anneal_hops(const HopModel& model, SlotOfVertex slot_of, const CoolingSchedule& schedule,
                         Random& random, WorkMeter& work) {
  const auto& [graph, tree, sign, rules] = model;
  SwapProposer proposer(graph, tree, tree.n_levels(), rules);
  Mapping mapping(tree, std::move(slot_of));
  if (GainCache::n_entries(tree) <= kCommon.max_cached_gains) {
    GainCache cost(graph, std::move(mapping), sign, work);
    return anneal(cost, proposer, schedule, random, work);
  }
  HopCost cost(graph, std::move(mapping), sign, work);
  return anneal(cost, proposer, schedule, random, work);
}

}  // namespace corewise::search
