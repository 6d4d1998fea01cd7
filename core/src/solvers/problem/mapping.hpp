/// Mapping: the permutation under search, vertices on slots, both ways round.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "solvers/problem/slot_tree.hpp"

namespace corewise {

/// Two vertices that change places.
struct Swap {
  std::int32_t u;
  std::int32_t v;
};

/// Vertices on the slots of a tree.
class Mapping {
 public:
  /// @param slot_of  [vertex] -> slot, a permutation; the tree must outlive this object.
  Mapping(const SlotTree& tree, std::vector<std::int32_t> slot_of)
      : tree_(&tree), slot_of_(std::move(slot_of)) {
    vertex_at_.resize(slot_of_.size());
    code_of_.resize(slot_of_.size());
    for (std::int32_t v = 0; v < n(); ++v) set(v, slot_of_[v]);
  }

  [[nodiscard]] std::int32_t n() const { return static_cast<std::int32_t>(slot_of_.size()); }
  [[nodiscard]] const SlotTree& tree() const { return *tree_; }
  [[nodiscard]] std::int32_t slot(std::int32_t v) const { return slot_of_[v]; }
  [[nodiscard]] std::int32_t vertex_at(std::int32_t slot) const { return vertex_at_[slot]; }
  [[nodiscard]] std::uint64_t code(std::int32_t v) const { return code_of_[v]; }
  [[nodiscard]] int meeting_level(std::int32_t u, std::int32_t v) const {
    return tree_->meeting_level_of_codes(code_of_[u], code_of_[v]);
  }
  [[nodiscard]] const std::vector<std::int32_t>& slots() const { return slot_of_; }

  void swap(std::int32_t u, std::int32_t v) {
    const std::int32_t slot_of_u = slot_of_[u];
    set(u, slot_of_[v]);
    set(v, slot_of_u);
  }

 private:
  void set(std::int32_t v, std::int32_t slot) {
    slot_of_[v] = slot;
    vertex_at_[slot] = v;
    code_of_[v] = tree_->code(slot);
  }
  const SlotTree* tree_;
  std::vector<std::int32_t> slot_of_;
  std::vector<std::int32_t> vertex_at_;
  std::vector<std::uint64_t> code_of_;
};

}  // namespace corewise
