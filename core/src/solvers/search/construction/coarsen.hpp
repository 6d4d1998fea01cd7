/// Coarsening: pairs of vertices that talk much become one, level by level.
#pragma once

#include <cstdint>
#include <vector>

#include "corewise/random.hpp"
#include "solvers/problem/graph.hpp"
#include "solvers/problem/work_meter.hpp"

namespace corewise::search {

/// A graph whose vertices stand for `size` original ones each.
struct SizedGraph {
  Graph graph;
  std::vector<std::int32_t> size;
};

/// Heavy-edge matching: each vertex, in random order, joins the free partner it talks to most. Vertices
/// without a partner (silent ranks) join each other.
/// @param largest  no joint vertex gets bigger than this.
/// @return [vertex] -> coarse vertex, numbered from 0.
/// Source: Karypis and Kumar, SIAM J. Sci. Comput. 20 (1998), section 3.1.
[[nodiscard]] std::vector<std::int32_t> match_heavy_edges(const SizedGraph& fine, std::int32_t largest,
                                                          Random& random);

/// The graph of the groups; edges inside a group vanish, parallel ones add up (saturating at 31 bits).
[[nodiscard]] SizedGraph contract(const SizedGraph& fine, const std::vector<std::int32_t>& group_of,
                                  WorkMeter& work);

}  // namespace corewise::search
