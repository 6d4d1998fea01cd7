/// Coarsening: matches vertices by their heaviest edges, and contracts each group of vertices to one vertex.
#pragma once

#include <cstdint>
#include <vector>

#include "corewise/random.hpp"
#include "solvers/problem/graph.hpp"
#include "solvers/problem/work_meter.hpp"

namespace corewise::search {

/// A graph whose vertex v represents size[v] vertices of the original graph.
struct SizedGraph {
  Graph graph;
  std::vector<std::int32_t> size;
};

/// Heavy-edge matching: matches each vertex, in random order, with the free neighbour of its heaviest edge,
/// the smallest one if edges are equal. Vertices without edges are matched with each other.
/// @param max_size  limit on the size of a pair.
/// @return [vertex] -> coarse vertex, numbered from 0.
/// Source: Karypis and Kumar, SIAM J. Sci. Comput. 20 (1998), section 3.1.
[[nodiscard]] std::vector<std::int32_t> match_heavy_edges(const SizedGraph& fine, std::int32_t max_size,
                                                          Random& random);

/// The graph of the groups: edges inside a group vanish, parallel edges add up (to 31 bits at most).
/// @param group_of  [vertex] -> group, numbered from 0.
[[nodiscard]] Graph contract(const Graph& fine, const std::vector<std::int32_t>& group_of, WorkMeter& work);
[[nodiscard]] SizedGraph contract(const SizedGraph& fine, const std::vector<std::int32_t>& group_of,
                                  WorkMeter& work);

}  // namespace corewise::search
