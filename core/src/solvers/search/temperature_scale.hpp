/// TemperatureScale: annealing temperatures in proportion to the edge weights and distances of a problem.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "solvers/problem/graph.hpp"
#include "solvers/problem/slot_tree.hpp"
#include "solvers/search/anneal.hpp"

namespace corewise::search {

class TemperatureScale {
 public:
  /// @param graph  has edges.
  TemperatureScale(const Graph& graph, const SlotTree& tree) {
    Cost total = 0;
    for (const Edge& edge : graph.edges) total += edge.weight;
    mean_weight_ = std::max<Cost>(1, total / static_cast<Cost>(graph.edges.size()));
    greatest_distance_ = tree.distance_of_level(1);
    least_step_ = greatest_distance_;
    for (int level = 2; level <= tree.n_levels(); ++level) {
      const Cost step = std::abs(tree.distance_of_level(level) - tree.distance_of_level(level - 1));
      if (level == 2 || step < least_step_) least_step_ = step;
      greatest_distance_ = std::max(greatest_distance_, tree.distance_of_level(level));
    }
  }

  /// Half the cost of lengthening an edge of mean weight by the smallest step between two levels.
  [[nodiscard]] Cost lowest() const { return std::max<Cost>(1, mean_weight_ * least_step_ / 2); }

  /// From a percentage of the cost of an edge of mean weight at the greatest distance down to lowest().
  [[nodiscard]] CoolingSchedule schedule(Cost initial_percent, std::uint64_t proposals) const {
    const Cost initial = mean_weight_ * greatest_distance_ * initial_percent / 100;
    return {std::max(lowest(), initial), lowest(), proposals};
  }

 private:
  Cost mean_weight_ = 1;
  Cost greatest_distance_ = 1;
  Cost least_step_ = 1;
};

}  // namespace corewise::search
