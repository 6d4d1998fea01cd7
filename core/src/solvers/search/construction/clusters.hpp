/// Mapping by clusters: ranks that exchange most are joined in small clusters of one size, and whole clusters
/// are mapped as if each were one rank. Annealing then moves several ranks at once, which crosses barriers
/// that single swaps do not, as in recursive doubling.
///
/// Source: multilevel refinement (Hendrickson and Leland, SC 1995). Own: clusters of one size keep the
/// balance exact, and are annealed.
#pragma once

#include <cstdint>
#include <vector>

#include "corewise/random.hpp"
#include "solvers/problem/graph.hpp"
#include "solvers/problem/mapping.hpp"
#include "solvers/problem/work_meter.hpp"

namespace corewise::search {

/// Clusters of `size` ranks, mapped to the groups of `level`, each of which holds a whole number of clusters.
/// Inside these groups ranks are mapped one by one afterwards.
struct ClusterScheme {
  std::int32_t size;
  int level;
};

/// Clusters of two, three and four, for every level below the highest that they fill, the lowest level first;
/// of levels with the same groups only the highest.
[[nodiscard]] std::vector<ClusterScheme> cluster_schemes(const SlotTree& tree);

[[nodiscard]] SlotOfVertex map_clusters(const Graph& graph, const SlotTree& tree, const ClusterScheme& scheme,
                                        Random& random, WorkMeter& work);

}  // namespace corewise::search
