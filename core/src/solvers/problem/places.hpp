/// Places: where ranks can start under the constraints.
#pragma once

#include <cstdint>
#include <vector>

#include "corewise/solver.hpp"

namespace corewise {

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
  bool constrained = false;        ///< some rank can't take every place: one is fixed, or widths differ
  std::vector<std::int32_t> kept;  ///< [core] ranks that are fixed there; empty: none

  [[nodiscard]] std::int32_t width(CoreIndex core) const {
    if (cores_start.empty()) return 1;
    return static_cast<std::int32_t>(cores_start[raw(core) + 1] - cores_start[raw(core)]);
  }
};

/// Checks the constraints against the machine and cuts it into places.
/// @throws as solve() says.
[[nodiscard]] Places make_places(const MappingProblem& problem);

/// Whether some ranks have more cores than others.
[[nodiscard]] bool widths_differ(const Constraints& constraints);

}  // namespace corewise
