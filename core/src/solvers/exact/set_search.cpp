/// SetSearch: the children of an object take their ranks one after the other. The remaining ranks and
/// children are a smaller problem of the same kind.
#include "solvers/exact/set_search.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace corewise::exact {

SetWeights::SetWeights(const PairGraph& graph)
    : inside_(std::size_t{1} << graph.n_ranks(), 0), degrees_(inside_) {
  const std::int32_t n = graph.n_ranks();
  std::vector<std::vector<Cost>> weight(n, std::vector<Cost>(n, 0));
  std::vector<Cost> degree(n, 0);
  for (std::int32_t rank = 0; rank < n; ++rank) {
    for (const PairTraffic& pair : graph.partners(Rank{rank})) {
      weight[rank][raw(pair.peer)] = static_cast<Cost>(pair.bytes);
      degree[rank] += static_cast<Cost>(pair.bytes);
    }
  }
  for (Subset set = 1; set < inside_.size(); ++set) {
    const int first = std::countr_zero(set);
    const Subset others = set & (set - 1);
    inside_[set] = inside_[others];
    degrees_[set] = degrees_[others] + degree[first];
    for (Subset rest = others; rest != 0; rest &= rest - 1)
      inside_[set] += weight[first][std::countr_zero(rest)];
  }
}

SetSearch::SetSearch(const CoreTree& tree, int n_ranks, SetCost cost)
    : tree_(tree), n_ranks_(n_ranks), cost_(std::move(cost)) {
  for (const IsomorphismClass& of : tree.classes()) {
    std::vector<int>& children = children_.emplace_back();
    for (const auto& [child, count] : of.children)
      children.insert(children.end(), std::min(count, n_ranks), child);
    std::vector<int>& places = places_.emplace_back(children.size(), 0);
    for (std::size_t i = children.size(); i-- > 0;)
      places[i] = tree.classes()[children[i]].size + (i + 1 < children.size() ? places[i + 1] : 0);
  }
}

Cost SetSearch::joined(Cost a, Cost b) const {
  if (a == kNever || b == kNever) return kNever;
  switch (cost_.join) {
    case SetCost::Join::sum:
      return a + b;
    case SetCost::Join::greatest:
      return std::max(a, b);
    default:
      return std::min(a, b);
  }
}

/// @param goals  that this object or an object below it must reach.
Cost SetSearch::of_object(int class_id, Subset set, unsigned goals) {
  if (set == 0) return goals == 0 ? 0 : kNever;
  const int level = tree_.classes()[class_id].level;
  if (level < cost_.lowest) return goals == 0 ? 0 : kNever;
  const Cost own = cost_.of(level, set);
  goals &= ~cost_.reached(level, set);
  if (level > cost_.lowest && own != kNever) return joined(own, of_children(class_id, 0, set, goals));
  return goals == 0 ? own : kNever;
}

Cost SetSearch::of_children(int class_id, std::size_t first, Subset set, unsigned goals) {
  if (first + 1 == children_[class_id].size()) return of_object(children_[class_id][first], set, goals);
  std::vector<Cost>& known = known_[{class_id, first, goals}];
  known.resize(std::size_t{1} << n_ranks_, -kNever);
  if (known[set] == -kNever) known[set] = best_part(class_id, first, set, goals).cost;
  return known[set];
}

/// The ranks and goals of the child `first` if the children from this one on share the set and the goals.
SetSearch::Part SetSearch::best_part(int class_id, std::size_t first, Subset set, unsigned goals) {
  const std::vector<int>& children = children_[class_id];
  const int child = children[first];
  const int most = tree_.classes()[child].size;
  const int least = std::popcount(set) - places_[class_id][first + 1];
  // Children of one class are interchangeable, so the first of them may take the lowest rank.
  const Subset fixed = child == children.back() ? set & -set : 0;
  const Subset open = set & ~fixed;
  Part best{0, 0, kNever};
  for (Subset more = open;; more = (more - 1) & open) {
    const Subset part = more | fixed;
    const bool fits = std::popcount(part) <= most && std::popcount(part) >= least;
    for (unsigned of_part = goals; fits; of_part = (of_part - 1) & goals) {
      const Cost own = of_object(child, part, of_part);
      const bool hopeless = own == kNever || (cost_.join == SetCost::Join::greatest && own >= best.cost);
      if (!hopeless) {
        const Cost cost = joined(own, of_children(class_id, first + 1, set & ~part, goals & ~of_part));
        if (cost < best.cost) best = {part, of_part, cost};
      }
      if (of_part == 0) break;
    }
    if (more == 0) return best;
  }
}

std::vector<CoreIndex> SetSearch::placement() {
  std::vector<CoreIndex> core_of_rank(n_ranks_);
  place(root(), all(), all_goals(), core_of_rank);
  return core_of_rank;
}

void SetSearch::place(const CoreTree::Object& object, Subset set, unsigned goals,
                      std::vector<CoreIndex>& core_of_rank) {
  for (Subset rest = set; object.children.empty() && rest != 0; rest &= rest - 1)
    core_of_rank[std::countr_zero(rest)] = object.core;
  if (object.children.empty() || set == 0) return;
  const int level = tree_.classes()[object.class_id].level;
  if (level >= cost_.lowest) goals &= ~cost_.reached(level, set);
  std::vector<std::int32_t> children = object.children;
  std::erase_if(children, [&](std::int32_t child) { return tree_.objects()[child].class_id < 0; });
  std::ranges::stable_sort(children, {}, [&](std::int32_t child) { return tree_.objects()[child].class_id; });
  const std::vector<int>& classes = children_[object.class_id];
  std::size_t i = 0;  // index in `classes`, which has fewer children if there are more than ranks
  for (const std::int32_t index : children) {
    const CoreTree::Object& child = tree_.objects()[index];
    if (i == classes.size() || child.class_id != classes[i]) continue;
    Part part{set, goals, 0};  // the last child takes what is left
    if (level <= cost_.lowest) {
      part = {0, 0, 0};  // any ranks
      for (Subset left = set; left != 0 && std::popcount(part.set) < child.capacity; left &= left - 1)
        part.set |= left & -left;
    } else if (i + 1 < classes.size()) {
      part = best_part(object.class_id, i, set, goals);
    }
    place(child, part.set, part.goals, core_of_rank);
    set &= ~part.set;
    goals &= ~part.goals;
    ++i;
  }
}

}  // namespace corewise::exact
