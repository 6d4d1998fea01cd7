/// Constraints: rules that a placement must satisfy under every objective.
#pragma once

#include <cstdint>
#include <vector>

#include "corewise/index.hpp"

namespace corewise {

/// In core_of_rank: the rank may start on any core.
inline constexpr CoreIndex kAnyCore{-1};
/// In node_of_rank: the rank may be on any node.
inline constexpr NodeIndex kAnyNode{-1};

/// An empty column constrains nothing.
struct Constraints {
  std::vector<std::int32_t> core_capacity =
      {};  ///< [core] number of ranks it may take, 0: none; empty: 1 everywhere
  std::vector<std::int32_t> cores_per_rank = {};  ///< [rank] at least 1; empty: 1 each
  std::vector<CoreIndex> core_of_rank = {};       ///< [rank] its first core, or kAnyCore
  /// [rank] its node, or kAnyNode. If the objective keeps nodes, block order chooses the other ranks' nodes.
  std::vector<NodeIndex> node_of_rank = {};
  /// If ranks outnumber the capacities, raise these as little as possible, evenly over nodes and cores.
  bool oversubscribe = false;
};

}  // namespace corewise
