/// settle(): from a good hop-bytes placement to a proven one, or to a bound on what is left to gain.
#pragma once

#include <cstdint>

#include "corewise/solver.hpp"
#include "solvers/problem/deadline.hpp"
#include "solvers/problem/placed_problem.hpp"

namespace corewise::exact {

/// Whether settle_hop_bytes() does anything: one rank a core and at most 64 places.
[[nodiscard]] bool can_settle_hop_bytes(const PlacedProblem& problem);

/// Proves that a placement is best (or worst), replaces it by a better one, or says how much better one could
/// be.
///
/// Machines of any shape with up to 64 places, one rank a core; nothing is done for others.
/// @param solution   holds a valid placement; placement, proven, bound and cut_short are set.
/// @param most_steps sets looked at: 32 ranks need up to some 10^9, 16 ranks 10^6.
void settle_hop_bytes(const PlacedProblem& problem, std::uint64_t most_steps, const Deadline& deadline,
                      Solution& solution);

/// The same for link-load, node by node, and for congestion: one phase, nodes (or a machine) of any shape
/// with up to 64 places.
/// @param most_steps decisions about one rank, on each node.
void settle_loads(const PlacedProblem& problem, std::uint64_t most_steps, const Deadline& deadline,
                  Solution& solution);

/// A bound on the least time from the fullest link of the highest level, where settle_loads() bounds that.
void settle_time(const PlacedProblem& problem, std::uint64_t most_steps, const Deadline& deadline,
                 Solution& solution);

}  // namespace corewise::exact
