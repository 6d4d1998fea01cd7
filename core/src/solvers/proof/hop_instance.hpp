/// HopInstance: hop-bytes on a regular tree as a nest of equal partitions, ready to be proven.
///
/// With group sizes s_1 < s_2 < ... < s_L = n and distances d_1 <= ... <= d_L a placement costs
///   d_L * w(V) + sum over levels k < L and groups S of level k of (d_k - d_{k+1}) * w(S),
/// where w(S) is the weight of the pairs inside S. Only which vertices share a group counts; the rest is
/// symmetry.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "corewise/solver.hpp"

namespace corewise::proof {

using Cost = std::int64_t;
using Subset = std::uint64_t;  ///< bit v: vertex v

/// Costs are multiplied by this, so that prices can be fractions of a byte.
inline constexpr Cost kScale = 1024;

struct HopInstance {
  int n = 0;                   ///< vertices: ranks, then silent ones for the cores that stay free; at most 64
  std::vector<Cost> weight;    ///< [u * n + v]: bytes both ways; negative when the worst placement is wanted
  std::vector<int> size;       ///< [level]: vertices of a group; size[0] = 1
  std::vector<Cost> distance;  ///< [level]; distance[0] is unused
  Cost grain = kScale;         ///< (scaled) costs of two placements differ by a multiple of it

  [[nodiscard]] int n_levels() const { return static_cast<int>(size.size()) - 1; }
  [[nodiscard]] Cost between(int u, int v) const { return weight[u * n + v]; }
  [[nodiscard]] Subset all() const { return n == 64 ? ~Subset{0} : (Subset{1} << n) - 1; }
  /// Weight inside a group of level k counts with this (scaled) factor, never positive; k < n_levels().
  [[nodiscard]] Cost factor(int level) const { return kScale * (distance[level] - distance[level + 1]); }
  /// Weight of the pairs inside a set.
  [[nodiscard]] Cost inside(Subset set) const;
  /// Scaled cost of all pairs if they met at the top: what groups only lower.
  [[nodiscard]] Cost at_the_top() const { return kScale * distance.back() * inside(all()); }
};

/// Absent where the machine is no regular tree with one rank a core and at most 64 cores, or where scaled
/// costs would not fit 62 bits.
[[nodiscard]] std::optional<HopInstance> hop_instance(const MappingProblem& problem);

/// Calls `use(v)` for each vertex of a set, ascending.
template <typename Use>
void for_each_vertex(Subset set, Use use) {
  for (; set != 0; set &= set - 1) use(std::countr_zero(set));
}

}  // namespace corewise::proof
