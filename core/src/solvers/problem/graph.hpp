/// Graph: the bytes that pairs of ranks exchange, both directions together, in compressed sparse rows.
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
/// A mapping is a permutation, so a graph has as many vertices as there are slots: first the ranks, then
/// padding vertices without edges, which take the slots that stay free. After coarsening a vertex is a group
/// of these.
struct Graph {
  std::vector<std::uint32_t> start{0};  ///< row v is edges[start[v]] to edges[start[v + 1] - 1]
  std::vector<Edge> edges;

  [[nodiscard]] std::int32_t n() const { return static_cast<std::int32_t>(start.size()) - 1; }
  /// Vertices up to the last one that has an edge.
  [[nodiscard]] std::int32_t n_active() const {
    std::int32_t active = n();
    while (active > 0 && row(active - 1).empty()) --active;
    return active;
  }
  [[nodiscard]] std::span<const Edge> row(std::int32_t v) const {
    return {edges.data() + start[v], edges.data() + start[v + 1]};
  }
};

/// The graph of a matrix, its weights in bytes.
///
/// Where one pair exceeds 31 bits, or all pairs together 40 bits, weights are divided by a power of two and
/// rounded down. Searches then compare rounded costs; scores are always evaluated on exact bytes.
/// @param n_vertices  the matrix's ranks and padding vertices.
/// @param min_weight  smaller weights are raised to it: 0 leaves pairs without bytes out, 1 keeps an edge for
///                    every pair that exchanges messages.
[[nodiscard]] Graph byte_graph(const CommMatrix& matrix, std::int32_t n_vertices,
                               std::int32_t min_weight = 0);

/// The graph of some vertices and the edges between them; vertex i of it is vertices[i].
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
