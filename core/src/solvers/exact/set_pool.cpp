/// SetPool: thinning out, and prices raised on a pool.
#include "solvers/exact/set_pool.hpp"

#include <algorithm>
#include <tuple>

namespace corewise::proof {
namespace {

constexpr int kRaisesPerLook = 100;
/// Prices that can rise by less are not worth another look: neither in bytes nor of what is lacking anyway.
constexpr Cost kLeastRise = kScale / 16;
constexpr Cost kLeastShare = 8;  // one part of so many

Prices half_way(const Prices& from, const Prices& to) {
  Prices middle = from;
  for (std::size_t v = 0; v < from.of_vertex.size(); ++v)
    middle.of_vertex[v] += (to.of_vertex[v] - from.of_vertex[v]) / 2;
  for (std::size_t kind = 0; kind < from.of_kind.size(); ++kind)
    middle.of_kind[kind] += (to.of_kind[kind] - from.of_kind[kind]) / 2;
  return middle;
}

/// Each kind pays for its most overdrawn set: then the prices hold.
void take_back(const CheapestSets& overdrawn, Prices& prices) {
  for (std::size_t kind = 0; kind < prices.of_kind.size(); ++kind) {
    if (overdrawn.least[kind] < 0) prices.of_kind[kind] += overdrawn.least[kind];
  }
}

}  // namespace

void SetPool::thin_out(const Prices& prices, std::size_t count) {
  std::ranges::sort(sets_, {}, [&](const CostedSet& set) {
    return std::tuple(set.cost - prices.of(set.members, set.kind), set.members, set.kind);
  });
  sets_.resize(std::min(count, sets_.size()));
  for (auto& sets : known_) sets.clear();
  for (const CostedSet& set : sets_) known_[set.kind].insert(set.members);
  for (const Group& group : groups_) add(group);
}

void SetPool::add_neighbours() {
  for (const Group& group : groups_) {
    for_each_vertex(group.members, [&](int out) {
      for_each_vertex(family_.instance.all() & ~group.members, [&](int in) {
        add({group.kind, (group.members & ~(Subset{1} << out)) | Subset{1} << in});
      });
    });
  }
}

Prices pool_prices(const GroupFamily& family, const Prices& start, const std::vector<Group>& groups,
                   const Ascent& ascent, std::uint64_t most_steps) {
  SetPool pool(family, groups);
  pool.add_neighbours();
  Prices best = start, at = start, raised = start;
  Cost total = best.total(ascent.count);
  std::uint64_t steps = 0;
  for (int look = 0; look < ascent.rounds && steps < most_steps && !ascent.deadline.passed(); ++look) {
    const CheapestSets overdrawn = overdrawn_sets(family, at, steps);
    take_back(overdrawn, at);
    if (at.total(ascent.count) > total) {
      total = at.total(ascent.count);
      best = std::move(at);
    }
    if (total > ascent.enough) break;
    for (const Group& group : overdrawn.set) {
      if (group.members != 0) pool.add(group);
    }
    Prices from = raised;  // at least as far as the last time, if the new sets allow it
    share_out(pool.cheapest(from), from);
    if (from.total(ascent.count) < total) from = best;
    raised = raise_prices([&](const Prices& prices) { return pool.cheapest(prices); }, from,
                          {ascent.count, ascent.enough, kRaisesPerLook, ascent.deadline});
    const Cost at_most = raised.total(ascent.count);
    if (at_most - total < std::max(kLeastRise, (ascent.enough - at_most) / kLeastShare)) break;
    at = half_way(best, raised);
  }
  return best;
}

}  // namespace corewise::proof
