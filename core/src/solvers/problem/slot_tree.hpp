/// SlotTree: the machine's tree with slots as leaves. A slot takes exactly one vertex: a rank or padding. A
/// core of capacity k has k slots, a forbidden core none. So a mapping is a permutation, and every
/// permutation respects the capacities.
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
  /// @param core_capacity  [core] number of slots; empty: 1 everywhere.
  /// @param distances      [level - 1], non-decreasing; empty: the machine's.
  SlotTree(const Machine& machine, std::span<const std::int32_t> core_capacity,
           std::span<const std::uint32_t> distances = {});

  /// The subtree of one group, with slots numbered from 0.
  [[nodiscard]] SlotTree inside(int level, std::int32_t group) const;
  /// The tree of clusters: each slot of it is `size` consecutive slots of this tree, and its levels are the
  /// cluster itself, `level` and the levels above.
  /// @param size  divides the sizes of all groups of `level`.
  [[nodiscard]] SlotTree of_clusters(std::int32_t size, int level) const;

  [[nodiscard]] std::int32_t n_slots() const { return static_cast<std::int32_t>(core_of_slot_.size()); }
  [[nodiscard]] CoreIndex core(std::int32_t slot) const { return core_of_slot_[slot]; }
  /// Levels 0 (core) to n_levels(), where all slots are one group.
  [[nodiscard]] int n_levels() const { return static_cast<int>(group_.size()) - 1; }

  /// The lowest level with a group of several slots. The slots of such a group are all equally far apart.
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

  /// Whether all groups of this level have the same size.
  [[nodiscard]] bool is_even(int level) const;
  /// Whether is_even(level) holds for every level.
  [[nodiscard]] bool is_even() const;

  /// Path from the root, one bit field per level. The highest bit in which two codes differ gives the level
  /// where the slots meet.
  [[nodiscard]] std::uint64_t code(std::int32_t slot) const { return code_[slot]; }
  [[nodiscard]] int meeting_level_of_codes(std::uint64_t a, std::uint64_t b) const {
    return level_of_bit_[std::bit_width(a ^ b)];
  }
  [[nodiscard]] int meeting_level(std::int32_t a, std::int32_t b) const {
    return meeting_level_of_codes(code_[a], code_[b]);
  }
  /// Divided by a power of two if any distance exceeds 20 bits.
  [[nodiscard]] Cost distance_of_level(int level) const { return distance_of_level_[level]; }
  [[nodiscard]] Cost distance(std::int32_t a, std::int32_t b) const {
    return distance_of_level_[meeting_level(a, b)];
  }

 private:
  SlotTree() = default;
  void number_groups();
  void make_codes();
  std::vector<CoreIndex> core_of_slot_;
  std::vector<std::vector<std::int32_t>> group_;       // [level][slot]
  std::vector<std::vector<std::int32_t>> first_slot_;  // [level][group]; one more entry: n_slots()
  std::vector<std::uint64_t> code_;
  std::vector<std::uint8_t> level_of_bit_;
  std::vector<Cost> distance_of_level_;
  int lowest_level_ = 0;
};

}  // namespace corewise
