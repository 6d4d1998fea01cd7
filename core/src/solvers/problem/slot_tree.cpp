/// SlotTree: numbers the slots and their groups, and computes the path codes.
#include "solvers/problem/slot_tree.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace corewise {

/// Orders the cores by their path from the root.
SlotTree::SlotTree(const Machine& machine, std::span<const std::int32_t> core_capacity,
                   std::span<const std::uint32_t> distances) {
  std::vector<CoreIndex> cores;
  for (std::int32_t core = 0; core < machine.n_cores(); ++core) cores.push_back(CoreIndex{core});
  std::ranges::stable_sort(cores, [&](CoreIndex a, CoreIndex b) {
    for (int level = machine.n_levels(); level >= 0; --level) {
      if (machine.group(level, a) != machine.group(level, b))
        return machine.group(level, a) < machine.group(level, b);
    }
    return false;
  });
  for (CoreIndex core : cores) {
    const std::int32_t capacity = core_capacity.empty() ? 1 : core_capacity[raw(core)];
    core_of_slot_.insert(core_of_slot_.end(), static_cast<std::size_t>(capacity), core);
  }
  std::vector<std::uint32_t> of_levels(distances.begin(), distances.end());
  for (int level = 0; level <= machine.n_levels(); ++level) {
    group_.emplace_back();
    for (const CoreIndex core : core_of_slot_) group_.back().push_back(machine.group(level, core));
    if (level > 0 && distances.empty()) of_levels.push_back(machine.levels()[level - 1].distance);
  }
  const std::uint32_t widest = of_levels.empty() ? 0 : std::ranges::max(of_levels);
  // At most 20 bits, so that no sum of weight x distance overflows (graph.cpp).
  const int shift = std::max(0, static_cast<int>(std::bit_width(widest)) - 20);
  distance_of_level_.assign(1, 0);
  for (const std::uint32_t distance : of_levels) distance_of_level_.push_back(distance >> shift);
  number_groups();
}

SlotTree SlotTree::inside(int level, std::int32_t group) const {
  const std::int32_t first = first_slot(level, group), end = first_slot(level, group + 1);
  SlotTree tree;
  tree.core_of_slot_.assign(core_of_slot_.begin() + first, core_of_slot_.begin() + end);
  for (int below = 0; below <= level; ++below) {
    tree.group_.emplace_back(group_[below].begin() + first, group_[below].begin() + end);
  }
  tree.distance_of_level_.assign(distance_of_level_.begin(), distance_of_level_.begin() + level + 1);
  tree.number_groups();
  return tree;
}

SlotTree SlotTree::of_clusters(std::int32_t size, int level) const {
  SlotTree tree;
  tree.group_.resize(n_levels() - level + 2);
  for (std::int32_t slot = 0; slot < n_slots(); slot += size) {
    tree.core_of_slot_.push_back(core(slot));
    tree.group_.front().push_back(slot);
    for (int higher = level; higher <= n_levels(); ++higher) {
      tree.group_[higher - level + 1].push_back(group_[higher][slot]);
    }
  }
  tree.distance_of_level_.assign(1, 0);
  tree.distance_of_level_.insert(tree.distance_of_level_.end(), distance_of_level_.begin() + level,
                                 distance_of_level_.end());
  tree.number_groups();
  return tree;
}

bool SlotTree::is_even(int level) const {
  for (std::int32_t group = 1; group < n_groups(level); ++group) {
    if (group_size(level, group) != group_size(level, 0)) return false;
  }
  return true;
}

bool SlotTree::is_even() const {
  for (int level = 0; level <= n_levels(); ++level) {
    if (!is_even(level)) return false;
  }
  return true;
}

/// Numbers the groups that have slots from 0 on each level, then computes the codes and the lowest level.
void SlotTree::number_groups() {
  first_slot_.resize(group_.size());
  for (std::size_t level = 0; level < group_.size(); ++level) {
    std::int32_t last = -1;
    for (std::int32_t slot = 0; slot < n_slots(); ++slot) {
      if (slot == 0 || group_[level][slot] != last) first_slot_[level].push_back(slot);
      last = std::exchange(group_[level][slot], static_cast<std::int32_t>(first_slot_[level].size()) - 1);
    }
    first_slot_[level].push_back(n_slots());
  }
  make_codes();
  while (lowest_level_ < n_levels() && n_groups(lowest_level_) == n_slots()) ++lowest_level_;
}

void SlotTree::make_codes() {
  code_.assign(core_of_slot_.size(), 0);
  level_of_bit_.assign(1, 0);
  int shift = 0;
  for (int level = 0; level < n_levels(); ++level) {
    std::uint64_t widest = 0;
    std::vector<std::uint64_t> child(core_of_slot_.size());
    for (std::int32_t slot = 0; slot < n_slots(); ++slot) {
      const std::int32_t parent = group_[level + 1][slot];
      child[slot] =
          static_cast<std::uint64_t>(group_[level][slot] - group_[level][first_slot_[level + 1][parent]]);
      widest = std::max(widest, child[slot]);
    }
    for (std::int32_t slot = 0; slot < n_slots(); ++slot) code_[slot] |= child[slot] << shift;
    const int width = std::bit_width(widest);
    level_of_bit_.insert(level_of_bit_.end(), width, static_cast<std::uint8_t>(level + 1));
    shift += width;
  }
  // No codes differ in higher bits. The full table saves meeting_level_of_codes() a range check.
  level_of_bit_.resize(std::numeric_limits<std::uint64_t>::digits + 1, static_cast<std::uint8_t>(n_levels()));
}

}  // namespace corewise
