/// Places: where ranks can start under the constraints.
#pragma once

#include <cstdint>
#include <vector>

#include "corewise/solver.hpp"

namespace corewise {

/// A place is the set of cores that a rank gets if it starts on the first of them. Places don't overlap.
///
/// If all ranks have K cores, a place is K cores inside one object of the tree. Objects of the lowest level
/// are divided into places first, then those of the next level, until there is room for all ranks: a place
/// crosses caches or NUMA domains only if it must. The place of a fixed rank is its core and the K - 1 cores
/// after it. If ranks have different numbers of cores, block order decides the places, widest ranks of each
/// node first, and the remaining cores are divided into further places.
struct Places {
  std::vector<std::int32_t> capacity;  ///< [core] number of ranks that may start there; 0: no place begins
  std::vector<CoreIndex> block;        ///< [rank] first core in block order
  /// cores[cores_start[c]] to cores[cores_start[c + 1] - 1] are the place that begins at core c. Both empty:
  /// every place is one core.
  std::vector<std::size_t> cores_start;
  std::vector<CoreIndex> cores;
  bool constrained = false;        ///< some rank can't take every place: one is fixed, or widths differ
  std::vector<std::int32_t> kept;  ///< [core] number of ranks that are fixed there; empty: no fixed ranks

  [[nodiscard]] std::int32_t width(CoreIndex core) const {
    if (cores_start.empty()) return 1;
    return static_cast<std::int32_t>(cores_start[raw(core) + 1] - cores_start[raw(core)]);
  }
};

/// Checks the constraints and divides the machine into places.
/// @throws as solve() does.
[[nodiscard]] Places make_places(const MappingProblem& problem);

/// Whether some ranks have more cores than others.
[[nodiscard]] bool widths_differ(const Constraints& constraints);

}  // namespace corewise
