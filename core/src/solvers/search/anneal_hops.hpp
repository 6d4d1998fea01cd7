/// Simulated annealing of hop-bytes.
#pragma once

#include "corewise/random.hpp"
#include "solvers/problem/work_meter.hpp"
#include "solvers/search/anneal.hpp"
#include "solvers/search/hop_problem.hpp"

namespace corewise::search {

/// @pre model.has_choice()
/// @return a mapping that costs no more than slot_of.
[[nodiscard]] SlotOfVertex anneal_hops(const HopModel& model, SlotOfVertex slot_of,
                                       const CoolingSchedule& schedule, Random& random, WorkMeter& work);

}  // namespace corewise::search
