/// Grouping by pair weight, for the solvers frequency-major and size-major.
#pragma once

#include <cstdint>

#include "corewise/solver.hpp"
#include "solvers/problem/placed_problem.hpp"

namespace corewise {

/// Takes the pairs of a matrix from the heaviest on, ties in rank order. For each pair, joins the groups of
/// both ranks if the result fits on the largest node. Then puts the groups on nodes, large groups first, each
/// on the node with the least sufficient room. A group that fits on no node is split in rank order.
/// @param weight        the bytes or the messages of a pair.
/// @param equal_within  at least 1. Pairs count as equally heavy down to 1 / equal_within of the heaviest
///                      remaining pair.
[[nodiscard]] Solution solve_by_pairs(const PlacedProblem& problem, const CommMatrix& matrix,
                                      std::uint64_t PairTraffic::* weight, double equal_within);

}  // namespace corewise
