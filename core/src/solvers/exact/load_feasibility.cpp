/// LoadFeasibility: fills the child of the lowest vertex first, by CutSearch, and remembers failures.
#include <algorithm>
#include <limits>

#include "solvers/exact/load_search.hpp"

namespace corewise::exact {

LoadFeasibility::LoadFeasibility(const TreeInstance& instance, std::vector<Cost> most_load,
                                 const ProofLimits& limits)
    : LoadSearch(instance, instance.weight, limits),
      most_load_(std::move(most_load)),
      fits_(instance.classes.size()),
      failed_(instance.classes.size()) {}

std::optional<bool> LoadFeasibility::find() {
  if (std::ranges::any_of(most_load_, [](Cost load) { return load < 0; })) return false;
  if (!ChildrenLeft::can_count(instance_.classes)) return std::nullopt;
  const bool found = fits(instance_.all(), instance_.root());
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

/// Whether an object with these vertices can be filled so that no link inside it exceeds its limit.
/// @return true also if the limits ran out.
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

/// Finds sets for the remaining children. The first set contains the lowest vertex.
/// @return true also if the limits ran out.
bool LoadFeasibility::cover(const Remainder& rest) {
  const Remainder key{graph_.canonical(rest.vertices), rest.class_id, rest.left};
  if (failed_[rest.class_id].contains(key)) return false;
  const bool found = cover_by_search(rest);
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

bool LoadFeasibility::take(Subset part, const Remainder& rest, std::size_t child) {
  if (!budget_.spend()) return true;
  if (!fits(part, instance_.classes[rest.class_id].children[child].first)) return false;
  const Remainder after{rest.vertices & ~part, rest.class_id, rest.left.without(child)};
  if (!is_padding(after.vertices) && !cover(after)) return false;
  taken_.emplace_back(child, part);
  return true;
}

}  // namespace corewise::exact
