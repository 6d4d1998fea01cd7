// Sorts, indexes and generates the edges of temporal graphs.
#include "kernels/temporal_graph.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/input_error.hpp"
#include "kernels/random.hpp"

namespace corewise::workloads {
namespace {

constexpr double span_s = 2613.0 * 24 * 3600;

}  // namespace

void sort_by_time(std::vector<TemporalEdge>& edges) {
  std::ranges::stable_sort(edges, {}, &TemporalEdge::time_s);
}

TemporalGraph::TemporalGraph(std::vector<TemporalEdge> edges) : edges_(std::move(edges)) {
  std::size_t n_vertices = 0;
  for (const TemporalEdge& edge : edges_) {
    n_vertices = std::max(n_vertices, std::size_t{std::max(edge.src, edge.dst)} + 1);
  }
  out_ = lists_by(&TemporalEdge::src, n_vertices);
  in_ = lists_by(&TemporalEdge::dst, n_vertices);
}

TemporalGraph::Lists TemporalGraph::lists_by(std::uint32_t TemporalEdge::* end,
                                             std::size_t n_vertices) const {
  Lists lists{std::vector<std::uint32_t>(n_vertices + 1, 0), std::vector<std::uint32_t>(edges_.size())};
  for (const TemporalEdge& edge : edges_) ++lists.first[edge.*end + std::size_t{1}];
  std::partial_sum(lists.first.begin(), lists.first.end(), lists.first.begin());
  std::vector<std::uint32_t> next(lists.first.begin(), lists.first.end());
  for (std::uint32_t e = 0; e < edges_.size(); ++e) lists.numbers[next[edges_[e].*end]++] = e;
  return lists;
}

std::vector<TemporalEdge> synthetic_temporal_edges(std::uint32_t n_vertices, std::uint32_t n_edges,
                                                   std::uint64_t seed) {
  if (n_vertices < 2 || n_edges == 0) {
    throw InputError("a temporal graph needs two vertices and an edge, found a size of " +
                     std::to_string(n_vertices) + " and " + std::to_string(n_edges) +
                     "; use a larger --scale");
  }
  const Stream stream(seed);
  const auto popular = [&](std::uint64_t k) {  // a vertex v, with density proportional to v^(-3/4)
    return static_cast<std::uint32_t>(n_vertices * std::pow(stream.unit(k), 4));
  };
  std::vector<TemporalEdge> edges;
  std::vector<std::uint32_t> asker;  // [edge] source of the first edge of the same thread
  for (std::uint32_t e = 0; e < n_edges; ++e) {
    const std::uint64_t k = std::uint64_t{8} * e;
    const auto time_s = static_cast<std::int64_t>(span_s * (e + stream.unit(k)) / n_edges);
    const auto back = static_cast<std::uint32_t>(300 * stream.unit(k + 1) * stream.unit(k + 2));
    if (stream.unit(k + 3) < 0.5 && back < e) {
      const TemporalEdge& answered = edges[e - 1 - back];
      const std::uint32_t to[] = {answered.src, asker[e - 1 - back], popular(k + 5)};
      asker.push_back(to[1]);
      edges.push_back({answered.dst, to[stream.bits(k + 4) % 3], time_s});
    } else {
      edges.push_back({popular(k + 5), popular(k + 6), time_s});
      asker.push_back(edges.back().src);
    }
  }
  sort_by_time(edges);
  return edges;
}

}  // namespace corewise::workloads
