/// The heuristic search for the mapping with the least (or greatest) hop-bytes: constructs several mappings
/// and anneals the best ones.
#pragma once

#include "corewise/solver.hpp"
#include "solvers/problem/work_meter.hpp"
#include "solvers/search/hop_problem.hpp"

namespace corewise::search {

/// @param options  the result does not depend on the number of threads, unless the deadline cuts the search
///                 short.
[[nodiscard]] SlotOfVertex optimise_hop_bytes(const HopProblem& problem, const SolverOptions& options,
                                              WorkMeter& work);

}  // namespace corewise::search
