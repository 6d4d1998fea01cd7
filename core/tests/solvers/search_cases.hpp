/// Trees, graphs and traffic that the tests of the heuristic search share.
#pragma once

#include <algorithm>
#include <vector>

#include "corewise/machine.hpp"
#include "corewise/random.hpp"
#include "mapping_cases.hpp"
#include "solvers/problem/graph.hpp"
#include "solvers/problem/mapping.hpp"
#include "solvers/search/hop_problem.hpp"

namespace corewise::testing {

/// A tree of these arities, lowest level first, with distances 1, 10, 100, ...
inline SlotTree slot_tree(const std::vector<std::int32_t>& arities) {
  std::vector<std::uint32_t> distances;
  for (std::uint32_t distance = 1; distances.size() < arities.size(); distance *= 10)
    distances.push_back(distance);
  return SlotTree(make_tree_machine(arities, distances), {});
}

/// The graph of the traffic, with isolated vertices up to n_vertices.
inline Graph graph_of(const Traffic& traffic, std::int32_t n_vertices) {
  return byte_graph(traffic.folded(), n_vertices);
}

/// In step k, ranks i and i xor 2^k exchange 2^k bytes, if both are below n.
inline Graph recursive_doubling_graph(std::int32_t n) {
  Graph graph;
  for (std::int32_t v = 0; v < n; ++v) {
    for (std::int32_t step = 1; step < n; step *= 2) {
      if ((v ^ step) < n) graph.edges.push_back({v ^ step, step});
    }
    graph.start.push_back(static_cast<std::uint32_t>(graph.edges.size()));
  }
  return graph;
}

/// Messages of 1 to 100 bytes between random ranks.
inline Traffic random_messages(std::int32_t n_ranks, std::int32_t n_messages, Random& random) {
  std::vector<Message> messages;
  const auto n = static_cast<std::uint32_t>(n_ranks);
  for (std::int32_t i = 0; i < n_messages; ++i) {
    messages.push_back({static_cast<std::int32_t>(random.below(n)),
                        static_cast<std::int32_t>(random.below(n)), 1 + random.below(100)});
  }
  return traffic_of(n_ranks, messages);
}

/// A grid of rows x columns ranks, one byte between neighbours.
inline Traffic grid(std::int32_t rows, std::int32_t columns) {
  std::vector<Message> messages;
  for (std::int32_t rank = 0; rank < rows * columns; ++rank) {
    if (rank % columns + 1 < columns) messages.push_back({rank, rank + 1, 1});
    if (rank + columns < rows * columns) messages.push_back({rank, rank + columns, 1});
  }
  return traffic_of(rows * columns, messages);
}

inline bool is_permutation(SlotOfVertex slot_of) {
  std::ranges::sort(slot_of);
  return slot_of == identity_mapping(static_cast<std::int32_t>(slot_of.size()));
}

}  // namespace corewise::testing
