/// LoadFeasibility: the child with the lowest vertex first, sets by CutSearch, failures remembered.
#include "solvers/exact/load_feasibility.hpp"

#include <algorithm>
#include <limits>

#include "solvers/exact/subgradient_ascent.hpp"

namespace corewise::exact {
namespace {

/// Sparse patterns need fewer steps; only then sets are listed.
constexpr std::uint64_t kStepsBeforeListing = 100'000;
constexpr std::uint64_t kMostSetsToEnumerate = 12'000'000;
constexpr std::uint64_t kMostRounds = 60;

}  // namespace

LoadFeasibility::LoadFeasibility(const LoadInstance& instance, std::vector<Cost> most_load,
                                 const ProofLimits& limits)
    : instance_(instance),
      most_load_(std::move(most_load)),
      limits_(limits),
      graph_(instance.n, instance.weight),
      budget_(std::min(limits.most_steps, kStepsBeforeListing), limits.deadline),
      fits_(instance.classes.size()),
      failed_(instance.classes.size()) {}

std::optional<bool> LoadFeasibility::find() {
  if (std::ranges::any_of(most_load_, [](Cost load) { return load < 0; })) return false;
  if (!ChildrenLeft::can_count(instance_.classes)) return std::nullopt;
  bool found = fits(instance_.all(), instance_.root());
  if (budget_.exhausted() && limits_.most_steps > kStepsBeforeListing && !limits_.deadline.passed()) {
    budget_.resume(limits_.most_steps);
    if (!list_top_sets()) return false;
    found = fits(instance_.all(), instance_.root());
  }
  if (budget_.exhausted()) return std::nullopt;
  return found;
}

std::vector<VertexGroup> LoadFeasibility::divide(int class_id, Subset set) {
  const IsomorphismClass& of = instance_.classes[class_id];
  if (of.has_single_child()) return {{of.children.front().first, set}};
  budget_.resume(std::numeric_limits<std::uint64_t>::max());
  taken_.clear();
  Remainder rest{set, class_id, ChildrenLeft(of)};
  if (!is_padding(set)) (void)cover(rest);
  if (budget_.exhausted()) return {};
  std::vector<VertexGroup> groups;
  for (const auto& [child, part] : taken_) {
    groups.push_back({of.children[child].first, part});
    rest.vertices &= ~part;
    rest.left = rest.left.without(child);
  }
  for (std::size_t child = 0; child < of.children.size(); ++child) {  // padding may go anywhere
    for (int i = rest.left.of(child); i > 0; --i) {
      Subset part = 0;
      for (int j = 0; j < instance_.classes[of.children[child].first].size; ++j) {
        part |= rest.vertices & -rest.vertices;
        rest.vertices &= rest.vertices - 1;
      }
      groups.push_back({of.children[child].first, part});
    }
  }
  return groups;
}

/// Whether the links inside an object can carry their loads; its own link is known to.
/// @return true, too, when the limits ran out.
bool LoadFeasibility::fits(Subset set, int class_id) {
  const IsomorphismClass& of = instance_.classes[class_id];
  if (of.level == 0 || is_padding(set)) return true;
  if (of.has_single_child()) {
    const int child = of.children.front().first;
    return instance_.cut(set) <= most_load_[of.level - 1] && fits(set, child);
  }
  const auto known = fits_[class_id].find(graph_.canonical(set));
  if (known != fits_[class_id].end()) return known->second;
  const bool found = cover({set, class_id, ChildrenLeft(of)});
  if (!budget_.exhausted()) fits_[class_id].emplace(graph_.canonical(set), found);
  return found;
}

/// Finds sets for the children that are left, the first of them for the lowest vertex.
/// @return true, too, when the limits ran out.
bool LoadFeasibility::cover(const Remainder& rest) {
  const Remainder key{graph_.canonical(rest.vertices), rest.class_id, rest.left};
  if (failed_[rest.class_id].contains(key)) return false;
  const bool found = rest.class_id == listed_class_ ? cover_by_list(rest) : cover_by_search(rest);
  if (!found) failed_[rest.class_id].insert(key);
  return found;
}

bool LoadFeasibility::cover_by_search(const Remainder& rest) {
  const IsomorphismClass& of = instance_.classes[rest.class_id];
  const Subset lowest = rest.vertices & -rest.vertices;
  for (std::size_t child = 0; child < of.children.size(); ++child) {
    if (rest.left.of(child) == 0) continue;
    const IsomorphismClass& child_class = instance_.classes[of.children[child].first];
    CutSearch search(graph_, budget_, [&](Subset part) { return take(part, rest, child); });
    if (search.run(lowest, rest.vertices & ~lowest, child_class.size, most_load_[child_class.level]))
      return true;
  }
  return false;
}

bool LoadFeasibility::cover_by_list(const Remainder& rest) {
  const IsomorphismClass& child_class =
      instance_.classes[instance_.classes[rest.class_id].children.front().first];
  const Cost most_each = kCostScale * most_load_[child_class.level];
  const Cost dual = duals_.of_class[0];
  for (const Subset part : listed_[std::countr_zero(rest.vertices)]) {
    const Subset others = rest.vertices & ~part;
    if ((part & ~rest.vertices) != 0 || duals_.of(others) > (rest.left.of(0) - 1) * (most_each - dual))
      continue;
    if (take(part, rest, 0)) return true;
  }
  return false;
}

bool LoadFeasibility::take(Subset part, const Remainder& rest, std::size_t child) {
  if (!budget_.spend()) return true;
  if (!fits(part, instance_.classes[rest.class_id].children[child].first)) return false;
  const Remainder after{rest.vertices & ~part, rest.class_id, rest.left.without(child)};
  if (!is_padding(after.vertices) && !cover(after)) return false;
  taken_.emplace_back(child, part);
  return true;
}

/// Lists the sets that one of the top's equal children can hold. Set partitioning with cuts for costs: all
/// children together may carry their limit, so no set's reduced cost can exceed the slack, nor can its duals
/// fall short of the limit by more.
/// @return false where the dual bound shows that there is no placement.
bool LoadFeasibility::list_top_sets() {
  int top = instance_.root();
  while (instance_.classes[top].has_single_child()) top = instance_.classes[top].children.front().first;
  if (instance_.classes[top].children.size() != 1) return true;
  const auto [child, n_children] = instance_.classes[top].children.front();
  const int size = instance_.classes[child].size;
  const std::uint64_t n_sets = n_subsets(instance_.n, size);
  const std::uint64_t rounds = std::min(limits_.most_steps / 4 * kSetsPerLoadStep / n_sets, kMostRounds);
  if (n_sets > kMostSetsToEnumerate || rounds == 0) return true;

  const TreeInstance groups{instance_.n, instance_.weight, {{1, size, n_children, {}}}};
  SetPartitioning cuts{groups, 1, -2 * kCostScale, Duals::zero(groups)};
  for (int v = 0; v < instance_.n; ++v) cuts.below.of_vertex[v] = kCostScale * instance_.cut(Subset{1} << v);
  const Cost most_each = kCostScale * most_load_[instance_.classes[child].level];
  duals_ = subgradient_ascent(
      [&](const Duals& at) { return price_all_sets(cuts, at); }, degree_duals(cuts),
      {groups.counts(), n_children * most_each, static_cast<int>(rounds), limits_.deadline});
  const Cost slack = n_children * most_each - duals_.objective(groups);
  if (slack < 0) return false;
  std::vector<Column> columns;
  if (!list_columns(cuts, duals_, {slack, kMostColumns}, columns)) return true;
  listed_.resize(instance_.n);
  for (const Column& column : columns) {
    if (column.cost <= most_each && duals_.of(column.members, 0) >= most_each - slack)
      listed_[std::countr_zero(column.members)].push_back(column.members);
  }
  listed_class_ = top;
  return true;
}

}  // namespace corewise::exact
