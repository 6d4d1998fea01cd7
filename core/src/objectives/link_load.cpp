/// Objective `link-load`: greatest load of every class of links inside nodes, from intra-node bytes only.
#include <algorithm>

#include "checked.hpp"
#include "objectives/rows.hpp"

namespace corewise {

Score evaluate_link_load(const Traffic& traffic, const Machine& machine, const Placement& placement) {
  return greatest_loads(traffic, machine, placement, machine.node_level());
}

ObjectiveForm form_of_link_load(const Machine& /*machine*/) { return GreatestLoads{}; }

Score greatest_loads(const Traffic& traffic, const Machine& machine, const Placement& placement,
                     int top_level) {
  // Class 1 is left out: with one rank per core, its loads are the same in every placement.
  std::vector<std::uint64_t> sums(std::max(top_level - 1, 0), 0);
  for (const Phase& phase : traffic.phases) {
    const LinkLoads loads = link_loads(PairGraph(phase.matrix), machine, placement, top_level);
    for (int level = top_level; level >= 2; --level) {
      add_product(sums[top_level - level], phase.repeat, std::ranges::max(loads[level - 1]));
    }
  }
  return Score{{sums.begin(), sums.end()}};
}

}  // namespace corewise
