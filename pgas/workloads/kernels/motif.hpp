/// Temporal motifs: patterns of edges in the order of time, and their matches in a graph.
///
/// A match maps the pattern's edges to edges of the graph, each later than the one before, and the pattern's
/// vertices to different vertices. The last edge is at most `delta_s` later than the first. Repeated edges
/// count separately; a self-loop matches only a self-loop. Algorithm: chronological edge-driven search
/// (Mackey et al., IEEE Big Data 2018).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/temporal_graph.hpp"

namespace corewise::workloads {

/// A pattern, written as its edges, the earliest first: "01,12,20" is the 3-cycle.
class Pattern {
 public:
  static constexpr int max_edges = 8;
  static constexpr int max_vertices = 8;

  struct PatternEdge {
    std::uint8_t src;
    std::uint8_t dst;
  };

  /// @throws InputError unless vertices are digits from 0 to 7 and every edge but the first touches an
  /// earlier one.
  explicit Pattern(std::string_view text);

  [[nodiscard]] int n_edges() const { return n_edges_; }
  /// The i-th edge. Vertices are numbered in the order in which they appear, whatever digits the text uses.
  [[nodiscard]] PatternEdge edge(int i) const { return edges_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] std::string text() const;

 private:
  std::uint8_t number_of(char label);

  std::array<PatternEdge, max_edges> edges_{};
  std::array<char, max_vertices> labels_{};  ///< [vertex] its digit in the text
  std::uint8_t n_edges_ = 0;
  std::uint8_t n_vertices_ = 0;
};

/// A match of the first n_edges edges of a pattern.
struct Match {
  std::array<std::uint32_t, Pattern::max_vertices> vertex{};  ///< [pattern vertex], the first n_vertices
  std::int64_t start_s = 0;                                   ///< time of the first edge
  std::uint32_t last = 0;                                     ///< number of the last matched edge
  std::uint8_t n_edges = 0;
  std::uint8_t n_vertices = 0;

  [[nodiscard]] bool maps(int pattern_vertex) const { return pattern_vertex < n_vertices; }

  /// Extends the match by edge number `e` as the pattern's next edge, if its ends fit. @return true if they
  /// do; else the match must not be used any more. The caller checks that the edge is later than `last` and
  /// within delta_s.
  [[nodiscard]] bool extend(const Pattern& pattern, std::uint32_t e, const TemporalEdge& edge);
};

/// Serial counter: number of matches whose first edge is one of first, ..., last - 1.
[[nodiscard]] std::uint64_t count_motif(const TemporalGraph& graph, const Pattern& pattern,
                                        std::int64_t delta_s, std::uint32_t first, std::uint32_t last);

}  // namespace corewise::workloads
