/// Multisection: top down, the ranks are split among the groups of each level, exactly as many as there are
/// slots.
#pragma once

#include <cstdint>
#include <vector>

#include "corewise/random.hpp"
#include "solvers/problem/graph.hpp"
#include "solvers/problem/slot_tree.hpp"
#include "solvers/problem/work_meter.hpp"

namespace corewise::search {

struct MultisectionEffort {
  int tries = 1;      ///< of each bisection of up to 2048 vertices; the least cut is kept
  int n_threads = 1;  ///< at most; the answer doesn't depend on it
};

/// @return [vertex] -> slot, a permutation.
/// Source: dual recursive bipartitioning (Pellegrini, SHPCC 1994) and hierarchical multisection (von
/// Kirchbach, Schulz, Träff, ACM JEA 25, 2020). Ours: strictly balanced.
[[nodiscard]] std::vector<std::int32_t> multisection(const Graph& graph, const SlotTree& tree, Random& random,
                                                     WorkMeter& work, MultisectionEffort effort = {});

/// Keeps who is in which group of `level` and maps anew inside each group.
[[nodiscard]] std::vector<std::int32_t> multisection_inside(const Graph& graph, const SlotTree& tree,
                                                            std::vector<std::int32_t> slot_of, int level,
                                                            Random& random, WorkMeter& work);

}  // namespace corewise::search
