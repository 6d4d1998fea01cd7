/// From constraints to places, and from a rank's first core to all of its cores.
#pragma once

#include "corewise/solver.hpp"

namespace corewise {

/// Checks the constraints against the machine and cuts it into places.
/// @throws as solve() says.
[[nodiscard]] Places make_places(const MappingProblem& problem);

/// Whether some ranks have more cores than others.
[[nodiscard]] bool widths_differ(const Constraints& constraints);

/// [core] a number that cores share where no rank can tell them apart; empty: all do. @param problem  with
/// its places.
[[nodiscard]] std::vector<std::int32_t> core_kinds(const MappingProblem& problem);

/// Whether the rank can start on a core with a place. @param problem  with its places.
[[nodiscard]] bool may_start(const MappingProblem& problem, Rank rank, CoreIndex core);

/// Whether every rank starts where it may and no place holds more than it takes.
[[nodiscard]] bool keeps_constraints(const MappingProblem& problem, const Placement& first_cores);

/// Every rank with as many cores of its place as it has.
[[nodiscard]] Placement with_all_cores(const MappingProblem& problem, Placement first_cores);

}  // namespace corewise
