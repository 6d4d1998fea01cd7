/// HopInstance: hop-bytes on a tree of any shape as a nest of partitions, ready to be proven.
///
/// With distances d_1 <= ... <= d_L a placement costs
///   d_L * w(V) + sum over levels k < L and groups S of level k of (d_k - d_{k+1}) * w(S),
/// where w(S) is the weight of the pairs inside S. Only which vertices share a group counts, and how many
/// groups of each class there are; the rest is symmetry. On regular trees each level has one class.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "corewise/solver.hpp"
#include "solvers/problem/isomorphism_classes.hpp"
#include "solvers/problem/placed_problem.hpp"

namespace corewise {

using Cost = std::int64_t;
using Subset = std::uint64_t;  ///< bit v: vertex v

/// Costs are multiplied by this, so that duals can be fractions of a byte.
inline constexpr Cost kCostScale = 1024;

/// Vertices that share an object of the tree.
struct VertexGroup {
  int class_id = 0;
  Subset members = 0;
};

struct HopInstance {
  int n = 0;                 ///< vertices: ranks, then padding ones for the places that stay free; at most 64
  std::vector<Cost> weight;  ///< [u * n + v]: bytes both ways; negative when the worst placement is wanted
  std::vector<IsomorphismClass> classes;  ///< level by level, cores first; the root's is the last
  std::vector<Cost> distance;             ///< [level]; distance[0] is unused
  Cost granularity = kCostScale;          ///< (scaled) costs of two placements differ by a multiple of it
  std::vector<CoreIndex> core;            ///< [position]: cores with a place, ascending
  std::vector<VertexGroup> objects;       ///< of the tree, level by level, with positions for members

  [[nodiscard]] int root() const { return static_cast<int>(classes.size()) - 1; }
  [[nodiscard]] int n_levels() const { return classes.back().level; }
  [[nodiscard]] Cost between(int u, int v) const { return weight[u * n + v]; }
  [[nodiscard]] Subset all() const { return n == 64 ? ~Subset{0} : (Subset{1} << n) - 1; }
  /// Weight inside a group of level k counts with this (scaled) factor, never positive; k < n_levels().
  [[nodiscard]] Cost factor(int level) const { return kCostScale * (distance[level] - distance[level + 1]); }
  /// Weight of the pairs inside a set.
  [[nodiscard]] Cost inside(Subset set) const;
  /// Scaled cost of all pairs if they met at the top: what groups only lower.
  [[nodiscard]] Cost at_the_top() const { return kCostScale * distance[n_levels()] * inside(all()); }
  /// Ascending.
  [[nodiscard]] std::vector<int> classes_of(int level) const;
};

/// Absent beyond one rank a core or 64 places, or where scaled costs would not fit 62 bits.
[[nodiscard]] std::optional<HopInstance> hop_instance(const PlacedProblem& problem);

/// Calls `use(v)` for each vertex of a set, ascending.
template <typename Use>
void for_each_vertex(Subset set, Use use) {
  for (; set != 0; set &= set - 1) use(std::countr_zero(set));
}

}  // namespace corewise
