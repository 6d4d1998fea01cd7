/// GainCache: hop-bytes under swaps in O(levels), from a table of how much traffic draws each vertex to each
/// group. Accepting a swap costs O(degree x levels), so it pays where most swaps are refused: in annealing.
///
/// Source: the gain table of k-way refinement (KaMinPar, ESA 2021; Mt-KaHyPar). Ours: over all levels of a
/// tree.
#pragma once

#include <vector>

#include "solvers/problem/graph.hpp"
#include "solvers/problem/mapping.hpp"
#include "solvers/problem/work_meter.hpp"

namespace corewise::search {

/// Entries of a pull table that stay near the processor: 16 MB.
constexpr std::size_t max_gain_cache_entries = std::size_t{1} << 21;

class GainCache {
 public:
  /// Entries of the table: vertices x groups of all levels below the highest. 8 bytes each.
  [[nodiscard]] static std::size_t size(const SlotTree& tree);

  /// @param mapping  on a tree whose slots are not all equally far apart.
  /// @param sign  1 looks for the best, -1 for the worst mapping: it multiplies every distance.
  GainCache(const Graph& graph, Mapping mapping, int sign, WorkMeter& work);

  [[nodiscard]] const Mapping& mapping() const { return mapping_; }
  [[nodiscard]] Cost value() const { return value_; }

  /// What swapping the slots of u and v would add to the value; where that is more than `most`, perhaps less
  /// than it is.
  [[nodiscard]] Cost delta(std::int32_t u, std::int32_t v, Cost most) const {
    const std::int32_t* const at_u = columns(mapping_.slot(u));
    const std::int32_t* const at_v = columns(mapping_.slot(v));
    const Cost* const row_u = row(u);
    const Cost* const row_v = row(v);
    Cost change = 0;
    for (std::size_t depth = 0; depth < n_depths_; ++depth) {
      change += row_u[at_u[depth]] - row_u[at_v[depth]] + row_v[at_v[depth]] - row_v[at_u[depth]];
    }
    // Both looked drawn to where the other one is now, while their own traffic goes as far as before.
    const bool may_talk = row_u[at_v[0]] != 0 && (change <= most || step_[0] < 0);
    return may_talk ? change + own_traffic(u, v) : change;
  }
  /// Swaps u and v; `delta` is what delta(u, v) said.
  void swap(std::int32_t u, std::int32_t v, Cost delta);

 private:
  /// Columns of a slot's groups, lowest level first.
  [[nodiscard]] const std::int32_t* columns(std::int32_t slot) const {
    return columns_.data() + static_cast<std::size_t>(slot) * n_depths_;
  }
  [[nodiscard]] const Cost* row(std::int32_t v) const { return pull_.data() + v * n_columns_; }
  /// Below how many of the table's levels two vertices are apart.
  [[nodiscard]] std::size_t depths_apart(std::int32_t u, std::int32_t v) const {
    return static_cast<std::size_t>(mapping_.meeting_level(u, v) - mapping_.tree().lowest_level());
  }
  /// What delta() counts too much for the traffic between u and v.
  [[nodiscard]] Cost own_traffic(std::int32_t u, std::int32_t v) const;
  void move_pull(std::int32_t v, std::int32_t from, std::int32_t target, std::size_t depths);

  const Graph* graph_;
  WorkMeter* work_;
  Mapping mapping_;
  std::size_t n_depths_ = 0;           // levels in the table: lowest_level() to n_levels() - 1
  std::size_t n_columns_ = 0;          // groups of these levels
  std::vector<Cost> step_;             // [depth] distance gained by sharing a group of that level
  std::vector<Cost> closeness_;        // [depths apart] sum of the steps below
  std::vector<std::int32_t> columns_;  // [slot][depth]
  std::vector<Cost> pull_;             // [vertex][column] weight to the group's vertices x step
  Cost value_ = 0;
};

}  // namespace corewise::search
