/// PlacedProblem: a problem with the places that its constraints leave; what solvers are given.
#pragma once

#include <cstdint>
#include <vector>

#include "corewise/solver.hpp"
#include "solvers/problem/places.hpp"

namespace corewise {

struct PlacedProblem : MappingProblem {
  Places places;
};

/// @throws as make_places() does.
[[nodiscard]] PlacedProblem with_places(const MappingProblem& problem);

/// [core] a number that cores share where no rank can tell them apart; empty: all do.
[[nodiscard]] std::vector<std::int32_t> core_kinds(const PlacedProblem& problem);

/// Whether the rank can start on a core with a place.
[[nodiscard]] bool may_start(const PlacedProblem& problem, Rank rank, CoreIndex core);

/// Whether every rank starts where it may and no place holds more than it takes.
[[nodiscard]] bool keeps_constraints(const PlacedProblem& problem, const Placement& first_cores);

/// Every rank with as many cores of its place as it has.
[[nodiscard]] Placement with_all_cores(const PlacedProblem& problem, Placement first_cores);

}  // namespace corewise
