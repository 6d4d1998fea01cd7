/// SlotTree: numbers the slots and their groups, and computes the path codes.
#include "solvers/problem/slot_tree.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace corewise {
namespace {

constexpr std::size_t kCodeBits = 64;

}  // namespace

SlotTree::SlotTree(const Machine& machine, std::span<const std::int32_t> core_capacity,
                   std::span<const std::uint32_t> distances) {
  number_slots(machine, core_capacity);
  make_codes();
  if (distances.empty()) {
    std::vector<std::uint32_t> of_machine;
    for (const Level& level : machine.levels()) of_machine.push_back(level.distance);
    set_distances(of_machine);
  } else {
    set_distances(distances);
  }
  find_lowest_level();
}

void SlotTree::set_distances(std::span<const std::uint32_t> distances) {
  const std::uint32_t widest = distances.empty() ? 0 : std::ranges::max(distances);
  // At most 20 bits, so that no sum of weight x distance overflows (graph.cpp).
  const int shift = std::max(0, static_cast<int>(std::bit_width(widest)) - 20);
  distance_of_level_.assign(1, 0);
  for (const std::uint32_t distance : distances) distance_of_level_.push_back(distance >> shift);
}

SlotTree SlotTree::inside(int level, std::int32_t group) const {
  const std::int32_t first = first_slot(level, group), end = first_slot(level, group + 1);
  SlotTree tree;
  tree.core_of_slot_.assign(core_of_slot_.begin() + first, core_of_slot_.begin() + end);
  for (int below = 0; below <= level; ++below) {
    const std::int32_t first_group = group_[below][first];
    tree.group_.emplace_back();
    tree.first_slot_.emplace_back();
    for (std::int32_t slot = first; slot < end; ++slot) {
      tree.group_[below].push_back(group_[below][slot] - first_group);
    }
    for (std::int32_t g = first_group; g <= group_[below][end - 1] + 1; ++g) {
      tree.first_slot_[below].push_back(first_slot_[below][g] - first);
    }
  }
  tree.distance_of_level_.assign(distance_of_level_.begin(), distance_of_level_.begin() + level + 1);
  tree.make_codes();
  tree.find_lowest_level();
  return tree;
}

SlotTree SlotTree::of_clusters(std::int32_t size, int level) const {
  const std::int32_t n_units = n_slots() / size;
  SlotTree tree;
  std::vector<std::int32_t> units(n_units + 1);
  std::iota(units.begin(), units.end(), 0);
  tree.first_slot_.push_back(units);
  units.pop_back();
  tree.group_.push_back(std::move(units));
  tree.distance_of_level_ = {0};
  for (std::int32_t unit = 0; unit < n_units; ++unit) tree.core_of_slot_.push_back(core(unit * size));
  for (int higher = level; higher <= n_levels(); ++higher) {
    tree.group_.emplace_back();
    tree.first_slot_.emplace_back();
    for (std::int32_t unit = 0; unit < n_units; ++unit) {
      tree.group_.back().push_back(group_[higher][unit * size]);
    }
    for (const std::int32_t slot : first_slot_[higher]) tree.first_slot_.back().push_back(slot / size);
    tree.distance_of_level_.push_back(distance_of_level_[higher]);
  }
  tree.make_codes();
  tree.find_lowest_level();
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

void SlotTree::find_lowest_level() {
  while (lowest_level_ < n_levels() && n_groups(lowest_level_) == n_slots()) ++lowest_level_;
}

/// Orders the cores by their path from the root. Groups that have slots are numbered from 0 in this order.
void SlotTree::number_slots(const Machine& machine, std::span<const std::int32_t> core_capacity) {
  const int n_levels = machine.n_levels();
  std::vector<CoreIndex> cores;
  for (std::int32_t core = 0; core < machine.n_cores(); ++core) cores.push_back(CoreIndex{core});
  std::ranges::stable_sort(cores, [&](CoreIndex a, CoreIndex b) {
    for (int level = n_levels; level >= 0; --level) {
      if (machine.group(level, a) != machine.group(level, b))
        return machine.group(level, a) < machine.group(level, b);
    }
    return false;
  });
  for (CoreIndex core : cores) {
    const std::int32_t capacity = core_capacity.empty() ? 1 : core_capacity[raw(core)];
    core_of_slot_.insert(core_of_slot_.end(), static_cast<std::size_t>(capacity), core);
  }
  group_.assign(n_levels + 1, std::vector<std::int32_t>(core_of_slot_.size()));
  first_slot_.assign(n_levels + 1, {});
  for (int level = 0; level <= n_levels; ++level) {
    for (std::int32_t slot = 0; slot < n_slots(); ++slot) {
      const bool starts_group =
          slot == 0 || machine.group(level, core(slot)) != machine.group(level, core(slot - 1));
      if (starts_group) first_slot_[level].push_back(slot);
      group_[level][slot] = static_cast<std::int32_t>(first_slot_[level].size()) - 1;
    }
    first_slot_[level].push_back(n_slots());
  }
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
  level_of_bit_.resize(kCodeBits + 1, static_cast<std::uint8_t>(n_levels()));
}

}  // namespace corewise
