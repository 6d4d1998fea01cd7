/// LoadFeasibility: the object of the lowest free vertex first, sets grown within limits, failures
/// remembered.
#include "solvers/exact/load_feasibility.hpp"

#include <algorithm>
#include <limits>

namespace corewise::exact {
namespace {

/// Before sets are listed: sparse patterns need less.
constexpr std::uint64_t kStepsBeforeListing = 100'000;
constexpr std::uint64_t kMostSetsToEnumerate = 12'000'000;
constexpr std::size_t kMostSetsToKeep = 4'000'000;
/// Looking at a set takes about a fortieth of the time of a step.
constexpr std::uint64_t kSetsPerStep = 40;
constexpr std::uint64_t kMostRounds = 60;

}  // namespace

LoadFeasibility::LoadFeasibility(const LoadInstance& instance, std::vector<Cost> most_load,
                                 const ProofLimits& limits)
    : instance_(instance),
      most_load_(std::move(most_load)),
      limits_(limits),
      graph_(instance.n, instance.weight),
      budget_{limits.most_steps, limits.deadline},
      fits_(instance.classes.size()),
      failed_(instance.classes.size()) {}

std::optional<bool> LoadFeasibility::feasible() {
  if (std::ranges::any_of(most_load_, [](Cost load) { return load < 0; })) return false;
  if (std::ranges::any_of(instance_.classes, [](const IsomorphismClass& each) {
        return each.children.size() > ChildrenLeft::kMostClasses;
      })) {
    return std::nullopt;
  }
  budget_.most = std::min(limits_.most_steps, kStepsBeforeListing);
  bool found = fits(instance_.all(), instance_.root());
  if (budget_.exhausted && limits_.most_steps > kStepsBeforeListing && !limits_.deadline.passed()) {
    budget_.exhausted = false;
    budget_.most = limits_.most_steps;
    if (!list_top_sets()) return false;
    found = fits(instance_.all(), instance_.root());
  }
  if (budget_.exhausted) return std::nullopt;
  return found;
}

std::vector<Subset> LoadFeasibility::parts(Subset set, int class_id) {
  const IsomorphismClass& of = instance_.classes[class_id];
  if (of.has_single_child()) return {set};
  budget_.most = std::numeric_limits<std::uint64_t>::max();
  taken_.clear();
  Rest rest = whole(set, class_id);
  if ((set & ~instance_.padding()) != 0) (void)cover(rest);
  if (budget_.exhausted) return {};
  for (const auto& [child, part] : taken_) {
    rest.set &= ~part;
    rest.left = rest.left.without(child);
  }
  for (std::size_t child = 0; child < of.children.size(); ++child) {  // nobody is left to say where they go
    for (int i = rest.left.of(child); i > 0; --i) {
      Subset part = 0;
      for (int j = 0; j < instance_.classes[of.children[child].first].size; ++j) {
        part |= rest.set & -rest.set;
        rest.set &= rest.set - 1;
      }
      taken_.push_back({child, part});
    }
  }
  std::ranges::stable_sort(taken_, {}, &std::pair<std::size_t, Subset>::first);
  std::vector<Subset> sets;
  for (const auto& [child, part] : taken_) sets.push_back(part);
  return sets;
}

LoadFeasibility::Rest LoadFeasibility::whole(Subset set, int class_id) const {
  return {set, class_id, ChildrenLeft(instance_.classes[class_id])};
}

/// The set's own link is known to carry its load. @return true, too, when the limits ran out.
bool LoadFeasibility::fits(Subset set, int class_id) {
  const IsomorphismClass& of = instance_.classes[class_id];
  if (of.level == 0 || (set & ~instance_.padding()) == 0) return true;
  if (of.has_single_child()) {
    const int child = of.children.front().first;
    return instance_.cut(set) <= most_load_[of.level - 1] && fits(set, child);
  }
  const auto known = fits_[class_id].find(graph_.canonical(set));
  if (known != fits_[class_id].end()) return known->second;
  const bool found = cover(whole(set, class_id));
  if (!budget_.exhausted) fits_[class_id].emplace(graph_.canonical(set), found);
  return found;
}

/// Sets for the children that are left, the first of them for the lowest vertex.
/// @return true when that was possible, or when the limits ran out.
bool LoadFeasibility::cover(const Rest& rest) {
  const Rest key{graph_.canonical(rest.set), rest.class_id, rest.left};
  if (failed_[rest.class_id].contains(key)) return false;
  const bool found = rest.class_id == listed_class_ ? cover_listed(rest) : cover_grown(rest);
  if (!found) failed_[rest.class_id].insert(key);
  return found;
}

bool LoadFeasibility::cover_grown(const Rest& rest) {
  const IsomorphismClass& of = instance_.classes[rest.class_id];
  const Subset lowest = rest.set & -rest.set;
  for (std::size_t child = 0; child < of.children.size(); ++child) {
    if (rest.left.of(child) == 0) continue;
    const IsomorphismClass& child_class = instance_.classes[of.children[child].first];
    const auto use = [&](Subset part) { return take(part, rest, child); };
    SubsetEnumeration enumeration(graph_, budget_, use);
    if (enumeration.run(lowest, rest.set & ~lowest, child_class.size, most_load_[child_class.level]))
      return true;
  }
  return false;
}

bool LoadFeasibility::cover_listed(const Rest& rest) {
  const IsomorphismClass& child_class =
      instance_.classes[instance_.classes[rest.class_id].children.front().first];
  const Cost most_each = kCostScale * most_load_[child_class.level];
  const Cost dual = duals_.of_class[0];
  for (const Subset part : listed_[std::countr_zero(rest.set)]) {
    const Subset others = rest.set & ~part;
    if ((part & ~rest.set) != 0 || duals_.of(others) > (rest.left.of(0) - 1) * (most_each - dual)) continue;
    if (take(part, rest, 0)) return true;
  }
  return false;
}

bool LoadFeasibility::take(Subset part, const Rest& rest, std::size_t child) {
  if (!budget_.spend()) return true;
  if (!fits(part, instance_.classes[rest.class_id].children[child].first)) return false;
  const Rest after{rest.set & ~part, rest.class_id, rest.left.without(child)};
  if ((after.set & ~instance_.padding()) != 0 && !cover(after)) return false;
  taken_.emplace_back(child, part);
  return true;
}

/// Lists the sets that one of the top's equal children can hold. Together they may carry as much as the limit
/// allows each, so none can be far below it at duals that are close to it.
/// @return false where duals show that there is no placement.
bool LoadFeasibility::list_top_sets() {
  int top = instance_.root();
  while (instance_.classes[top].has_single_child()) {
    top = instance_.classes[top].children.front().first;
  }
  if (instance_.classes[top].children.size() != 1) return true;
  const auto [child, n_children] = instance_.classes[top].children.front();
  const int size = instance_.classes[child].size;
  const std::uint64_t n_each = n_sets(instance_.n, size);
  const std::uint64_t rounds = std::min(limits_.most_steps / 4 * kSetsPerStep / n_each, kMostRounds);
  if (n_each > kMostSetsToEnumerate || rounds == 0) return true;

  HopInstance graph;
  graph.n = instance_.n;
  graph.weight = instance_.weight;
  graph.classes = {{1, size, n_children, {}}};
  SetPartitioning cuts{graph, 1, -2 * kCostScale, Duals::nothing(graph)};
  for (int v = 0; v < instance_.n; ++v) cuts.below.of_vertex[v] = kCostScale * instance_.cut(Subset{1} << v);
  const Cost most_each = kCostScale * most_load_[instance_.classes[child].level];
  duals_ =
      subgradient_ascent([&](const Duals& at) { return price_all_sets(cuts, at); }, degree_duals(cuts),
                         {counts(graph), n_children * most_each, static_cast<int>(rounds), limits_.deadline});
  const Cost slack = n_children * most_each - duals_.of_all(graph);
  if (slack < 0) return false;
  std::vector<Column> sets;
  if (!list_columns(cuts, duals_, {slack, kMostSetsToKeep}, sets)) return true;
  listed_.resize(instance_.n);
  for (const Column& set : sets) {
    if (set.cost <= most_each && duals_.of(set.members, 0) >= most_each - slack) {
      listed_[std::countr_zero(set.members)].push_back(set.members);
    }
  }
  listed_class_ = top;
  return true;
}

}  // namespace corewise::exact
