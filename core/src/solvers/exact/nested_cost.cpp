/// NestedCost: the group of the lowest vertex first, branches cut by duals.
#include "solvers/exact/nested_cost.hpp"

#include <limits>

#include "solvers/exact/min_bisection.hpp"

namespace corewise::exact {
namespace {

constexpr Cost kUnlimited = std::numeric_limits<Cost>::max() / 4;
/// Ways to halve a set are looked at this much faster than other sets.
constexpr std::uint64_t kBisectionsPerStep = 16;

}  // namespace

template <typename Use>
void NestedCost::for_each_group(const Rest& rest, Use use) const {
  for (std::size_t child = 0; child < rest.parent.children.size(); ++child) {
    if (rest.left.of(child) == 0) continue;
    const int size = instance_.classes[rest.parent.children[child].first].size;
    if (!for_each_group_of_lowest(rest.set, size, [&](Subset group) { return use(child, group); })) return;
  }
}

Cost NestedCost::of(Subset set, int class_id) {
  const IsomorphismClass& of = instance_.classes[class_id];
  if (of.level == 0) return 0;
  const Cost own = instance_.factor(of.level) * instance_.inside(set);
  if (of.level == 1) return own;
  if (const Cost* known = known_[class_id].find(set)) return *known;
  const Cost cost = own + partition({set, of, ChildrenLeft(of)}, kUnlimited);
  known_[class_id].put(set, cost);
  return cost;
}

Cost NestedCost::partition(const Rest& rest, Cost limit) {
  if (rest.set == 0) return std::min<Cost>(0, limit);
  if (const int half = size_of_half(rest)) {
    steps_ += 1 + n_sets(std::popcount(rest.set), half) / kBisectionsPerStep;
    return std::min(limit, instance_.factor(1) * weight_inside_min_bisection(instance_, rest.set, half));
  }
  const Duals& duals = duals_[rest.parent.level - 1];
  Cost floor = duals.of(rest.set);
  for (std::size_t child = 0; child < rest.parent.children.size(); ++child) {
    floor += rest.left.of(child) * duals.of_class[rest.parent.children[child].first];
  }
  Cost best = limit;
  for_each_group(rest, [&](std::size_t child, Subset group) {
    ++steps_;
    if (floor >= best) return false;
    const int class_id = rest.parent.children[child].first;
    const Cost cost = of(group, class_id);
    if (cost + floor - duals.of(group, class_id) < best) {
      const Rest others{rest.set & ~group, rest.parent, rest.left.without(child)};
      best = std::min(best, cost + partition(others, best - cost));
    }
    return true;
  });
  return best;
}

int NestedCost::size_of_half(const Rest& rest) const {
  if (rest.parent.level != 2) return 0;
  int n_left = 0, size = 0;
  for (std::size_t child = 0; child < rest.parent.children.size(); ++child) {
    n_left += rest.left.of(child);
    if (rest.left.of(child) > 0) size = instance_.classes[rest.parent.children[child].first].size;
  }
  return n_left == 2 ? size : 0;
}

std::vector<VertexGroup> NestedCost::split(Subset set, int class_id) {
  const IsomorphismClass& parent = instance_.classes[class_id];
  std::vector<VertexGroup> groups;
  Cost cost_left = of(set, class_id) - instance_.factor(parent.level) * instance_.inside(set);
  ChildrenLeft left(parent);
  while (set != 0) {
    for_each_group({set, parent, left}, [&](std::size_t child, Subset group) {
      const int class_of_group = parent.children[child].first;
      const Cost cost = of(group, class_of_group);
      const Rest others{set & ~group, parent, left.without(child)};
      if (cost + partition(others, cost_left - cost + 1) != cost_left) return true;
      groups.push_back({class_of_group, group});
      set = others.set;
      left = others.left;
      cost_left -= cost;
      return false;
    });
  }
  return groups;
}

}  // namespace corewise::exact
