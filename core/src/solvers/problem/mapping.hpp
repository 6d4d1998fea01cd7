/// Mapping: the slot of each vertex and the vertex of each slot, both updated when a search swaps vertices.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "solvers/problem/slot_tree.hpp"

namespace corewise {

/// [vertex] -> slot, a permutation.
using SlotOfVertex = std::vector<std::int32_t>;

/// Vertex v has slot v.
[[nodiscard]] inline SlotOfVertex identity_mapping(std::int32_t n) {
  SlotOfVertex slot_of(n);
  std::iota(slot_of.begin(), slot_of.end(), 0);
  return slot_of;
}

/// [slot] -> vertex.
[[nodiscard]] inline std::vector<std::int32_t> vertex_of_slot(const SlotOfVertex& slot_of) {
  std::vector<std::int32_t> vertex_at(slot_of.size());
  for (std::size_t v = 0; v < slot_of.size(); ++v) vertex_at[slot_of[v]] = static_cast<std::int32_t>(v);
  return vertex_at;
}

/// Two vertices that exchange their slots.
struct Swap {
  std::int32_t u;
  std::int32_t v;
};

class Mapping {
 public:
  /// @param tree  must outlive this object.
  Mapping(const SlotTree& tree, SlotOfVertex slot_of)
      : tree_(&tree), slot_of_(std::move(slot_of)), vertex_at_(vertex_of_slot(slot_of_)) {
    code_of_.reserve(slot_of_.size());
    for (const std::int32_t slot : slot_of_) code_of_.push_back(tree.code(slot));
  }

  [[nodiscard]] std::int32_t n() const { return static_cast<std::int32_t>(slot_of_.size()); }
  [[nodiscard]] const SlotTree& tree() const { return *tree_; }
  [[nodiscard]] std::int32_t slot(std::int32_t v) const { return slot_of_[v]; }
  [[nodiscard]] std::int32_t vertex_at(std::int32_t slot) const { return vertex_at_[slot]; }
  /// The path code of the vertex's slot: SlotTree::code().
  [[nodiscard]] std::uint64_t code(std::int32_t v) const { return code_of_[v]; }
  [[nodiscard]] int meeting_level(std::int32_t u, std::int32_t v) const {
    return tree_->meeting_level_of_codes(code_of_[u], code_of_[v]);
  }
  [[nodiscard]] const SlotOfVertex& slots() const { return slot_of_; }

  void swap(std::int32_t u, std::int32_t v) {
    std::swap(slot_of_[u], slot_of_[v]);
    std::swap(code_of_[u], code_of_[v]);
    vertex_at_[slot_of_[u]] = u;
    vertex_at_[slot_of_[v]] = v;
  }

 private:
  const SlotTree* tree_;
  SlotOfVertex slot_of_;
  std::vector<std::int32_t> vertex_at_;
  std::vector<std::uint64_t> code_of_;
};

}  // namespace corewise
