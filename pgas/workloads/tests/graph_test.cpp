// R-MAT graphs, and triangle counts compared with brute force.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "kernels/rmat.hpp"
#include "kernels/triangles.hpp"

namespace corewise::workloads {
namespace {

std::vector<Edge> edges_of(const Rmat& graph) {
  std::vector<Edge> edges;
  for (std::uint64_t k = 0; k < graph.n_edges(); ++k) edges.push_back(graph.edge(k));
  return edges;
}

/// Checks all three edges for all triples of vertices.
std::uint64_t brute_force(const std::vector<Edge>& edges, std::uint32_t n_vertices) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const auto& [a, b] : edges) pairs.insert(std::minmax({a, b}));
  const auto linked = [&](std::uint32_t a, std::uint32_t b) { return pairs.count({a, b}) > 0; };
  std::uint64_t found = 0;
  for (std::uint32_t a = 0; a < n_vertices; ++a) {
    for (std::uint32_t b = a + 1; b < n_vertices; ++b) {
      for (std::uint32_t c = b + 1; linked(a, b) && c < n_vertices; ++c)
        found += linked(b, c) && linked(a, c);
    }
  }
  return found;
}

Rows rows_of(const std::vector<Edge>& edges, std::span<const std::uint32_t> ranks, std::uint32_t part,
             std::uint32_t n_parts) {
  RowsBuilder builder(ranks, part, n_parts);
  const std::size_t middle = edges.size() / 3;
  const std::span<const Edge> all(edges);
  for (const auto some : {all.first(middle), all.subspan(middle)}) builder.count(some);
  for (const auto some : {all.first(middle), all.subspan(middle)}) builder.add(some);
  return std::move(builder).finish();
}

std::vector<std::uint32_t> ranks_of(const std::vector<Edge>& edges, std::uint32_t n_vertices) {
  std::vector<std::uint32_t> degrees(n_vertices, 0);
  add_degrees(edges, degrees);
  return ranks_by_degree(degrees);
}

TEST(Triangles, of_random_graphs_are_as_many_as_brute_force_finds) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Rmat graph{6, 1 + seed, Stream(seed)};
    const std::vector<Edge> edges = edges_of(graph);
    const auto ranks = ranks_of(edges, graph.n_vertices());
    EXPECT_EQ(count_triangles(rows_of(edges, ranks, 0, 1)), brute_force(edges, graph.n_vertices())) << seed;
  }
}

TEST(Triangles, loops_and_repeats_count_once) {
  const std::vector<Edge> edges{{0, 1}, {1, 0}, {1, 2}, {2, 0}, {0, 2}, {1, 1}};
  EXPECT_EQ(count_triangles(rows_of(edges, ranks_of(edges, 3), 0, 1)), 1u);
}

TEST(Triangles, parts_hold_the_rows_of_the_whole_and_their_counts_add_up) {
  const Rmat graph{9, 8, Stream(3)};
  const std::vector<Edge> edges = edges_of(graph);
  const auto ranks = ranks_of(edges, graph.n_vertices());
  const Rows whole = rows_of(edges, ranks, 0, 1);
  const RowsView all{whole.offsets, whole.targets};
  Marks marks;
  marks.grow(graph.n_vertices());
  constexpr std::uint32_t n_parts = 3;
  std::uint64_t found = 0;
  for (std::uint32_t part = 0; part < n_parts; ++part) {
    const Rows rows = rows_of(edges, ranks, part, n_parts);
    const RowsView own{rows.offsets, rows.targets, part, n_parts};
    for (std::uint32_t rank = 0; rank < graph.n_vertices(); ++rank) {
      if (rank % n_parts == part) {
        EXPECT_TRUE(std::ranges::equal(own.row(rank / n_parts), all.row(rank)));
      }
      found += triangles_of(all.row(rank), own, marks);
    }
  }
  EXPECT_GT(found, 0u);
  EXPECT_EQ(found, count_triangles(whole));
}

TEST(Ranks, are_a_permutation_in_the_order_of_degrees) {
  EXPECT_EQ(ranks_by_degree(std::vector<std::uint32_t>{3, 0, 3, 1, 0}),
            (std::vector<std::uint32_t>{3, 0, 4, 2, 1}));
}

TEST(Rmat, draws_its_quadrants_as_often_as_said) {
  const Rmat graph{1, 100'000, Stream(1)};
  std::array<double, 4> share{};
  for (std::uint64_t k = 0; k < graph.n_edges(); ++k) {
    const auto [a, b] = graph.edge(k);
    share[2 * a + b] += 1.0 / static_cast<double>(graph.n_edges());
  }
  const std::array expected{0.57, 0.19, 0.19, 0.05};
  for (std::size_t q = 0; q < 4; ++q) EXPECT_NEAR(share[q], expected[q], 0.005);  // ten standard deviations
}

}  // namespace
}  // namespace corewise::workloads
