/// The search for the mapping with least (or most) hop-bytes: a portfolio of starts, each refined, the best
/// kept.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "corewise/solver.hpp"
#include "solvers/problem/graph.hpp"
#include "solvers/problem/slot_rules.hpp"
#include "solvers/problem/slot_tree.hpp"
#include "solvers/problem/work_meter.hpp"

namespace corewise::search {

struct HopProblem {
  const Graph& graph;  ///< as many vertices as the tree has slots
  const SlotTree& tree;
  std::vector<std::int32_t> block;  ///< [vertex] -> slot in block order: never done worse than
  bool worst = false;
  const SlotRules* rules = nullptr;  ///< null: every vertex may take every slot
  bool own_starts = true;            ///< false: from `block` alone
  bool proof_follows = false;        ///< one that finds what is better: few ranks are searched less
  /// Is a mapping ([vertex] -> slot) known to be best? Asked of the best start of each kind, and of all; the
  /// answer if so.
  std::function<bool(const std::vector<std::int32_t>&)> is_best = [](const auto&) { return false; };
};

/// @param options  on any number of threads the answer is the same, unless the deadline cuts it short.
/// @return [vertex] -> slot, a permutation.
[[nodiscard]] std::vector<std::int32_t> optimise_hop_bytes(const HopProblem& problem,
                                                           const SolverOptions& options, WorkMeter& work);

}  // namespace corewise::search
