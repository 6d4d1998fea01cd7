/// MultilevelOptions: refinement of a large mapping on every level: whole groups change places, coarsest
/// first, then ranks inside each region of the machine.
#pragma once

#include <cstdint>
#include <vector>

#include "corewise/random.hpp"
#include "solvers/problem/graph.hpp"
#include "solvers/problem/slot_tree.hpp"
#include "solvers/problem/work_meter.hpp"

namespace corewise::search {

struct MultilevelOptions {
  std::uint64_t proposals_per_vertex;  ///< on each level, and in each region
  Cost initial_percent;                ///< of a mean pair of that level at its widest distance
  int sign = 1;                        ///< -1 looks for the worst mapping
  int n_threads = 1;                   ///< at most; the answer doesn't depend on it
};

/// Anneals the groups of every level with groups of one size as if each were one rank of its parent's tree.
/// @return [vertex] -> slot, no worse than slot_of.
/// Source: multilevel refinement (Hendrickson and Leland, SC 1995); ours: the levels are the machine's own.
[[nodiscard]] std::vector<std::int32_t> refine_groups(const Graph& graph, const SlotTree& tree,
                                                      std::vector<std::int32_t> slot_of,
                                                      const MultilevelOptions& zoom, Random& random,
                                                      WorkMeter& work);

/// Anneals inside each group of the highest level whose groups have at most 4096 slots: swaps there leave all
/// traffic to the outside as far as it was, so that groups are independent and stay near the processor.
/// @return [vertex] -> slot, no worse than slot_of.
[[nodiscard]] std::vector<std::int32_t> refine_regions(const Graph& graph, const SlotTree& tree,
                                                       std::vector<std::int32_t> slot_of,
                                                       const MultilevelOptions& zoom, Random& random,
                                                       WorkMeter& work);

}  // namespace corewise::search
