/// The search for objectives of which nothing is known but the scores of whole placements.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "corewise/solver.hpp"
#include "solvers/problem/graph.hpp"
#include "solvers/problem/mapping.hpp"
#include "solvers/problem/slot_rules.hpp"
#include "solvers/problem/work_meter.hpp"

namespace corewise::search {

struct ScoreProblem {
  /// Of [vertex] -> slot; lower is better. Called from several threads at once.
  std::function<Score(const SlotOfVertex&)> score;
  std::uint64_t steps_per_score;  ///< what one evaluation counts as
  const Graph& partners;          ///< who talks to whom in any phase: where swaps are mostly proposed
  const SlotTree& tree;
  std::int32_t n_ranks;  ///< vertices beyond are padding
  int top_level;         ///< vertices stay in their group of this level
  const SlotRules& rules;
};

/// Late acceptance hill climbing (Burke and Bykov, European J. Operational Research 258 (2017)) from the best
/// of the starts: a swap is taken if the score is no worse than some hundred swaps ago. It needs no more than
/// an order of the scores, so scores may be lists, and values of any scale.
/// @param starts  [start][vertex] -> slot; at least one.
/// @param options the result does not depend on the number of threads, unless the deadline cuts the search
///                 short.
/// @return [vertex] -> slot, of the least score seen; never worse than a start.
[[nodiscard]] SlotOfVertex optimise_scores(const ScoreProblem& problem, std::vector<SlotOfVertex> starts,
                                           const SolverOptions& options, WorkMeter& work);

}  // namespace corewise::search
