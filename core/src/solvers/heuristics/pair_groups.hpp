/// Groups of ranks that talk most, one group a node: what frequency-major and size-major share.
#pragma once

#include <cstdint>
#include <vector>

#include "corewise/solver.hpp"
#include "solvers/problem/placed_problem.hpp"

namespace corewise {

struct WeightedPair {
  Rank a;
  Rank b;
  std::uint64_t weight = 0;
};

/// Takes the pairs from the heaviest on, ties in the order given, and puts both ranks (with those already
/// beside them) on one node wherever a node is large enough. Groups then fill nodes, large groups first, each
/// in the tightest node that takes it whole; a group that no node takes any more is split in rank order.
[[nodiscard]] std::vector<NodeIndex> group_on_nodes(const PlacedProblem& problem,
                                                    std::vector<WeightedPair> pairs);

}  // namespace corewise
