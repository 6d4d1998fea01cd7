/// Groups of ranks that talk most, one group a node: what frequency-major and size-major share.
#pragma once

#include <cstdint>

#include "corewise/solver.hpp"
#include "solvers/problem/placed_problem.hpp"

namespace corewise {

/// Takes the pairs of a matrix from the heaviest on, ties in rank order, and puts both ranks (with those
/// already next to them) on one node wherever a node is large enough. Groups then fill nodes, large groups
/// first, each in the tightest node that takes it whole; a group that no node takes any more is split in rank
/// order.
/// @param weight        what of a pair counts: its bytes or its messages.
/// @param equal_within  at least 1: pairs count as equally heavy from the heaviest one left down to this part
///                      of its weight, 1 / equal_within.
[[nodiscard]] Solution solve_by_pairs(const PlacedProblem& problem, const CommMatrix& matrix,
                                      std::uint64_t PairTraffic::* weight, double equal_within);

}  // namespace corewise
