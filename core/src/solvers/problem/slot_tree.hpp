/// SlotTree: the machine as the search sees it. A slot takes exactly one rank; a core of capacity k has k
/// slots and a forbidden core none, so that every mapping is a permutation and capacities need no further
/// care.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "corewise/machine.hpp"
#include "solvers/problem/cost.hpp"

namespace corewise {

/// Slots are numbered so that every group of every level is a contiguous range. Level 0 is the core.
class SlotTree {
 public:
  /// @param core_capacity  [core] slots of that core; empty: 1 everywhere.
  /// @param distances      [level - 1], never falling; empty: the machine's.
  SlotTree(const Machine& machine, std::span<const std::int32_t> core_capacity,
           std::span<const std::uint32_t> distances = {});

  /// The tree of one group's slots alone, numbered from 0.
  [[nodiscard]] SlotTree inside(int level, std::int32_t group) const;
  /// The tree whose slots are units of `size` neighbouring slots of this one, and whose levels are `level`
  /// and those above it.
  /// @param size  divides the groups of `level`.
  [[nodiscard]] SlotTree of_clusters(std::int32_t size, int level) const;

  [[nodiscard]] std::int32_t n_slots() const { return static_cast<std::int32_t>(core_of_slot_.size()); }
  [[nodiscard]] CoreIndex core(std::int32_t slot) const { return core_of_slot_[slot]; }
  /// Levels 0 (core) to n_levels(), where all slots are one group.
  [[nodiscard]] int n_levels() const { return static_cast<int>(group_.size()) - 1; }

  /// The lowest level with a group of several slots: those of one group are all equally far apart.
  [[nodiscard]] int lowest_level() const { return lowest_level_; }

  [[nodiscard]] std::int32_t n_groups(int level) const {
    return static_cast<std::int32_t>(first_slot_[level].size()) - 1;
  }
  [[nodiscard]] std::int32_t group(int level, std::int32_t slot) const { return group_[level][slot]; }
  /// Slots first_slot(level, g) to first_slot(level, g + 1) - 1 are group g.
  [[nodiscard]] std::int32_t first_slot(int level, std::int32_t group) const {
    return first_slot_[level][group];
  }
  [[nodiscard]] std::int32_t group_size(int level, std::int32_t group) const {
    return first_slot_[level][group + 1] - first_slot_[level][group];
  }

  /// Groups of this level are equal in size.
  [[nodiscard]] bool is_even(int level) const;
  /// Those of each level are.
  [[nodiscard]] bool is_even() const;

  /// Path from the root, a bit field per level: the highest bit in which two slots differ tells where they
  /// meet.
  [[nodiscard]] std::uint64_t code(std::int32_t slot) const { return code_[slot]; }
  [[nodiscard]] int meeting_level_of_codes(std::uint64_t a, std::uint64_t b) const {
    return level_of_bit_[std::bit_width(a ^ b)];
  }
  [[nodiscard]] int meeting_level(std::int32_t a, std::int32_t b) const {
    return meeting_level_of_codes(code_[a], code_[b]);
  }
  /// Scaled down by a power of two where distances exceed 20 bits.
  [[nodiscard]] Cost distance_of_level(int level) const { return distance_of_level_[level]; }
  [[nodiscard]] Cost distance(std::int32_t a, std::int32_t b) const {
    return distance_of_level_[meeting_level(a, b)];
  }

 private:
  SlotTree() = default;
  void set_distances(std::span<const std::uint32_t> distances);
  void find_lowest_level();
  void number_slots(const Machine& machine, std::span<const std::int32_t> core_capacity);
  void make_codes();
  std::vector<CoreIndex> core_of_slot_;
  std::vector<std::vector<std::int32_t>> group_;       // [level][slot]
  std::vector<std::vector<std::int32_t>> first_slot_;  // [level][group], one more at the end
  std::vector<std::uint64_t> code_;
  std::vector<std::uint8_t> level_of_bit_;
  std::vector<Cost> distance_of_level_;
  int lowest_level_ = 0;
};

}  // namespace corewise
