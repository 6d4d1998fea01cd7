/// The heuristic search for the mapping with the least (or greatest) link loads or time: annealing from a
/// given mapping.
#pragma once

#include <cstdint>

#include "corewise/solver.hpp"
#include "solvers/problem/graph.hpp"
#include "solvers/problem/mapping.hpp"
#include "solvers/problem/slot_rules.hpp"
#include "solvers/problem/work_meter.hpp"
#include "solvers/search/load_cost.hpp"

namespace corewise::search {

struct LoadProblem {
  const LoadModel& model;
  const Graph&
      graph;  ///< an edge for each pair that communicates in some phase; proposed swaps follow the edges
  const SlotTree& tree;
  int top_level = 0;  ///< vertices stay in their group of this level
  bool worst = false;
  const SlotRules* rules = nullptr;  ///< null: every vertex may take every slot
};

/// @return a mapping whose LoadCost is no greater than that of `initial`.
[[nodiscard]] SlotOfVertex optimise_loads(const LoadProblem& problem, SlotOfVertex initial,
                                          std::uint64_t seed, Effort effort, WorkMeter& work);

}  // namespace corewise::search
