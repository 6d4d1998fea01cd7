/// Slots: the places that a problem's capacities offer, in the orders that the simple solvers deal them out.
///
/// Slots come in layers: layer 0 is one slot on every core that takes a rank, layer 1 a second one where the
/// capacity allows, and so on. A layer is used up before the next, so no core waits empty while another is
/// shared.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corewise/solver.hpp"
#include "solvers/problem/placed_problem.hpp"

namespace corewise {

/// The node of every rank: the one it is fixed to, else that of block order.
[[nodiscard]] std::vector<NodeIndex> given_nodes(const PlacedProblem& problem);

/// Ranks one node can take: [node].
[[nodiscard]] std::vector<std::int32_t> node_capacities(const PlacedProblem& problem);

/// Ranks in rank order onto the cores of their nodes, in core order.
/// @throws Error(bad_input) naming the node that is given more ranks than it takes.
[[nodiscard]] Placement place_in_order(const PlacedProblem& problem, std::span<const NodeIndex> node_of_rank);

}  // namespace corewise
