/// How simple solvers fill the slots of a node, once they have chosen each rank's node.
///
/// Slots are used in layers: layer 0 is one slot of every core, layer 1 a second slot of cores with capacity
/// 2 or more, and so on. So no core is shared while another is empty.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corewise/solver.hpp"
#include "solvers/problem/placed_problem.hpp"

namespace corewise {

/// [rank] the node that the rank is fixed to, else its node in block order.
[[nodiscard]] std::vector<NodeIndex> given_nodes(const PlacedProblem& problem);

/// [node] number of ranks that the node can take.
[[nodiscard]] std::vector<std::int32_t> node_capacities(const PlacedProblem& problem);

/// Places ranks in rank order on the cores of their nodes, in core order.
/// @throws Error(bad_input) naming a node that gets more ranks than it can take.
[[nodiscard]] Placement place_in_order(const PlacedProblem& problem, std::span<const NodeIndex> node_of_rank);

/// The cores of the nodes first_node to end_node - 1, node by node.
[[nodiscard]] std::vector<CoreIndex> cores_of(const Machine& machine, std::int32_t first_node,
                                              std::int32_t end_node);

/// Deals ranks to cores layer by layer, then numbers them in the order of the cores.
/// @param load  [core of the machine] ranks there so far; updated.
/// @pre the cores have room for all ranks.
void deal(std::span<const std::int32_t> ranks, std::span<const CoreIndex> cores,
          std::span<const std::int32_t> capacity, std::vector<std::int32_t>& load,
          std::vector<CoreIndex>& core_of_rank);

}  // namespace corewise
