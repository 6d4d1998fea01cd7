/// SwapProposer: which two vertices a search tries to swap next.
#pragma once

#include <cstdint>

#include "corewise/random.hpp"
#include "solvers/problem/graph.hpp"
#include "solvers/problem/mapping.hpp"
#include "solvers/problem/slot_rules.hpp"

namespace corewise::search {

/// Draws swaps: mostly one that brings a vertex into a group of one of its partners, sometimes any other.
class SwapProposer {
 public:
  /// @param top_level  vertices stay inside their group of this level; n_levels() lets them go anywhere.
  /// @param rules      swaps that they don't allow are never drawn; null: all are.
  SwapProposer(const Graph& graph, const SlotTree& tree, int top_level, const SlotRules* rules)
      : graph_(&graph),
        tree_(&tree),
        rules_(rules),
        top_level_(top_level),
        lowest_level_(tree.lowest_level()),
        n_turns_(graph.n_active()) {}

  /// Vertices with partners take turns as the first of the two. May return the same vertex twice, where a
  /// group offers nothing else.
  [[nodiscard]] Swap draw(const Mapping& mapping, Random& random) {
    const Swap swap = draw_any(mapping, random);
    return rules_ && !rules_->allow_swap(mapping, swap.u, swap.v) ? Swap{swap.u, swap.u} : swap;
  }

 private:
  [[nodiscard]] Swap draw_any(const Mapping& mapping, Random& random) {
    const std::int32_t u = turn_;
    turn_ = turn_ + 1 < n_turns_ ? turn_ + 1 : 0;
    const std::span<const Edge> row = graph_->row(u);
    const std::uint64_t bits = random.next();  // 24 for the slot, 24 for the partner, 13 for the level, 3
    if (!row.empty() && (bits & 7) != 0) {
      const std::int32_t partner = row[(((bits >> 16) & 0xffffff) * row.size()) >> 24].to;
      const int meeting = mapping.meeting_level(u, partner);
      if (meeting > lowest_level_ && meeting <= top_level_) {
        const auto levels = static_cast<std::uint64_t>(meeting - lowest_level_);
        const int level = lowest_level_ + static_cast<int>((((bits >> 3) & 0x1fff) * levels) >> 13);
        return {u, any_of_group(mapping, level, mapping.slot(partner), bits >> 40)};
      }
    }
    return {u, any_of_group(mapping, top_level_, mapping.slot(u), bits >> 40)};
  }

  /// @param bits  24 random ones.
  [[nodiscard]] std::int32_t any_of_group(const Mapping& mapping, int level, std::int32_t slot,
                                          std::uint64_t bits) const {
    const std::int32_t group = tree_->group(level, slot);
    const auto size = static_cast<std::uint64_t>(tree_->group_size(level, group));
    return mapping.vertex_at(tree_->first_slot(level, group) +
                             static_cast<std::int32_t>((bits * size) >> 24));
  }

  const Graph* graph_;
  const SlotTree* tree_;
  const SlotRules* rules_;
  int top_level_;
  int lowest_level_;
  std::int32_t n_turns_;
  std::int32_t turn_ = 0;
};

}  // namespace corewise::search
