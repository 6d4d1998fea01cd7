/// PlacedProblem: a problem with the places that its constraints leave and the form of its objective; what
/// solvers are given.
#pragma once

#include <cstdint>
#include <vector>

#include "corewise/solver.hpp"
#include "solvers/problem/places.hpp"

namespace corewise {

struct PlacedProblem : MappingProblem {
  Places places;
  ObjectiveForm form;

  /// Level of the objects that ranks stay in: the node's where the objective keeps nodes, else the machine's.
  [[nodiscard]] int top_level() const {
    return objective.keeps_nodes ? machine.node_level() : machine.n_levels();
  }
};

/// @throws as make_places() and the objective's form do.
[[nodiscard]] PlacedProblem with_places(const MappingProblem& problem);

/// Where the objective keeps nodes, every rank is fixed to the one it is given; else the unchanged problem.
[[nodiscard]] PlacedProblem with_nodes_kept(PlacedProblem problem);

/// [core] a number that cores share where no rank can tell them apart; empty: all do.
[[nodiscard]] std::vector<std::int32_t> core_classes(const PlacedProblem& problem);

/// Whether the rank can start on a core with a place.
[[nodiscard]] bool may_start(const PlacedProblem& problem, Rank rank, CoreIndex core);

/// Whether every rank starts where it may and no place holds more than it takes.
[[nodiscard]] bool keeps_constraints(const PlacedProblem& problem, const Placement& first_cores);

/// Every rank with as many cores of its place as it has.
[[nodiscard]] Placement with_all_cores(const PlacedProblem& problem, Placement first_cores);

}  // namespace corewise
