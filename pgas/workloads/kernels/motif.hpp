/// Temporal motifs: patterns of edges in the order of time, and how a match of them grows.
///
/// A match maps the pattern's edges to strictly later and later edges of the graph, its vertices to different
/// vertices; the last edge comes at most `delta_s` after the first. Repeated edges count separately, a loop
/// matches only a loop. Algorithm: chronological edge-driven search (Mackey et al., IEEE Big Data 2018).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/temporal_graph.hpp"

namespace corewise::workloads {

/// Named by its edges, the earliest first: "01,12,20" is the 3-cycle.
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
  /// Its vertices are numbered as they appear, whatever the text calls them.
  [[nodiscard]] PatternEdge edge(int i) const { return edges_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] std::string text() const;

 private:
  std::uint8_t number_of(char label);

  std::array<PatternEdge, max_edges> edges_{};
  std::array<char, max_vertices> labels_{};  ///< [vertex] its digit in the text
  std::uint8_t n_edges_ = 0;
  std::uint8_t n_vertices_ = 0;
};

/// The first edges of a pattern, matched.
struct Match {
  std::array<std::uint32_t, Pattern::max_vertices> vertex{};  ///< [pattern vertex], the first n_vertices
  std::int64_t start_s = 0;                                   ///< time of the first edge
  std::uint32_t last = 0;                                     ///< number of the last matched edge
  std::uint8_t n_edges = 0;
  std::uint8_t n_vertices = 0;

  [[nodiscard]] bool maps(int pattern_vertex) const { return pattern_vertex < n_vertices; }

  /// Takes edge number `e` as the pattern's next if its ends fit. Whether it comes after `last` and in time
  /// is the caller's business.
  [[nodiscard]] bool extend(const Pattern& pattern, std::uint32_t e, const TemporalEdge& edge);
};

/// The serial counter: matches whose first edge is one of first, ..., last - 1.
[[nodiscard]] std::uint64_t count_motif(const TemporalGraph& graph, const Pattern& pattern,
                                        std::int64_t delta_s, std::uint32_t first, std::uint32_t last);

}  // namespace corewise::workloads
