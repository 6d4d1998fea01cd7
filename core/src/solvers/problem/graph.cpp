/// Graph: from a communication matrix.
#include "solvers/problem/graph.hpp"

#include <algorithm>
#include <bit>

namespace corewise {

Graph byte_graph(const CommMatrix& matrix, std::int32_t n_vertices, std::int32_t lightest) {
  const PairGraph pairs(matrix);
  std::uint64_t heaviest = 0;
  for (std::int32_t v = 0; v < pairs.n_ranks(); ++v) {
    for (const PairTraffic& partner : pairs.partners(Rank{v})) heaviest = std::max(heaviest, partner.bytes);
  }
  // Edges of 31 bits, 2^40 in all: times a distance of 20 bits no sum leaves 63 bits.
  const int shift = std::max({0, static_cast<int>(std::bit_width(heaviest)) - 31,
                              static_cast<int>(std::bit_width(matrix.bytes())) - 40});
  Graph graph;
  graph.edges.reserve(2 * pairs.n_pairs());
  graph.start.reserve(static_cast<std::size_t>(n_vertices) + 1);
  for (std::int32_t v = 0; v < n_vertices; ++v) {
    if (v < pairs.n_ranks()) {
      for (const PairTraffic& partner : pairs.partners(Rank{v})) {
        const auto weight = std::max(lightest, static_cast<std::int32_t>(partner.bytes >> shift));
        if (weight > 0) graph.edges.push_back({raw(partner.peer), weight});
      }
    }
    graph.start.push_back(static_cast<std::uint32_t>(graph.edges.size()));
  }
  return graph;
}

}  // namespace corewise
