/// Annealing by hop-bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "corewise/random.hpp"
#include "solvers/problem/graph.hpp"
#include "solvers/problem/slot_rules.hpp"
#include "solvers/problem/slot_tree.hpp"
#include "solvers/problem/work_meter.hpp"
#include "solvers/search/anneal.hpp"

namespace corewise::search {

/// What is annealed.
struct HopModel {
  const Graph& graph;
  const SlotTree& tree;              ///< one whose slots are not all equally far apart
  int sign = 1;                      ///< -1 looks for the worst mapping
  const SlotRules* rules = nullptr;  ///< null: every vertex may take every slot
};

/// @return [vertex] -> slot, no worse than slot_of.
[[nodiscard]] std::vector<std::int32_t> anneal_hops(const HopModel& model, std::vector<std::int32_t> slot_of,
                                                    const CoolingSchedule& schedule, Random& random,
                                                    WorkMeter& work);

}  // namespace corewise::search
