/// The search for objectives without a known formula (NoForm): it evaluates whole placements.
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
  /// Lower is better. Called from several threads at once.
  std::function<Score(const SlotOfVertex&)> score;
  std::uint64_t steps_per_score;  ///< that WorkMeter counts for one evaluation
  const Graph& partners;          ///< pairs that communicate in some phase; most proposed swaps follow them
  const SlotTree& tree;
  std::int32_t n_ranks;  ///< further vertices are padding
  int top_level;         ///< vertices stay in their group of this level
  const SlotRules& rules;
};

/// Late acceptance hill climbing (Burke and Bykov, European J. Operational Research 258 (2017)) from the best
/// starts. A swap is accepted if the score is no worse than before it, or than a remembered score of an
/// earlier swap. The method only compares scores, so they may be lists and have any scale.
/// @param starts  [start][vertex] -> slot; at least one.
/// @param options the result does not depend on the number of threads, unless the deadline cuts the search
///                 short.
/// @return the mapping of the least score seen; never worse than a start.
[[nodiscard]] SlotOfVertex optimise_scores(const ScoreProblem& problem, std::vector<SlotOfVertex> starts,
                                           const SolverOptions& options, WorkMeter& work);

}  // namespace corewise::search
