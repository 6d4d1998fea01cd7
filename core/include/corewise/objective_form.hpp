/// ObjectiveForm: the formula of an objective, for solvers. It lets them update a score when two ranks change
/// places, compute a bound, and prove a placement best without evaluating all others.
///
/// In every form, the score is the sum over all phases, each times its repeat count. Levels and link classes
/// are those of the machine: links of class k connect objects of level k - 1 to their parents.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "corewise/machine.hpp"

namespace corewise {

/// A number: the bytes of each pair, both directions added, times the distance of the level where its two
/// cores meet.
struct DistanceSum {
  std::vector<std::uint32_t> distance;  ///< [level - 1], non-decreasing; the distance on one core is 0
};

/// A list: the greatest link load of each class in bytes, from the highest class down to class 2. A pair adds
/// its bytes, both directions together, to each link of its path. If the objective keeps each rank on its
/// node, only links inside nodes and pairs on the same node count.
struct GreatestLoads {};

/// A number, in seconds: each phase takes as long as its slowest link or its slowest rank. A link takes its
/// bytes over its bandwidth. A rank takes, for each message, the latency of the level where it meets its
/// partner.
struct PhaseTimes {
  std::vector<LinkFigures> link;  ///< [level - 1], all known; messages on one core take level 1's latency
};

/// The result of ObjectiveInfo::form.
using ObjectiveForm = std::variant<DistanceSum, GreatestLoads, PhaseTimes>;

}  // namespace corewise
