/// Least regret: one placement for phases that would each like another.
#pragma once

#include <string_view>
#include <vector>

#include "corewise/solver.hpp"

namespace corewise {

/// One phase under a placement for all of them, each phase scored by itself and once, whatever its repeats.
struct PhaseRegret {
  Score own_best;  ///< the best value found for this phase alone (the worst one, when looking for the worst)
  Score value;     ///< under the placement
  /// (value - own_best) / own_best, or (own_best - value) / own_best when looking for the worst: for every
  /// value of the objective, compared lexicographically. 0 where both are 0, infinite where only own_best is.
  Score regret;
};

/// The placement whose greatest regret over the phases is least.
struct RegretSolution {
  Solution solution;  ///< score is that of all phases together; `proven` and `bound` say nothing
  std::vector<PhaseRegret> phases;
  Score greatest;       ///< regret of the phase that loses most
  bool proven = false;  ///< every own_best and the greatest regret are shown optimal
};

/// Minimises the greatest relative loss over the phases.
///
/// Each phase is solved alone first, then placements are searched for all phases at once. The deadline is
/// shared out over these searches evenly.
/// @param solver_name  `auto`, or `exact`, which proves the result or refuses.
/// @throws as solve() does; Error(unsupported) for another solver, Error(bad_input) for traffic without
/// phases. Source: minimax regret is Savage's, J. Amer. Statist. Assoc. 46 (1951); relative to each
/// scenario's own best: Kouvelis and Yu, Robust Discrete Optimization and Its Applications (1997), "relative
/// robust decision".
[[nodiscard]] RegretSolution solve_least_regret(const MappingProblem& problem, std::string_view solver_name,
                                                const SolverOptions& options);

}  // namespace corewise
