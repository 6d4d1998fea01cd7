/// SwapProposer: which two vertices a search tries to swap next.
#pragma once

#include <cstdint>
#include <span>

#include "corewise/random.hpp"
#include "solvers/problem/graph.hpp"
#include "solvers/problem/mapping.hpp"
#include "solvers/problem/slot_rules.hpp"

namespace corewise::search {

/// Seven of eight proposals bring a vertex into a group of one of its partners; the others are random.
class SwapProposer {
 public:
  /// @param top_level  vertices stay inside their group of this level; n_levels(): they may go anywhere.
  /// @param rules      no swap against them is proposed; null: every swap is allowed.
  SwapProposer(const Graph& graph, const SlotTree& tree, int top_level, const SlotRules* rules)
      : graph_(&graph),
        tree_(&tree),
        rules_(rules),
        top_level_(top_level),
        lowest_level_(tree.lowest_level()),
        n_active_(graph.n_active()) {}

  /// The vertices with edges are u in turn. If the drawn swap is not allowed, v equals u.
  [[nodiscard]] Swap propose(const Mapping& mapping, Random& random) {
    const Swap swap = draw(mapping, random);
    return rules_ && !rules_->allow_swap(mapping, swap.u, swap.v) ? Swap{swap.u, swap.u} : swap;
  }

 private:
  [[nodiscard]] Swap draw(const Mapping& mapping, Random& random) {
    const std::int32_t u = next_;
    next_ = next_ + 1 < n_active_ ? next_ + 1 : 0;
    const std::span<const Edge> row = graph_->row(u);
    // From the highest bit: 24 for the slot, 24 for the partner, 13 for the level, 3 for the kind of swap.
    const std::uint64_t bits = random.next();
    if (!row.empty() && (bits & 7) != 0) {
      const std::int32_t partner = row[(((bits >> 16) & 0xffffff) * row.size()) >> 24].to;
      const int meeting = mapping.meeting_level(u, partner);
      if (meeting > lowest_level_ && meeting <= top_level_) {
        const auto levels = static_cast<std::uint64_t>(meeting - lowest_level_);
        const int level = lowest_level_ + static_cast<int>((((bits >> 3) & 0x1fff) * levels) >> 13);
        return {u, random_vertex(mapping, level, mapping.slot(partner), bits >> 40)};
      }
    }
    return {u, random_vertex(mapping, top_level_, mapping.slot(u), bits >> 40)};
  }

  /// A random vertex in the group of a slot. @param bits  24 random bits.
  [[nodiscard]] std::int32_t random_vertex(const Mapping& mapping, int level, std::int32_t slot,
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
  std::int32_t n_active_;
  std::int32_t next_ = 0;
};

}  // namespace corewise::search
