/// Simulated annealing of hop-bytes, and its temperatures.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "corewise/random.hpp"
#include "solvers/problem/work_meter.hpp"
#include "solvers/search/anneal.hpp"
#include "solvers/search/hop_problem.hpp"

namespace corewise::search {

/// Temperatures in proportion to the edge weights and distances of a problem.
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

/// @pre model.has_choice()
/// @return a mapping that costs no more than slot_of.
[[nodiscard]] SlotOfVertex anneal_hops(const HopModel& model, SlotOfVertex slot_of,
                                       const CoolingSchedule& schedule, Random& random, WorkMeter& work);

/// anneal_hops() with a number of proposals for each vertex that has edges. Any model is allowed.
/// @param initial_percent  as in TemperatureScale::schedule().
[[nodiscard]] SlotOfVertex anneal_vertices(const HopModel& model, SlotOfVertex slot_of, Cost initial_percent,
                                           std::uint64_t proposals_per_vertex, Random& random,
                                           WorkMeter& work);

}  // namespace corewise::search
