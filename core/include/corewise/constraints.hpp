/// Constraints: what a placement must keep whatever the objective says; Places: what they leave to choose
/// from.
#pragma once

#include <cstdint>
#include <vector>

#include "corewise/index.hpp"

namespace corewise {

/// The rank is fixed to no core.
inline constexpr CoreIndex kAnyCore{-1};
/// The rank is fixed to no node.
inline constexpr NodeIndex kAnyNode{-1};

/// An empty column constrains nothing.
struct Constraints {
  std::vector<std::int32_t> core_capacity =
      {};  ///< [core] ranks it may take, 0 leaves it free; empty: 1 everywhere
  std::vector<std::int32_t> cores_per_rank = {};  ///< [rank] at least 1; empty: 1 each
  std::vector<CoreIndex> core_of_rank = {};       ///< [rank] its first core, or kAnyCore
  /// [rank] its node, or kAnyNode. With link-load, which never moves ranks between nodes, the others stay
  /// where block order puts them.
  std::vector<NodeIndex> node_of_rank = {};
  /// Capacities are raised where ranks outnumber them: as little as possible, and evenly over nodes and
  /// cores.
  bool oversubscribe = false;
};

/// A place is a core with those that a rank which starts on it gets as well; no two places overlap.
///
/// Where all ranks have K cores, the nodes are cut into places of K inside single objects of one level of the
/// tree, the lowest first and the next ones only until there is room for all ranks: whole shared caches and
/// domains before pieces of them. A fixed rank has its core and the K - 1 after it. Where ranks differ, the
/// places are those of block order, the widest ranks of a node first, and what they leave.
struct Places {
  std::vector<std::int32_t> capacity;  ///< [core] ranks that may start there; 0 where no place begins
  std::vector<CoreIndex> block;        ///< [rank] first core in block order
  /// cores[cores_start[c] .. cores_start[c + 1]) are those of the place at core c. Both empty: one core each.
  std::vector<std::size_t> cores_start;
  std::vector<CoreIndex> cores;
  bool choosy = false;             ///< some rank can't take every place: one is fixed, or widths differ
  std::vector<std::int32_t> kept;  ///< [core] ranks that are fixed there; empty: none

  [[nodiscard]] std::int32_t width(CoreIndex core) const {
    if (cores_start.empty()) return 1;
    return static_cast<std::int32_t>(cores_start[raw(core) + 1] - cores_start[raw(core)]);
  }
};

}  // namespace corewise
