/// Forest: lower bounds on the traffic between groups of ranks whose pairs form no cycle, as in the binomial
/// trees of collectives.
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
  /// Empty if the pairs form a cycle.
  [[nodiscard]] static std::optional<Forest> from_pairs(std::int32_t n, const std::vector<ForestPair>& pairs);

  /// Least weight to cut so that every part has at most `most` vertices. Takes n * most steps.
  [[nodiscard]] Cost least_cut(std::int64_t most) const;

  /// Lower bound on the weight between n_groups or more groups: at most n - n_groups pairs are inside groups,
  /// at best the heaviest ones.
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
