/// The slots of a problem, and conversions between placements and slots.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "corewise/placement.hpp"
#include "solvers/problem/placed_problem.hpp"
#include "solvers/problem/slot_tree.hpp"

namespace corewise {

/// The slots of the problem's machine, with the distances of a DistanceSum, else with the machine's.
inline SlotTree slot_tree_of(const PlacedProblem& problem) {
  using Distances = std::span<const std::uint32_t>;
  const auto* sum = std::get_if<DistanceSum>(&problem.form);
  return {problem.machine, problem.places.capacity, sum ? Distances(sum->distance) : Distances()};
}

/// [vertex] the slot of each rank, then of each padding vertex: the remaining slots, ascending.
inline std::vector<std::int32_t> slots_of(const Placement& placement, const SlotTree& tree,
                                          std::int32_t n_cores) {
  std::vector<std::int32_t> next(n_cores, -1), slot_of;
  for (std::int32_t slot = tree.n_slots() - 1; slot >= 0; --slot) next[raw(tree.core(slot))] = slot;
  std::vector<std::uint8_t> taken(tree.n_slots(), 0);
  for (const CoreIndex core : placement.core_of_rank()) {
    slot_of.push_back(next[raw(core)]++);
    taken[slot_of.back()] = 1;
  }
  for (std::int32_t slot = 0; slot < tree.n_slots(); ++slot) {
    if (!taken[slot]) slot_of.push_back(slot);
  }
  return slot_of;
}

/// Each rank on the core of its slot, without the padding vertices.
inline Placement placement_of(const std::vector<std::int32_t>& slot_of, const SlotTree& tree,
                              std::int32_t n_ranks) {
  std::vector<CoreIndex> core_of_rank;
  for (std::int32_t rank = 0; rank < n_ranks; ++rank) core_of_rank.push_back(tree.core(slot_of[rank]));
  return Placement(std::move(core_of_rank));
}

}  // namespace corewise
