/// Graph: its edge weights from a communication matrix, scaled to 31 bits.
#include "solvers/problem/graph.hpp"

#include <algorithm>
#include <bit>

namespace corewise {
namespace {

/// With distances of at most 20 bits (SlotTree), no sum of weight x distance exceeds 63 bits.
constexpr int kEdgeBits = 31;
constexpr int kTotalBits = 40;

int shift_of(const CommMatrix& matrix, const PairGraph& pairs) {
  std::uint64_t heaviest = 0;
  for (std::int32_t v = 0; v < pairs.n_ranks(); ++v) {
    for (const PairTraffic& partner : pairs.partners(Rank{v})) heaviest = std::max(heaviest, partner.bytes);
  }
  return std::max({0, static_cast<int>(std::bit_width(heaviest)) - kEdgeBits,
                   static_cast<int>(std::bit_width(matrix.bytes())) - kTotalBits});
}

}  // namespace

Graph byte_graph(const CommMatrix& matrix, std::int32_t n_vertices, std::int32_t min_weight) {
  const PairGraph pairs(matrix);
  const int shift = shift_of(matrix, pairs);
  Graph graph;
  graph.edges.reserve(2 * pairs.n_pairs());
  graph.start.reserve(static_cast<std::size_t>(n_vertices) + 1);
  for (std::int32_t v = 0; v < n_vertices; ++v) {
    if (v < pairs.n_ranks()) {
      for (const PairTraffic& partner : pairs.partners(Rank{v})) {
        const auto weight = std::max(min_weight, static_cast<std::int32_t>(partner.bytes >> shift));
        if (weight > 0) graph.edges.push_back({raw(partner.peer), weight});
      }
    }
    graph.start.push_back(static_cast<std::uint32_t>(graph.edges.size()));
  }
  return graph;
}

}  // namespace corewise
