/// GainCache: hop-bytes of a mapping. Evaluating a swap takes O(levels) steps, because the weights between
/// each vertex and each group of the tree are cached. Applying a swap takes O(degree x levels), so the cache
/// pays off if most swaps are rejected, as in annealing.
///
/// Source: the gain cache of k-way refinement (KaMinPar, ESA 2021; Mt-KaHyPar). Our change: it covers all
/// levels of a tree.
#pragma once

#include <cstddef>
#include <vector>

#include "solvers/problem/work_meter.hpp"
#include "solvers/search/hop_problem.hpp"

namespace corewise::search {

class GainCache {
 public:
  /// Number of cached weights: vertices x groups of all levels below the highest; 8 bytes each.
  [[nodiscard]] static std::size_t n_entries(const SlotTree& tree);

  /// @pre model.has_choice()
  GainCache(const HopModel& model, SlotOfVertex slot_of, WorkMeter& work);

  [[nodiscard]] const Mapping& mapping() const { return mapping_; }
  [[nodiscard]] Cost value() const { return value_; }

  /// Change of the value if u and v swap their slots. If it exceeds `threshold`, the result may be any
  /// smaller number that still exceeds `threshold`.
  [[nodiscard]] Cost delta(std::int32_t u, std::int32_t v, Cost threshold) const {
    const std::int32_t* const groups_u = columns(mapping_.slot(u));
    const std::int32_t* const groups_v = columns(mapping_.slot(v));
    const Cost* const row_u = row(u);
    const Cost* const row_v = row(v);
    Cost change = 0;
    for (std::size_t depth = 0; depth < n_depths_; ++depth) {
      change +=
          row_u[groups_u[depth]] - row_u[groups_v[depth]] + row_v[groups_v[depth]] - row_v[groups_u[depth]];
    }
    // The sum counts an edge between u and v as if it became shorter; its length stays the same.
    const bool may_be_adjacent = row_u[groups_v[0]] != 0 && (change <= threshold || step_[0] < 0);
    return may_be_adjacent ? change + correction_for_edge(u, v) : change;
  }
  /// Swaps u and v. @param delta  the result of delta(u, v).
  void swap(std::int32_t u, std::int32_t v, Cost delta);

 private:
  /// The columns of a slot's groups, lowest level first.
  [[nodiscard]] const std::int32_t* columns(std::int32_t slot) const {
    return columns_.data() + static_cast<std::size_t>(slot) * n_depths_;
  }
  [[nodiscard]] const Cost* row(std::int32_t v) const { return connection_.data() + v * n_columns_; }
  /// Number of cached levels on which u and v are in different groups.
  [[nodiscard]] std::size_t n_depths_apart(std::int32_t u, std::int32_t v) const {
    return static_cast<std::size_t>(mapping_.meeting_level(u, v) - mapping_.tree().lowest_level());
  }
  /// Correction of delta() for an edge between u and v; 0 without an edge.
  [[nodiscard]] Cost correction_for_edge(std::int32_t u, std::int32_t v) const;
  void move_connections(std::int32_t v, std::int32_t from, std::int32_t target, std::size_t n_depths);

  const Graph* graph_;
  WorkMeter* work_;
  Mapping mapping_;
  Cost value_;
  std::size_t n_depths_ = 0;           ///< cached levels: lowest_level() to n_levels() - 1
  std::size_t n_columns_ = 0;          ///< groups of these levels
  std::vector<Cost> step_;             ///< [depth] sharing a group of that level shortens a distance by this
  std::vector<Cost> steps_below_;      ///< [n_depths_apart] sum of the first steps
  std::vector<std::int32_t> columns_;  ///< [slot][depth]
  std::vector<Cost> connection_;       ///< [vertex][column] weight of the edges into the group x its step
};

}  // namespace corewise::search
