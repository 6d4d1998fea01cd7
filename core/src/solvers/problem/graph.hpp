/// Graph: who talks to whom, in both directions together, as compact integer arrays; silent ranks fill free
/// slots.
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

/// Undirected, each edge in both rows. Vertices are ranks, then the silent ones, or groups of them after
/// coarsening.
struct Graph {
  std::vector<std::uint32_t> start{0};
  std::vector<Edge> edges;

  [[nodiscard]] std::int32_t n() const { return static_cast<std::int32_t>(start.size()) - 1; }
  /// Without the silent vertices at the end.
  [[nodiscard]] std::int32_t n_active() const {
    std::int32_t talking = n();
    while (talking > 0 && row(talking - 1).empty()) --talking;
    return talking;
  }
  [[nodiscard]] std::span<const Edge> row(std::int32_t v) const {
    return {edges.data() + start[v], edges.data() + start[v + 1]};
  }
};

/// The folded traffic's bytes as weights, with silent ranks up to n_vertices.
/// Weights are scaled down by a power of two where a pair exceeds 31 bits or all together 40; the search then
/// works on rounded bytes, while scores are always evaluated exactly.
/// @param lightest  what pairs without bytes (to speak of) weigh: 0 leaves them out, 1 keeps pairs that
/// exchange
///                  messages.
[[nodiscard]] Graph byte_graph(const CommMatrix& matrix, std::int32_t n_vertices, std::int32_t lightest = 0);

}  // namespace corewise
