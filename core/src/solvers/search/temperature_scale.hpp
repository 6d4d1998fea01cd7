/// TemperatureScale: the scale of temperatures of a graph on a tree.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "solvers/problem/graph.hpp"
#include "solvers/problem/slot_tree.hpp"
#include "solvers/search/anneal.hpp"

namespace corewise::search {

/// Typical and least changes that a swap makes. The graph must have edges.
class TemperatureScale {
 public:
  TemperatureScale(const Graph& graph, const SlotTree& tree) {
    Cost total = 0;
    for (const Edge& edge : graph.edges) total += edge.weight;
    mean_weight_ = std::max<Cost>(1, total / static_cast<Cost>(graph.edges.size()));
    widest_ = tree.distance_of_level(1);
    narrowest_ = widest_;
    for (int level = 2; level <= tree.n_levels(); ++level) {
      const Cost step = std::abs(tree.distance_of_level(level) - tree.distance_of_level(level - 1));
      if (level == 2 || step < narrowest_) narrowest_ = step;
      widest_ = std::max(widest_, tree.distance_of_level(level));
    }
  }

  /// Half of what one step of distance costs a mean pair.
  [[nodiscard]] Cost coldest() const { return std::max<Cost>(1, mean_weight_ * narrowest_ / 2); }

  /// From `percent` of a mean pair at the widest distance to the coldest.
  [[nodiscard]] CoolingSchedule schedule(Cost percent, std::uint64_t proposals) const {
    return {std::max(coldest(), mean_weight_ * widest_ * percent / 100), coldest(), proposals};
  }

 private:
  Cost mean_weight_ = 1;
  Cost widest_ = 1;
  Cost narrowest_ = 1;
};

}  // namespace corewise::search
