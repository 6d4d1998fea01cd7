/// Duals from cliques, where the worst placement is wanted: whoever shares out more than a group's worth of
/// vertices that all talk to each other puts some of them together.
#pragma once

#include "solvers/exact/duals.hpp"

namespace corewise::exact {

/// The traffic is taken apart into cliques of even weight, the largest first. Of a clique's members t in one
/// group have t (t - 1) / 2 pairs, at least j t - j (j + 1) / 2 for every whole j: a dual for each member
/// and one for each group. Tight for halo exchanges with all diagonal neighbours.
/// @param family  of an instance that wants the worst: weights that aren't positive.
/// @return duals that hold.
[[nodiscard]] Duals clique_duals(const SetPartitioning& partitioning);

}  // namespace corewise::exact
