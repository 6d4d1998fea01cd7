/// PlacedProblem: the input of a solver: a problem, the places that its constraints leave, and the form of
/// its objective.
#pragma once

#include <cstdint>
#include <vector>

#include "corewise/solver.hpp"
#include "solvers/problem/places.hpp"

namespace corewise {

struct PlacedProblem : MappingProblem {
  Places places;
  ObjectiveForm form;

  /// Solvers move ranks only within objects of this level: nodes if the objective keeps nodes, else the whole
  /// machine.
  [[nodiscard]] int top_level() const {
    return objective.keeps_nodes ? machine.node_level() : machine.n_levels();
  }
};

/// @throws as make_places() and the objective's form do.
[[nodiscard]] PlacedProblem with_places(const MappingProblem& problem);

/// If the objective keeps nodes, fixes every rank to its node (given_nodes()). Else returns `problem`.
[[nodiscard]] PlacedProblem with_nodes_kept(PlacedProblem problem);

/// [core] a class number: the constraints treat cores of the same class alike. Empty: all cores are alike.
[[nodiscard]] std::vector<std::int32_t> core_classes(const PlacedProblem& problem);

/// Whether the constraints let the rank take the place that begins at `core`.
[[nodiscard]] bool may_start(const PlacedProblem& problem, Rank rank, CoreIndex core);

/// Whether may_start() holds for every rank and no place has more ranks than its capacity.
[[nodiscard]] bool keeps_constraints(const PlacedProblem& problem, const Placement& first_cores);

/// Adds the other cores of each rank, taken from the place of its first core.
[[nodiscard]] Placement with_all_cores(const PlacedProblem& problem, Placement first_cores);

}  // namespace corewise
