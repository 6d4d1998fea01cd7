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

/// How many ranks each core takes when `n_ranks` are dealt layer by layer, cores ascending in each layer.
/// @param capacity  [core]; its sum must be at least n_ranks.
[[nodiscard]] std::vector<std::int32_t> dealt_evenly(std::span<const std::int32_t> capacity,
                                                     std::int32_t n_ranks);

/// The node of every rank: the one it is fixed to, else that of block order.
[[nodiscard]] std::vector<NodeIndex> given_nodes(const PlacedProblem& problem);

/// Ranks one node can take: [node].
[[nodiscard]] std::vector<std::int32_t> node_capacities(const PlacedProblem& problem);

/// Ranks in rank order onto the cores of their nodes, in core order.
/// @throws Error(bad_input) naming the node that is given more ranks than it takes.
[[nodiscard]] Placement place_in_order(const PlacedProblem& problem, std::span<const NodeIndex> node_of_rank);

}  // namespace corewise
