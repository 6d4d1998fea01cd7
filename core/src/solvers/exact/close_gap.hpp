/// Closing the gap between a good placement and a bound: proofs that it is optimal, or tighter bounds.
#pragma once

#include <cstdint>

#include "corewise/solver.hpp"
#include "solvers/problem/deadline.hpp"
#include "solvers/problem/placed_problem.hpp"

namespace corewise::exact {

/// Proves that the solution's placement is the best (or worst), replaces it by a better one, or bounds how
/// much better one could be. Does nothing for objectives of the form NoForm.
/// @param solution  contains a valid placement; placement, proven, bound and cut_short are updated.
void close_gap(const PlacedProblem& problem, Effort effort, const Deadline& deadline, Solution& solution);

/// close_gap() for a sum of distances, if hop_instance() is not empty: up to 64 places, one rank per core.
/// @param most_steps limit on the number of sets examined: 32 ranks need up to some 10^9, 16 ranks 10^6.
void close_distance_gap(const DistanceSum& form, const PlacedProblem& problem, std::uint64_t most_steps,
                        const Deadline& deadline, Solution& solution);

/// close_gap() for greatest loads of a single phase, on a machine of any shape with up to 64 places. If the
/// objective keeps nodes, each node is treated separately and may have up to 64 places.
/// @param most_steps limit on the decisions about one rank, for each node.
void close_load_gap(const PlacedProblem& problem, std::uint64_t most_steps, const Deadline& deadline,
                    Solution& solution);

/// Bounds the least time by the load of the fullest link of the highest level, if close_load_gap() bounds it.
void close_time_gap(const PhaseTimes& form, const PlacedProblem& problem, std::uint64_t most_steps,
                    const Deadline& deadline, Solution& solution);

}  // namespace corewise::exact
