/// Unit starts: ranks that talk most are joined in small units, and whole units are mapped as if each were
/// one rank: moving them together crosses hills that single swaps do not, as in recursive doubling.
#pragma once

#include <cstdint>
#include <vector>

#include "corewise/random.hpp"
#include "solvers/problem/graph.hpp"
#include "solvers/problem/slot_tree.hpp"
#include "solvers/problem/work_meter.hpp"

namespace corewise::search {

/// How ranks are joined: `size` of them, so that whole units fill the groups of `level`. Lower levels, which
/// units may not fill, are left to a later split.
struct ClusterScheme {
  std::int32_t size;
  int level;
};

/// Pairs, triples and fours wherever they fill groups below the top, the lowest level first; one kind where
/// levels have the same groups.
[[nodiscard]] std::vector<ClusterScheme> cluster_schemes(const SlotTree& tree);

/// @return [vertex] -> slot.
/// Source: multilevel refinement (Hendrickson and Leland, SC 1995). Ours: units of one size keep the balance
/// exact, and are annealed.
[[nodiscard]] std::vector<std::int32_t> place_clusters(const Graph& graph, const SlotTree& tree,
                                                       const ClusterScheme& kind, Random& random,
                                                       WorkMeter& work);

}  // namespace corewise::search
