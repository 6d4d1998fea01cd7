/// The load model of an objective, whichever form of loads it has.
#pragma once

#include "solvers/search/load_model.hpp"

namespace corewise::testing {

/// @param problem  its objective compares loads or times.
inline search::LoadModel load_model_of(const PlacedProblem& problem, const SlotTree& tree) {
  if (const auto* times = std::get_if<PhaseTimes>(&problem.form))
    return search::make_load_model(*times, problem, tree);
  return search::make_load_model(std::get<GreatestLoads>(problem.form), problem, tree);
}

}  // namespace corewise::testing
