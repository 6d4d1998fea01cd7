/// Multisection: from the highest level down, divides the vertices of each group among its children by
/// recursive bisection. Each child gets exactly one vertex for each of its slots.
///
/// Source: dual recursive bipartitioning (Pellegrini, SHPCC 1994) and hierarchical multisection (von
/// Kirchbach, Schulz, Träff, ACM JEA 25, 2020). Our change: exact sizes.
#pragma once

#include "corewise/random.hpp"
#include "solvers/problem/graph.hpp"
#include "solvers/problem/mapping.hpp"
#include "solvers/problem/work_meter.hpp"

namespace corewise::search {

struct MultisectionOptions {
  int bisection_attempts = 1;  ///< for each bisection of at most 2048 vertices; the least cut is kept
  int n_threads = 1;           ///< at most; the result does not depend on it
};

[[nodiscard]] SlotOfVertex multisection(const Graph& graph, const SlotTree& tree, Random& random,
                                        WorkMeter& work, MultisectionOptions options = {});

/// Keeps every vertex in its group of `level` and remaps the vertices of each group.
[[nodiscard]] SlotOfVertex multisection_inside(const Graph& graph, const SlotTree& tree,
                                               const SlotOfVertex& slot_of, int level, Random& random,
                                               WorkMeter& work);

}  // namespace corewise::search
