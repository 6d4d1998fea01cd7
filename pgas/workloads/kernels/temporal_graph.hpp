/// Temporal graphs: directed edges with times, sorted by time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace corewise::workloads {

/// One edge; times are whole seconds.
struct TemporalEdge {
  std::uint32_t src;
  std::uint32_t dst;
  std::int64_t time_s;

  bool operator==(const TemporalEdge&) const = default;
};

/// Sorts by time; equal times keep the order of the input.
void sort_by_time(std::vector<TemporalEdge>& edges);

/// A graph in the memory of one process. Edge e is edges()[e]; out() and in() are the ascending numbers of
/// the edges that leave and enter a vertex.
class TemporalGraph {
 public:
  /// @param edges sorted by time, at most 2^32 - 1.
  explicit TemporalGraph(std::vector<TemporalEdge> edges);

  [[nodiscard]] std::span<const TemporalEdge> edges() const { return edges_; }
  [[nodiscard]] std::span<const std::uint32_t> out(std::uint32_t vertex) const { return out_.of(vertex); }
  [[nodiscard]] std::span<const std::uint32_t> in(std::uint32_t vertex) const { return in_.of(vertex); }

 private:
  struct Lists {
    std::vector<std::uint32_t> first, numbers;
    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t vertex) const {
      return std::span(numbers).subspan(first[vertex], first[vertex + 1] - first[vertex]);
    }
  };
  [[nodiscard]] Lists lists_by(std::uint32_t TemporalEdge::* end, std::size_t n_vertices) const;

  std::vector<TemporalEdge> edges_;
  Lists out_, in_;
};

/// A synthetic graph with the shape of a question-and-answer site (SNAP's ask-ubuntu: 159,316 vertices and
/// 964,437 edges over 2613 days). A few vertices have most of the edges. Half of the edges answer one of the
/// last few hundred edges: they lead to its source, to the source of the first edge of its thread, or to
/// another vertex.
/// @throws InputError if there are fewer than two vertices or no edge.
[[nodiscard]] std::vector<TemporalEdge> synthetic_temporal_edges(std::uint32_t n_vertices,
                                                                 std::uint32_t n_edges, std::uint64_t seed);

}  // namespace corewise::workloads
