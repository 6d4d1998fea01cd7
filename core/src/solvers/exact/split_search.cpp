/// SplitSearch: the object of the lowest free vertex first, sets grown within limits, failures remembered.
#include "solvers/exact/split_search.hpp"

#include <algorithm>
#include <limits>

namespace corewise::proof {
namespace {

/// Before sets are listed: sparse patterns need less.
constexpr std::uint64_t kStepsBeforeListing = 100'000;
constexpr std::uint64_t kMostSetsToLookAt = 12'000'000;
constexpr std::size_t kMostSetsToKeep = 4'000'000;
/// Looking at a set takes about a fortieth of the time of a step.
constexpr std::uint64_t kLooksPerStep = 40;
constexpr std::uint64_t kMostRounds = 60;

}  // namespace

SplitSearch::SplitSearch(const SplitInstance& instance, std::vector<Cost> most_load,
                         const ProofLimits& limits)
    : instance_(instance),
      most_load_(std::move(most_load)),
      limits_(limits),
      graph_(instance.n, instance.weight),
      count_{limits.most_steps, limits.deadline},
      fits_(instance.kinds.size()),
      failed_(instance.kinds.size()) {}

std::optional<bool> SplitSearch::feasible() {
  if (std::ranges::any_of(most_load_, [](Cost load) { return load < 0; })) return false;
  if (std::ranges::any_of(instance_.kinds,
                          [](const Kind& kind) { return kind.children.size() > ChildrenLeft::kMostKinds; })) {
    return std::nullopt;
  }
  count_.most = std::min(limits_.most_steps, kStepsBeforeListing);
  bool found = fits(instance_.all(), instance_.root());
  if (count_.exhausted && limits_.most_steps > kStepsBeforeListing && !limits_.deadline.passed()) {
    count_.exhausted = false;
    count_.most = limits_.most_steps;
    if (!list_top_sets()) return false;
    found = fits(instance_.all(), instance_.root());
  }
  if (count_.exhausted) return std::nullopt;
  return found;
}

std::vector<Subset> SplitSearch::parts(Subset set, int kind) {
  const Kind& of = instance_.kinds[kind];
  if (of.wraps_one()) return {set};
  count_.most = std::numeric_limits<std::uint64_t>::max();
  taken_.clear();
  Rest rest = whole(set, kind);
  if ((set & ~instance_.silent()) != 0) (void)cover(rest);
  if (count_.exhausted) return {};
  for (const auto& [child, part] : taken_) {
    rest.set &= ~part;
    rest.left = rest.left.without(child);
  }
  for (std::size_t child = 0; child < of.children.size(); ++child) {  // nobody is left to say where they go
    for (int i = rest.left.of(child); i > 0; --i) {
      Subset part = 0;
      for (int j = 0; j < instance_.kinds[of.children[child].first].size; ++j) {
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

SplitSearch::Rest SplitSearch::whole(Subset set, int kind) const {
  return {set, kind, ChildrenLeft(instance_.kinds[kind])};
}

/// The set's own link is known to carry its load. @return true, too, when the limits ran out.
bool SplitSearch::fits(Subset set, int kind) {
  const Kind& of = instance_.kinds[kind];
  if (of.level == 0 || (set & ~instance_.silent()) == 0) return true;
  if (of.wraps_one()) {
    const int child = of.children.front().first;
    return instance_.cut(set) <= most_load_[of.level - 1] && fits(set, child);
  }
  const auto known = fits_[kind].find(graph_.canonical(set));
  if (known != fits_[kind].end()) return known->second;
  const bool found = cover(whole(set, kind));
  if (!count_.exhausted) fits_[kind].emplace(graph_.canonical(set), found);
  return found;
}

/// Sets for the children that are left, the first of them for the lowest vertex.
/// @return true when that was possible, or when the limits ran out.
bool SplitSearch::cover(const Rest& rest) {
  const Rest key{graph_.canonical(rest.set), rest.kind, rest.left};
  if (failed_[rest.kind].contains(key)) return false;
  const bool found = rest.kind == listed_kind_ ? cover_listed(rest) : cover_grown(rest);
  if (!found) failed_[rest.kind].insert(key);
  return found;
}

bool SplitSearch::cover_grown(const Rest& rest) {
  const Kind& of = instance_.kinds[rest.kind];
  const Subset lowest = rest.set & -rest.set;
  for (std::size_t child = 0; child < of.children.size(); ++child) {
    if (rest.left.of(child) == 0) continue;
    const Kind& kind = instance_.kinds[of.children[child].first];
    const auto use = [&](Subset part) { return take(part, rest, child); };
    SetGrowth growth(graph_, count_, use);
    if (growth.run(lowest, rest.set & ~lowest, kind.size, most_load_[kind.level])) return true;
  }
  return false;
}

bool SplitSearch::cover_listed(const Rest& rest) {
  const Kind& kind = instance_.kinds[instance_.kinds[rest.kind].children.front().first];
  const Cost most_each = kScale * most_load_[kind.level];
  const Cost price = prices_.of_kind[0];
  for (const Subset part : listed_[std::countr_zero(rest.set)]) {
    const Subset others = rest.set & ~part;
    if ((part & ~rest.set) != 0 || prices_.of(others) > (rest.left.of(0) - 1) * (most_each - price)) continue;
    if (take(part, rest, 0)) return true;
  }
  return false;
}

bool SplitSearch::take(Subset part, const Rest& rest, std::size_t child) {
  if (!count_.spend()) return true;
  if (!fits(part, instance_.kinds[rest.kind].children[child].first)) return false;
  const Rest after{rest.set & ~part, rest.kind, rest.left.without(child)};
  if ((after.set & ~instance_.silent()) != 0 && !cover(after)) return false;
  taken_.emplace_back(child, part);
  return true;
}

/// Lists the sets that one of the top's equal children can hold. Together they may carry as much as the limit
/// allows each, so none can be far below it at prices that are close to it.
/// @return false where prices show that there is no placement.
bool SplitSearch::list_top_sets() {
  int top = instance_.root();
  while (instance_.kinds[top].wraps_one()) {
    top = instance_.kinds[top].children.front().first;
  }
  if (instance_.kinds[top].children.size() != 1) return true;
  const auto [child, n_children] = instance_.kinds[top].children.front();
  const int size = instance_.kinds[child].size;
  const std::uint64_t looks = n_sets(instance_.n, size);
  const std::uint64_t rounds = std::min(limits_.most_steps / 4 * kLooksPerStep / looks, kMostRounds);
  if (looks > kMostSetsToLookAt || rounds == 0) return true;

  HopInstance graph;
  graph.n = instance_.n;
  graph.weight = instance_.weight;
  graph.kinds = {{1, size, n_children, {}}};
  GroupFamily cuts{graph, 1, -2 * kScale, Prices::nothing(graph)};
  for (int v = 0; v < instance_.n; ++v) cuts.below.of_vertex[v] = kScale * instance_.cut(Subset{1} << v);
  const Cost most_each = kScale * most_load_[instance_.kinds[child].level];
  prices_ = raise_prices([&](const Prices& at) { return cheapest_sets(cuts, at); }, degree_prices(cuts),
                         {counts(graph), n_children * most_each, static_cast<int>(rounds), limits_.deadline});
  const Cost slack = n_children * most_each - prices_.of_all(graph);
  if (slack < 0) return false;
  std::vector<CostedSet> sets;
  if (!list_sets(cuts, prices_, {slack, kMostSetsToKeep}, sets)) return true;
  listed_.resize(instance_.n);
  for (const CostedSet& set : sets) {
    if (set.cost <= most_each && prices_.of(set.members, 0) >= most_each - slack) {
      listed_[std::countr_zero(set.members)].push_back(set.members);
    }
  }
  listed_kind_ = top;
  return true;
}

}  // namespace corewise::proof
