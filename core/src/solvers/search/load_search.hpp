/// The search for the mapping with least (or greatest) link loads or time: starts annealed on their loads.
#pragma once

#include <cstdint>
#include <vector>

#include "corewise/solver.hpp"
#include "solvers/problem/graph.hpp"
#include "solvers/problem/slot_rules.hpp"
#include "solvers/problem/slot_tree.hpp"
#include "solvers/problem/work_meter.hpp"
#include "solvers/search/load_model.hpp"

namespace corewise::search {

struct LoadProblem {
  const LoadModel& model;
  const Graph& graph;  ///< who talks to whom in any phase: where swaps are proposed
  const SlotTree& tree;
  int swap_level = 0;  ///< vertices stay in their group of this level
  bool worst = false;
  const SlotRules* rules = nullptr;  ///< null: every vertex may take every slot
};

/// Anneals from `start`.
/// @return [vertex] -> slot; in the search's own number never worse than the start.
[[nodiscard]] std::vector<std::int32_t> optimise_loads(const LoadProblem& problem,
                                                       std::vector<std::int32_t> start, std::uint64_t seed,
                                                       Effort effort, WorkMeter& work);

}  // namespace corewise::search
