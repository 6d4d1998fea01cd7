/// The load model of an objective on loads or times.
#pragma once

#include "solvers/search/load_model.hpp"

namespace corewise::testing {

/// @param problem  with an objective of the form GreatestLoads or PhaseTimes.
inline search::LoadModel load_model_of(const PlacedProblem& problem, const SlotTree& tree) {
  if (const auto* times = std::get_if<PhaseTimes>(&problem.form))
    return search::make_load_model(*times, problem, tree);
  return search::make_load_model(std::get<GreatestLoads>(problem.form), problem, tree);
}

}  // namespace corewise::testing
