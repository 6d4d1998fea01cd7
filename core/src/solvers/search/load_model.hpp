/// LoadModel: the input of LoadCost for objectives of the forms GreatestLoads and PhaseTimes.
///
/// Loads are whole numbers of ticks: a fixed number of bytes for GreatestLoads, of seconds for PhaseTimes.
/// Every edge adds ticks to the links on its path and, for PhaseTimes, to the latencies of its two ranks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corewise/solver.hpp"
#include "solvers/problem/placed_problem.hpp"
#include "solvers/problem/slot_tree.hpp"

namespace corewise::search {

struct LoadEdge {
  std::int32_t to;
  std::uint64_t bytes;     ///< times the repeats of the phase
  std::uint64_t messages;  ///< likewise
};

/// The pairs of one phase; each pair is in the rows of both ranks.
struct LoadPhase {
  std::vector<std::uint32_t> start;
  std::vector<LoadEdge> edges;
  [[nodiscard]] std::span<const LoadEdge> row(std::int32_t v) const {
    return {edges.data() + start[v], edges.data() + start[v + 1]};
  }
};

struct LoadModel {
  std::vector<LoadPhase> phases;
  int lowest_class = 2;   ///< of the links that count; class k connects level k - 1 to level k
  int highest_class = 0;  ///< pairs that meet above this level don't count
  bool counts_time = false;
  std::vector<double> ticks_per_byte;     ///< [class]
  std::vector<double> ticks_per_message;  ///< [meeting level]; only with counts_time
};

/// The size of a tick is such that sums of squares fit 62 bits.
[[nodiscard]] LoadModel make_load_model(const GreatestLoads& form, const PlacedProblem& problem,
                                        const SlotTree& tree);
[[nodiscard]] LoadModel make_load_model(const PhaseTimes& form, const PlacedProblem& problem,
                                        const SlotTree& tree);

}  // namespace corewise::search
