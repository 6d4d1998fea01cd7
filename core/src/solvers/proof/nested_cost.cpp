/// NestedCost: the group of the lowest vertex first, branches cut by prices.
#include "solvers/proof/nested_cost.hpp"

#include <limits>

namespace corewise::proof {
namespace {

constexpr Cost kUnlimited = std::numeric_limits<Cost>::max() / 4;

}  // namespace

Cost NestedCost::of(Subset set, int level) {
  if (level == 0) return 0;
  const Cost own = instance_.factor(level) * instance_.inside(set);
  if (level == 1) return own;
  if (const Cost* known = known_[level].find(set)) return *known;
  const Cost cost = own + partition(set, level - 1, kUnlimited);
  known_[level].put(set, cost);
  return cost;
}

Cost NestedCost::partition(Subset rest, int level, Cost limit) {
  if (rest == 0) return std::min<Cost>(0, limit);
  Cost best = limit;
  for_each_group_of_lowest(rest, instance_.size[level], [&](Subset group) {
    ++steps_;
    const Cost others = total(prices_[level], rest & ~group);
    if (total(prices_[level], group) + others >= best) return true;
    const Cost cost = of(group, level);
    if (cost + others < best) best = std::min(best, cost + partition(rest & ~group, level, best - cost));
    return true;
  });
  return best;
}

std::vector<Subset> NestedCost::split(Subset set, int level) {
  std::vector<Subset> groups;
  Cost left = of(set, level) - instance_.factor(level) * instance_.inside(set);
  for (Subset rest = set; rest != 0;) {
    for_each_group_of_lowest(rest, instance_.size[level - 1], [&](Subset group) {
      const Cost cost = of(group, level - 1);
      if (cost + partition(rest & ~group, level - 1, left - cost + 1) != left) return true;
      groups.push_back(group);
      rest &= ~group;
      left -= cost;
      return false;
    });
  }
  return groups;
}

}  // namespace corewise::proof
