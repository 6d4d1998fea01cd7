/// Triangle counting. Every edge is oriented towards the end of higher rank (by degree, then id). A triangle
/// is counted at its lowest vertex u, as a common neighbour of u and of one of u's neighbours, the middle
/// vertex (Chiba and Nishizeki 1985, Latapy 2008).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/rmat.hpp"

namespace corewise::workloads {

/// The neighbours of higher rank, for one part of the vertices. Vertices are named by their ranks. Row r is
/// the vertex of rank part + r n_parts, and its neighbours are targets[offsets[r] .. offsets[r + 1]),
/// ascending and without repeats.
struct Rows {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> targets;
};

/// The rows of part `part` of `n_parts`, in the caller's memory.
struct RowsView {
  std::span<const std::uint64_t> offsets;
  std::span<const std::uint32_t> targets;
  std::uint32_t part = 0;
  std::uint32_t n_parts = 1;

  [[nodiscard]] std::span<const std::uint32_t> row(std::uint64_t r) const {
    return targets.subspan(offsets[r], offsets[r + 1] - offsets[r]);
  }
};

/// Ranks of all vertices, a permutation: 0 for the lowest degree; equal degrees in the order of ids.
[[nodiscard]] std::vector<std::uint32_t> ranks_by_degree(std::span<const std::uint32_t> degree_of_vertex);

/// Builds the rows of one part. Pass all edges of the graph twice, in batches of any size: first to count(),
/// then to add(). Drops self-loops and repeats.
class RowsBuilder {
 public:
  RowsBuilder(std::span<const std::uint32_t> rank_of_vertex, std::uint32_t part, std::uint32_t n_parts);
  void count(std::span<const Edge> edges);
  void add(std::span<const Edge> edges);
  [[nodiscard]] Rows finish() &&;

 private:
  /// Calls visit(row, target) for each edge whose lower end belongs to this part.
  template <class Visit>
  void for_own(std::span<const Edge> edges, Visit visit) const;

  std::span<const std::uint32_t> rank_of_vertex_;
  std::uint32_t part_, n_parts_;
  bool filling_ = false;
  Rows rows_;
  std::vector<std::uint64_t> next_;  ///< [row] position of its next target
};

/// A set of vertices with one mark for each; empty between uses.
class Marks {
 public:
  /// Makes room for n vertices.
  void grow(std::size_t n) {
    if (marked_.size() < n) marked_.resize(n, 0);
  }
  void set(std::span<const std::uint32_t> vertices) {
    for (const std::uint32_t v : vertices) marked_[v] = 1;
  }
  void clear(std::span<const std::uint32_t> vertices) {
    for (const std::uint32_t v : vertices) marked_[v] = 0;
  }
  /// Number of these vertices that are marked.
  [[nodiscard]] std::uint64_t count(std::span<const std::uint32_t> vertices) const {
    std::uint64_t found = 0;
    for (const std::uint32_t v : vertices) found += marked_[v];
    return found;
  }

 private:
  std::vector<std::uint8_t> marked_;
};

/// Adds the edges to the degrees, including self-loops and repeats. Triangle counts are correct for any
/// ranking of the vertices; this one makes counting fast.
void add_degrees(std::span<const Edge> edges, std::span<std::uint32_t> degree_of_vertex);

/// Number of triangles with this row of the lowest vertex and a middle vertex in the part `own`. `marks` must
/// have room for all vertices.
[[nodiscard]] std::uint64_t triangles_of(std::span<const std::uint32_t> row, const RowsView& own,
                                         Marks& marks);

/// Serial counter: number of triangles of a whole graph (one part).
[[nodiscard]] std::uint64_t count_triangles(const Rows& rows);

}  // namespace corewise::workloads
