/// Duals: sums and objectives, and feasible duals that need no iterations.
#include "solvers/exact/duals.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace corewise::exact {
namespace {

/// Greatest weight that a vertex can have to `count` others together.
Cost heaviest_incident_edges(const TreeInstance& instance, int vertex, int count) {
  std::vector<Cost> edges;
  for (int u = 0; u < instance.n; ++u) {
    if (u != vertex) edges.push_back(instance.between(vertex, u));
  }
  std::ranges::sort(edges, std::ranges::greater{});
  return std::accumulate(edges.begin(), edges.begin() + count, Cost{0});
}

}  // namespace

Cost Duals::of(Subset set) const {
  Cost sum = 0;
  for_each_vertex(set, [&](int v) { sum += of_vertex[v]; });
  return sum;
}

Cost Duals::objective(const std::vector<int>& count) const {
  return std::inner_product(count.begin(), count.end(), of_class.begin(),
                            std::accumulate(of_vertex.begin(), of_vertex.end(), Cost{0}));
}

Cost SetPartitioning::base(int class_id) const {
  Cost sum = 0;
  for (const auto& [child, n_children] : instance.classes[class_id].children)
    sum += n_children * below.of_class[child];
  return sum;
}

Duals degree_duals(const SetPartitioning& problem) {
  Duals duals{problem.below.of_vertex, std::vector<Cost>(problem.instance.classes.size(), 0)};
  for (const int class_id : problem.classes()) duals.of_class[class_id] = problem.base(class_id);
  for (int v = 0; v < problem.instance.n; ++v) {
    Cost heaviest = std::numeric_limits<Cost>::min();
    for (const int class_id : problem.classes())
      heaviest = std::max(heaviest, heaviest_incident_edges(problem.instance, v, problem.size(class_id) - 1));
    duals.of_vertex[v] += problem.factor * heaviest / 2;
  }
  return duals;
}

}  // namespace corewise::exact
