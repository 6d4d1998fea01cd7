/// Duals from cliques, where the worst placement is wanted: a clique with more vertices than there are groups
/// has pairs that share a group.
#pragma once

#include "solvers/exact/duals.hpp"

namespace corewise::exact {

/// The traffic is decomposed into cliques of uniform weight, the largest first. If t members of a clique
/// share a group, t (t - 1) / 2 of its pairs do, which is at least j t - j (j + 1) / 2 for every whole j. So
/// j is a dual of each member and -j (j + 1) / 2 one of each group. Tight for halo exchanges with all
/// diagonal neighbours.
/// @param problem  of an instance that wants the worst placement: no weight is positive.
/// @return feasible duals.
[[nodiscard]] Duals clique_duals(const SetPartitioning& problem);

}  // namespace corewise::exact
