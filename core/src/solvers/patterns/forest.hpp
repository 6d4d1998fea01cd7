/// Forest: what must be cut where pairs form no cycle, as in binomial trees of collectives.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "solvers/problem/cost.hpp"

namespace corewise::patterns {

/// A pair of vertices that exchange `weight`.
struct ForestPair {
  std::int32_t a;
  std::int32_t b;
  Cost weight;
};

class Forest {
 public:
  /// Absent where the pairs form a cycle.
  [[nodiscard]] static std::optional<Forest> from_pairs(std::int32_t n, const std::vector<ForestPair>& pairs);

  /// Least weight to cut so that every part has at most `most` vertices. Takes n * most steps.
  [[nodiscard]] Cost least_cut(std::int64_t most) const;

  /// Least weight between any n_groups groups, or more of them: each pair beyond n - n_groups is cut.
  [[nodiscard]] Cost least_between(std::int64_t n_groups) const;

 private:
  struct Vertex {
    std::int32_t id;
    std::int32_t parent;  ///< -1 for a root
    Cost weight;          ///< of the pair with the parent
  };
  std::vector<Vertex> order_;  ///< parents first
  std::vector<Cost> weights_;  ///< of all pairs, ascending
};

}  // namespace corewise::patterns
