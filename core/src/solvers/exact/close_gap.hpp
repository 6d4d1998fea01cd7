/// Closing the gap: from a good placement to a proven one, or to a bound on what is left to gain.
#pragma once

#include <cstdint>

#include "corewise/solver.hpp"
#include "solvers/problem/deadline.hpp"
#include "solvers/problem/placed_problem.hpp"

namespace corewise::exact {

/// Proves that a placement is best (or worst), replaces it by a better one, or says how much better one could
/// be; the way depends on the form of the objective, and nothing is done where it has none.
/// @param solution  holds a valid placement; placement, proven, bound and cut_short are set.
void close_gap(const PlacedProblem& problem, Effort effort, const Deadline& deadline, Solution& solution);

/// Whether close_distance_gap() does anything: a sum of distances, one rank a core and at most 64 places.
[[nodiscard]] bool can_close_distance_gap(const DistanceSum& form, const PlacedProblem& problem);

/// The gap of a sum of distances, on machines of any shape with up to 64 places, one rank a core; nothing is
/// done for others.
/// @param most_steps sets examined: 32 ranks need up to some 10^9, 16 ranks 10^6.
void close_distance_gap(const DistanceSum& form, const PlacedProblem& problem, std::uint64_t most_steps,
                        const Deadline& deadline, Solution& solution);

/// The gap of greatest loads, node by node where the objective keeps nodes: one phase, nodes (or a machine)
/// of any shape with up to 64 places.
/// @param most_steps decisions about one rank, on each node.
void close_load_gap(const PlacedProblem& problem, std::uint64_t most_steps, const Deadline& deadline,
                    Solution& solution);

/// A bound on the least time of phases from the fullest link of the highest level, where close_load_gap()
/// bounds that.
void close_time_gap(const PhaseTimes& form, const PlacedProblem& problem, std::uint64_t most_steps,
                    const Deadline& deadline, Solution& solution);

}  // namespace corewise::exact
