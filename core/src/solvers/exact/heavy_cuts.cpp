/// HeavyCuts: searches the lowest level first, because few or no cuts of that level reach the wanted load.
#include "solvers/exact/load_search.hpp"

namespace corewise::exact {
namespace {

/// With negative weights, the heaviest cuts are the least.
std::vector<Cost> negative(std::vector<Cost> weight) {
  for (Cost& w : weight) w = -w;
  return weight;
}

}  // namespace

HeavyCuts::HeavyCuts(const TreeInstance& instance, std::vector<Cost> least_load, int level,
                     const ProofLimits& limits)
    : LoadSearch(instance, negative(instance.weight), limits),
      least_load_(std::move(least_load)),
      level_(level),
      top_(instance.n_levels()),
      sizes_(top_) {
  for (const IsomorphismClass& each : instance.classes) {
    if (each.level < top_) sizes_[each.level].insert(each.size);
  }
}

std::optional<bool> HeavyCuts::find() {
  const bool found = choose(level_, {});
  return budget_.exhausted() ? std::nullopt : std::optional(found);
}

/// Chooses a set for this level and one for each level above it.
/// @param lower  the sets chosen for lower levels: each must be inside or outside the new set.
/// @return true also if the limits ran out.
bool HeavyCuts::choose(int level, const std::vector<Subset>& lower) {
  if (level == top_) {
    chosen_ = lower;
    return true;
  }
  for (unsigned inside = 0; inside < (1u << lower.size()); ++inside) {
    Subset within = 0, outside = 0;
    for (std::size_t i = 0; i < lower.size(); ++i) ((inside >> i & 1) != 0 ? within : outside) |= lower[i];
    if ((within & outside) != 0) continue;
    for (const int size : sizes_[level]) {
      if (size < std::popcount(within)) continue;
      // A set of half of the vertices and its complement have the same cut. If no other set is chosen, trying
      // one of both is enough.
      const bool half = lower.empty() && level == top_ - 1 && 2 * size == instance_.n;
      const Subset fixed = half ? Subset{1} : within;
      CutSearch search(graph_, budget_, [&](Subset set) {
        std::vector<Subset> with = lower;
        with.push_back(set);
        return choose(level + 1, with);
      });
      if (search.run(fixed, instance_.all() & ~fixed & ~outside, size, -least_load_[level])) return true;
    }
  }
  return false;
}

std::vector<VertexGroup> HeavyCuts::divide(int class_id, Subset set) {
  std::vector<VertexGroup> groups;
  for (const auto& [child, n_children] : instance_.classes[class_id].children) {
    const auto& [level, size, count, children] = instance_.classes[child];
    for (int i = 0; i < n_children; ++i) {
      const Subset part = part_of(set, level, size);
      if (std::popcount(part) != size) return {};
      groups.push_back({child, part});
      set &= ~part;
    }
  }
  return groups;
}

/// `size` members of the set: first whole chosen sets, then vertices that are in no chosen set.
Subset HeavyCuts::part_of(Subset set, int level, int size) const {
  Subset part = 0, kept_together = 0;
  for (int of = top_ - 1; of >= level_; --of) {
    const Subset chosen = chosen_[of - level_];
    if ((chosen & ~set) != 0 || of > level) continue;
    const int together = std::popcount(part | chosen);
    if (of == level ? part == 0 && together == size : together <= size) part |= chosen;
    kept_together |= chosen;
  }
  for (Subset rest = set & ~part & ~kept_together; std::popcount(part) < size && rest != 0; rest &= rest - 1)
    part |= rest & -rest;
  return part;
}

}  // namespace corewise::exact
