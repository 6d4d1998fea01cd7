/// RestrictedMaster: thinning out, and duals raised on a pool.
#include "solvers/exact/restricted_master.hpp"

#include <algorithm>
#include <tuple>

namespace corewise::exact {
namespace {

constexpr int kAscentsPerPricing = 100;
/// Duals that can rise by less are not worth another look: neither in bytes nor of what is lacking anyway.
constexpr Cost kLeastRise = kCostScale / 16;
constexpr Cost kLeastShare = 8;  // one part of so many

Duals half_way(const Duals& from, const Duals& to) {
  Duals middle = from;
  for (std::size_t v = 0; v < from.of_vertex.size(); ++v)
    middle.of_vertex[v] += (to.of_vertex[v] - from.of_vertex[v]) / 2;
  for (std::size_t class_id = 0; class_id < from.of_class.size(); ++class_id)
    middle.of_class[class_id] += (to.of_class[class_id] - from.of_class[class_id]) / 2;
  return middle;
}

/// Each class pays for its most of negative reduced cost set: then the duals hold.
void take_back(const Pricing& overdrawn, Duals& duals) {
  for (std::size_t class_id = 0; class_id < duals.of_class.size(); ++class_id) {
    if (overdrawn.least[class_id] < 0) duals.of_class[class_id] += overdrawn.least[class_id];
  }
}

}  // namespace

void RestrictedMaster::keep_least_reduced_costs(const Duals& duals, std::size_t count) {
  std::ranges::sort(sets_, {}, [&](const Column& set) {
    return std::tuple(set.cost - duals.of(set.members, set.class_id), set.members, set.class_id);
  });
  sets_.resize(std::min(count, sets_.size()));
  for (auto& sets : known_) sets.clear();
  for (const Column& set : sets_) known_[set.class_id].insert(set.members);
  for (const VertexGroup& group : groups_) add(group);
}

void RestrictedMaster::add_exchanges() {
  for (const VertexGroup& group : groups_) {
    for_each_vertex(group.members, [&](int out) {
      for_each_vertex(partitioning_.instance.all() & ~group.members, [&](int in) {
        add({group.class_id, (group.members & ~(Subset{1} << out)) | Subset{1} << in});
      });
    });
  }
}

Duals smoothed_column_generation(const SetPartitioning& partitioning, const Duals& start,
                                 const std::vector<VertexGroup>& groups, const AscentLimits& ascent,
                                 std::uint64_t most_steps) {
  RestrictedMaster master(partitioning, groups);
  master.add_exchanges();
  Duals best = start, at = start, raised = start;
  Cost total = best.total(ascent.count);
  std::uint64_t steps = 0;
  for (int pricing = 0; pricing < ascent.rounds && steps < most_steps && !ascent.deadline.passed();
       ++pricing) {
    const Pricing overdrawn = price_negative_sets(partitioning, at, steps);
    take_back(overdrawn, at);
    if (at.total(ascent.count) > total) {
      total = at.total(ascent.count);
      best = std::move(at);
    }
    if (total > ascent.enough) break;
    for (const VertexGroup& group : overdrawn.set) {
      if (group.members != 0) master.add(group);
    }
    Duals from = raised;  // at least as far as the last time, if the new sets allow it
    distribute_slack(master.cheapest(from), from);
    if (from.total(ascent.count) < total) from = best;
    raised = subgradient_ascent([&](const Duals& duals) { return master.cheapest(duals); }, from,
                                {ascent.count, ascent.enough, kAscentsPerPricing, ascent.deadline});
    const Cost at_most = raised.total(ascent.count);
    if (at_most - total < std::max(kLeastRise, (ascent.enough - at_most) / kLeastShare)) break;
    at = half_way(best, raised);
  }
  return best;
}

}  // namespace corewise::exact
