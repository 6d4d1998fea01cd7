/// Constraints: what a placement must keep whatever the objective says.
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
  /// [rank] its node, or kAnyNode. Under an objective that keeps nodes the others stay where block order puts
  /// them.
  std::vector<NodeIndex> node_of_rank = {};
  /// Capacities are raised where ranks outnumber them: as little as possible, and evenly over nodes and
  /// cores.
  bool oversubscribe = false;
};

}  // namespace corewise
