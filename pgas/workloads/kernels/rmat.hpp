/// R-MAT graphs (Chakrabarti, Zhan and Faloutsos, SDM 2004) with probabilities 0.57, 0.19, 0.19, 0.05.
#pragma once

#include <cstdint>

#include "kernels/random.hpp"

namespace corewise::workloads {

/// An undirected edge; its ends may be equal.
struct Edge {
  std::uint32_t a;
  std::uint32_t b;
};

/// A graph with 2^scale vertices and `edge_factor` random edges per vertex; may have repeats and self-loops.
struct Rmat {
  int scale;
  std::uint64_t edge_factor;
  Stream stream;

  [[nodiscard]] std::uint32_t n_vertices() const { return std::uint32_t{1} << scale; }
  [[nodiscard]] std::uint64_t n_edges() const { return edge_factor << scale; }

  /// Edge number k: chooses a quadrant of the adjacency matrix at random, `scale` times.
  [[nodiscard]] Edge edge(std::uint64_t k) const {
    Edge edge{0, 0};
    for (int level = 0; level < scale; level += 2) {
      const std::uint64_t bits = stream.bits(16 * k + static_cast<std::uint64_t>(level / 2));
      descend(edge, static_cast<std::uint32_t>(bits));
      if (level + 1 < scale) descend(edge, static_cast<std::uint32_t>(bits >> 32));
    }
    return edge;
  }

 private:
  static constexpr double two_to_32 = 4294967296.0;

  static void descend(Edge& edge, std::uint32_t drawn) {
    constexpr auto upper_left = static_cast<std::uint32_t>(0.57 * two_to_32);
    constexpr auto upper = static_cast<std::uint32_t>(0.76 * two_to_32);
    constexpr auto all_but_last = static_cast<std::uint32_t>(0.95 * two_to_32);
    const bool below = drawn >= upper;
    const bool right = below ? drawn >= all_but_last : drawn >= upper_left;
    edge.a = 2 * edge.a + below;
    edge.b = 2 * edge.b + right;
  }
};

}  // namespace corewise::workloads
