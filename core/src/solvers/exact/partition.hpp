/// Partitions of all vertices into groups of the top level: what the searches for the cheapest one return.
#pragma once

#include <utility>
#include <vector>

#include "solvers/problem/hop_instance.hpp"

namespace corewise::exact {

struct PartitionResult {
  std::vector<VertexGroup> groups;  ///< empty where no partition within the limit was found
  Cost cost = 0;
  bool complete = true;  ///< false where steps or time ran out
};

/// The cheapest partition that a search has found so far.
class Incumbent {
 public:
  Incumbent(Cost most_cost, Cost granularity) : most_cost_(most_cost), granularity_(granularity) {}

  /// Cost of a better partition, at most.
  [[nodiscard]] Cost most_cost() const { return most_cost_; }

  /// Keeps a partition that is better. @return whether it is
  bool offer(const std::vector<VertexGroup>& groups, Cost cost) {
    if (cost > most_cost_) return false;
    result.groups = groups;
    result.cost = cost;
    most_cost_ = cost - granularity_;
    return true;
  }

  PartitionResult result;

 private:
  Cost most_cost_;
  Cost granularity_;
};

}  // namespace corewise::exact
