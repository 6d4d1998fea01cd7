/// SetPool: thinning out, and prices raised on a pool.
#include "solvers/proof/set_pool.hpp"

#include <algorithm>
#include <tuple>

namespace corewise::proof {
namespace {

constexpr int kRaisesPerLook = 100;
/// Prices that rise by less are not worth another look.
constexpr Cost kLeastRise = kScale / 16;

Prices half_way(const Prices& from, const Prices& to) {
  Prices middle = from;
  for (std::size_t v = 0; v < from.of_vertex.size(); ++v)
    middle.of_vertex[v] += (to.of_vertex[v] - from.of_vertex[v]) / 2;
  for (std::size_t kind = 0; kind < from.of_kind.size(); ++kind)
    middle.of_kind[kind] += (to.of_kind[kind] - from.of_kind[kind]) / 2;
  return middle;
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

Prices pool_prices(const GroupFamily& family, const Prices& start, const std::vector<Group>& groups,
                   const Ascent& ascent) {
  SetPool pool(family, groups);
  Prices best = start, at = start;
  Cost total = best.total(ascent.count);
  for (int round = 0; round < ascent.rounds && !ascent.deadline.passed(); ++round) {
    const CheapestSets cheapest = cheapest_sets(family, at);
    share_out(cheapest, at);
    if (at.total(ascent.count) > total) {
      total = at.total(ascent.count);
      best = std::move(at);
    }
    if (total > ascent.enough) break;
    for (const Group& group : cheapest.set) {
      if (group.members != 0) pool.add(group);
    }
    const Prices raised = raise_prices([&](const Prices& prices) { return pool.cheapest(prices); }, best,
                                       {ascent.count, ascent.enough, kRaisesPerLook, ascent.deadline});
    if (raised.total(ascent.count) < total + kLeastRise) break;
    at = half_way(best, raised);
  }
  return best;
}

}  // namespace corewise::proof
