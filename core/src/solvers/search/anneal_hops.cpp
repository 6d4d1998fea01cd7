/// Annealing of hop-bytes, with a gain cache if it fits the processor's caches.
#include "solvers/search/anneal_hops.hpp"

#include <utility>

#include "solvers/search/gain_cache.hpp"
#include "solvers/search/hop_cost.hpp"

namespace corewise::search {

SlotOfVertex anneal_hops(const HopModel& model, SlotOfVertex slot_of, const CoolingSchedule& schedule,
                         Random& random, WorkMeter& work) {
  SwapProposer proposer(model.graph, model.tree, model.tree.n_levels(), model.rules);
  if (GainCache::n_entries(model.tree) <= kCommon.max_cached_gains) {
    GainCache cost(model, std::move(slot_of), work);
    return anneal(cost, proposer, schedule, random, work);
  }
  HopCost cost(model, std::move(slot_of), work);
  return anneal(cost, proposer, schedule, random, work);
}

SlotOfVertex anneal_vertices(const HopModel& model, SlotOfVertex slot_of, Cost initial_percent,
                             std::uint64_t proposals_per_vertex, Random& random, WorkMeter& work) {
  if (!model.has_choice()) return slot_of;
  const std::uint64_t proposals = proposals_per_vertex * model.graph.n_active();
  const TemperatureScale temperatures(model.graph, model.tree);
  return anneal_hops(model, std::move(slot_of), temperatures.schedule(initial_percent, proposals), random,
                     work);
}

}  // namespace corewise::search
