/// Mapping by clusters: joins ranks that exchange most in small clusters, and maps whole clusters as if each
/// were one rank. Annealing then moves several ranks at once, and so leaves local optima that single swaps
/// can't leave, for example with the traffic of recursive doubling.
///
/// Source: multilevel refinement (Hendrickson and Leland, SC 1995). Our changes: all clusters have the same
/// size, which keeps the balance exact, and clusters are annealed.
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

/// Clusters of two, three and four ranks, for every level below the highest whose groups they fill, the
/// lowest level first. Of several levels with the same groups, only the highest counts.
[[nodiscard]] std::vector<ClusterScheme> cluster_schemes(const SlotTree& tree);

/// Divides the vertices into groups of exactly `size`: grows one group after the other, each next to those
/// before it, then swaps members of two groups while that saves weight between groups.
/// @param size  divides the number of vertices.
/// @return [vertex] -> group, numbered from 0.
[[nodiscard]] std::vector<std::int32_t> group_vertices(const Graph& graph, std::int32_t size, Random& random,
                                                       WorkMeter& work);

[[nodiscard]] SlotOfVertex map_clusters(const Graph& graph, const SlotTree& tree, const ClusterScheme& scheme,
                                        Random& random, WorkMeter& work);

}  // namespace corewise::search
