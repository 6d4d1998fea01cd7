/// Graph: the bytes that pairs of ranks exchange, both directions added, in compressed sparse rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corewise/traffic.hpp"
#include "solvers/problem/slot_tree.hpp"

namespace corewise {

struct Edge {
  std::int32_t to;
  std::int32_t weight;
};

/// Undirected: each edge is in the rows of both ends.
///
/// A graph has one vertex for each slot, because a mapping is a permutation: first the ranks, then padding
/// vertices without edges for the slots that stay free. After coarsening, a vertex is a group of vertices.
struct Graph {
  std::vector<std::uint32_t> start{0};  ///< row v is edges[start[v]] to edges[start[v + 1] - 1]
  std::vector<Edge> edges;

  [[nodiscard]] std::int32_t n() const { return static_cast<std::int32_t>(start.size()) - 1; }
  /// Number of vertices up to the last one that has an edge.
  [[nodiscard]] std::int32_t n_active() const {
    std::int32_t active = n();
    while (active > 0 && row(active - 1).empty()) --active;
    return active;
  }
  [[nodiscard]] std::span<const Edge> row(std::int32_t v) const {
    return {edges.data() + start[v], edges.data() + start[v + 1]};
  }
};

/// Calls use(a, b, pair) for all ranks a < b that exchange messages, in rank order; pair.peer is b.
template <typename Use>
void for_each_pair(const PairGraph& graph, Use use) {
  for (std::int32_t a = 0; a < graph.n_ranks(); ++a) {
    for (const PairTraffic& pair : graph.partners(Rank{a})) {
      if (raw(pair.peer) > a) use(a, raw(pair.peer), pair);
    }
  }
}

/// The graph of a matrix, its weights in bytes.
///
/// If the bytes of a pair exceed 31 bits, or the total 40 bits, weights are divided by a power of two and
/// rounded down. Searches then compare rounded costs; scores always use exact bytes.
/// @param n_vertices  number of ranks and padding vertices.
/// @param min_weight  smaller weights are raised to it: 0 leaves out pairs without bytes, 1 keeps an edge for
///                    every pair that exchanges messages.
[[nodiscard]] Graph byte_graph(const CommMatrix& matrix, std::int32_t n_vertices,
                               std::int32_t min_weight = 0);

/// The subgraph of some vertices and the edges between them. Its vertex i is vertices[i] of `graph`.
/// @param index_of  index_of(v) is v's index in `vertices`, or -1.
template <typename IndexOf>
[[nodiscard]] Graph induced_subgraph(const Graph& graph, std::span<const std::int32_t> vertices,
                                     const IndexOf& index_of) {
  Graph part;
  part.start.reserve(vertices.size() + 1);
  for (const std::int32_t v : vertices) {
    for (const Edge& edge : graph.row(v)) {
      if (const std::int32_t to = index_of(edge.to); to >= 0) part.edges.push_back({to, edge.weight});
    }
    part.start.push_back(static_cast<std::uint32_t>(part.edges.size()));
  }
  return part;
}

}  // namespace corewise
