/// Initial mappings of the search for hop-bytes: runs all constructions, then keeps the best and most
/// different mappings.
#pragma once

#include <utility>
#include <vector>

#include "solvers/search/hop_problem.hpp"
#include "solvers/search/search_parameters.hpp"
#include "solvers/search/task_runner.hpp"

namespace corewise::search {

/// A mapping with its cost; the better of two compares less.
struct RatedMapping {
  Cost cost = 0;
  SlotOfVertex slot_of;
  int construction = 0;  ///< the number of the construction that made it; 0 if it no longer matters
  friend auto operator<=>(const RatedMapping&, const RatedMapping&) = default;
};

[[nodiscard]] inline RatedMapping rated(const HopModel& model, SlotOfVertex slot_of) {
  const Cost cost = hop_bytes(model, slot_of);
  return {cost, std::move(slot_of)};
}

/// At most plan.annealing_runs mappings of different costs. The best is first. Then follows the best mapping
/// of each other construction if it costs at most 5 % more, so that annealing starts from different
/// structures. Then follow the others.
/// @param n_threads  at most; the result does not depend on it.
[[nodiscard]] std::vector<RatedMapping> initial_mappings(const HopProblem& problem, const HopPlan& plan,
                                                         int n_threads, TaskRunner& tasks);

}  // namespace corewise::search
