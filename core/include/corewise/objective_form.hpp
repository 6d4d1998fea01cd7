/// ObjectiveForm: what solvers may rely on in addition to an objective's value. A form lets them update a
/// score when two ranks change places, bound it, and prove a placement best without evaluating all of them.
///
/// Every form adds its phases up, repeats counted. Levels and link classes are those of the machine: class k
/// joins objects of level k - 1 to their parents.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "corewise/machine.hpp"

namespace corewise {

/// Nothing is known: solvers evaluate whole placements, and there is no bound.
struct NoForm {};

/// A number: the bytes of each pair, both ways together, times a distance that depends on the level where its
/// two cores meet.
struct DistanceSum {
  std::vector<std::uint32_t> distance;  ///< [level - 1], never falling; 0 on one core
};

/// A list: the load of the fullest link of each class in bytes, from the highest class down to class 2. A
/// pair loads each link of its path with its bytes, both ways together. If the objective keeps each rank on
/// its node, only links inside nodes and pairs on the same node count.
struct GreatestLoads {};

/// A number, in seconds: for each phase the slowest of all links, which take bytes over bandwidth, and all
/// ranks, which take the latency of the level where they meet their partner for each message of a pair.
struct PhaseTimes {
  std::vector<LinkFigures> link;  ///< [level - 1], all known; messages on one core take level 1's latency
};

/// What a solver may rely on in addition to the value of an objective; one row of the registry chooses one.
using ObjectiveForm = std::variant<NoForm, DistanceSum, GreatestLoads, PhaseTimes>;

}  // namespace corewise
