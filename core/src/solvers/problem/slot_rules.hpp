/// SlotRules: which vertices may take which slots under the constraints.
#pragma once

#include <vector>

#include "solvers/problem/mapping.hpp"
#include "solvers/problem/placed_problem.hpp"

namespace corewise {

/// Padding vertices may take every slot. The problem must outlive this object.
class SlotRules {
 public:
  explicit SlotRules(const PlacedProblem& problem)
      : problem_(&problem), constrained_(problem.places.constrained) {}

  /// False if every vertex may take every slot.
  [[nodiscard]] bool constrained() const { return constrained_; }

  [[nodiscard]] bool allow_swap(const Mapping& mapping, std::int32_t u, std::int32_t v) const {
    return !constrained_ ||
           (allow(mapping.tree(), u, mapping.slot(v)) && allow(mapping.tree(), v, mapping.slot(u)));
  }

  /// Swaps each misplaced rank, in rank order, to the first slot that it may take, unless that would misplace
  /// an earlier rank.
  /// @return false if some vertex is still misplaced.
  [[nodiscard]] bool repair(const SlotTree& tree, std::vector<std::int32_t>& slot_of) const {
    if (!constrained_) return true;
    Mapping mapping(tree, std::move(slot_of));
    for (std::int32_t v = 0; v < problem_->traffic.n_ranks(); ++v) {
      if (allow(tree, v, mapping.slot(v))) continue;
      for (std::int32_t slot = 0; slot < tree.n_slots(); ++slot) {
        const std::int32_t other = mapping.vertex_at(slot);
        // Ranks before v are already well placed and must remain so. Ranks after v are checked later.
        if (!allow(tree, v, slot) || (other < v && !allow(tree, other, mapping.slot(v)))) continue;
        mapping.swap(v, other);
        break;
      }
    }
    slot_of = mapping.slots();
    for (std::int32_t v = 0; v < mapping.n(); ++v) {
      if (!allow(tree, v, slot_of[v])) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] bool allow(const SlotTree& tree, std::int32_t v, std::int32_t slot) const {
    return v >= problem_->traffic.n_ranks() || may_start(*problem_, Rank{v}, tree.core(slot));
  }
  const PlacedProblem* problem_;
  bool constrained_;
};

}  // namespace corewise
