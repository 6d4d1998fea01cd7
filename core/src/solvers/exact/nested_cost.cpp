/// NestedCost: branch and bound on the group that contains the lowest vertex; duals give the bounds.
#include "solvers/exact/nested_cost.hpp"

#include <algorithm>
#include <limits>

#include "solvers/exact/ascending_subsets.hpp"

namespace corewise::exact {
namespace {

constexpr Cost kUnlimited = std::numeric_limits<Cost>::max() / 4;

/// Calls use(set) for every set of `members` and `missing` vertices of `open`, in lexicographic order, until
/// use returns false.
/// @return whether use never returned false.
template <typename Use>
bool for_each_completion(Subset members, Subset open, int missing, const Use& use) {
  if (missing == 0) return use(members);
  while (std::popcount(open) >= missing) {
    const Subset next = open & -open;
    open &= ~next;
    if (!for_each_completion(members | next, open, missing - 1, use)) return false;
  }
  return true;
}

/// Visitor of AscendingSubsets: the least cut of all subsets.
struct CheapestCut {
  int n;  ///< vertices of the set

  static bool cut_off(int, int, Cost, const AscendingSubsets<CheapestCut>::Row&) { return false; }
  static void found(int, const CostedSubset&) {}

  CostedSubset last(int first, const auto& joining, const auto& pair, Cost cost, Subset) const {
    Cost least = CostedSubset{}.cost;
    for (int v = first; v < n; ++v) least = std::min(least, joining[v] + pair[v]);
    return {cost + least, 0};
  }
};

}  // namespace

Cost weight_inside_min_bisection(const TreeInstance& instance, Subset set, int size) {
  CheapestCut visitor{std::popcount(set)};
  size = std::min(size, visitor.n - size);
  AscendingSubsets<CheapestCut> parts(visitor.n, size, visitor);
  // Each member counts its weight to the whole set. A pair inside the part isn't cut but was counted twice.
  Cost weight_of_set = 0;
  int i = 0;
  for_each_vertex(set, [&](int u) {
    int j = 0;
    parts.vertex(i) = 0;
    for_each_vertex(set, [&](int v) {
      const Cost weight = u == v ? 0 : instance.between(u, v);
      parts.vertex(i) += weight;
      parts.pair(i, j++) = -2 * weight;
    });
    weight_of_set += parts.vertex(i++);
  });
  // Two parts of equal size are interchangeable, so only parts with the first vertex are enumerated.
  const int last_first = 2 * size == visitor.n ? 0 : visitor.n - size;
  return weight_of_set / 2 - parts.run(0, last_first).cost;
}

template <typename Use>
void NestedCost::for_each_group(const Remainder& rest, Use use) const {
  const Subset lowest = rest.vertices & -rest.vertices;
  for (std::size_t child = 0; child < children(rest).size(); ++child) {
    if (rest.left.of(child) == 0) continue;
    const int size = instance_.classes[children(rest)[child].first].size;
    const auto use_group = [&](Subset group) { return use(child, group); };
    if (!for_each_completion(lowest, rest.vertices & ~lowest, size - 1, use_group)) return;
  }
}

Cost NestedCost::of(Subset set, int class_id) {
  const IsomorphismClass& of = instance_.classes[class_id];
  if (of.level == 0) return 0;
  const Cost own = instance_.factor(of.level) * instance_.inside(set);
  if (of.level == 1) return own;
  if (const auto known = known_[class_id].find(set); known != known_[class_id].end()) return known->second;
  const Cost cost = own + partition({set, class_id, ChildrenLeft(of)}, kUnlimited);
  known_[class_id].emplace(set, cost);
  return cost;
}

Cost NestedCost::partition(const Remainder& rest, Cost limit) {
  if (rest.vertices == 0) return std::min<Cost>(0, limit);
  if (const int size = size_of_bisection(rest)) {
    budget_.spend(1 + n_subsets(std::popcount(rest.vertices), size) / kBisectionsPerSet);
    return std::min(limit, instance_.factor(1) * weight_inside_min_bisection(instance_, rest.vertices, size));
  }
  const Duals& duals = duals_[instance_.classes[rest.class_id].level - 1];
  Cost floor = duals.of(rest.vertices);
  for (std::size_t child = 0; child < children(rest).size(); ++child)
    floor += rest.left.of(child) * duals.of_class[children(rest)[child].first];
  Cost best = limit;
  for_each_group(rest, [&](std::size_t child, Subset group) {
    budget_.spend();
    if (floor >= best) return false;
    const int class_id = children(rest)[child].first;
    const Cost cost = of(group, class_id);
    if (cost + floor - duals.of(group, class_id) < best) {
      const Remainder others{rest.vertices & ~group, rest.class_id, rest.left.without(child)};
      best = std::min(best, cost + partition(others, best - cost));
    }
    return true;
  });
  return best;
}

int NestedCost::size_of_bisection(const Remainder& rest) const {
  if (instance_.classes[rest.class_id].level != 2 || rest.left.total() != 2) return 0;
  std::size_t child = 0;
  while (rest.left.of(child) == 0) ++child;
  return instance_.classes[children(rest)[child].first].size;
}

std::vector<VertexGroup> NestedCost::split(Subset set, int class_id) {
  const IsomorphismClass& parent = instance_.classes[class_id];
  std::vector<VertexGroup> groups;
  Cost cost_left = of(set, class_id) - instance_.factor(parent.level) * instance_.inside(set);
  Remainder rest{set, class_id, ChildrenLeft(parent)};
  while (rest.vertices != 0) {
    for_each_group(rest, [&](std::size_t child, Subset group) {
      const int class_of_group = parent.children[child].first;
      const Cost cost = of(group, class_of_group);
      const Remainder others{rest.vertices & ~group, class_id, rest.left.without(child)};
      if (cost + partition(others, cost_left - cost + 1) != cost_left) return true;
      groups.push_back({class_of_group, group});
      rest = others;
      cost_left -= cost;
      return false;
    });
  }
  return groups;
}

}  // namespace corewise::exact
