/// link_loads(): adds each pair's bytes to all links between the two cores and their lowest common ancestor.
#include "checked.hpp"
#include "corewise/objective.hpp"

namespace corewise {

LinkLoads link_loads(const PairGraph& graph, const Machine& machine, const Placement& placement,
                     int up_to_level) {
  require_same_ranks(graph.n_ranks(), placement.n_ranks());
  LinkLoads loads(machine.n_levels());
  for (int level = 1; level <= machine.n_levels(); ++level)
    loads[level - 1].assign(machine.n_groups(level - 1), 0);

  for (std::int32_t rank = 0; rank < graph.n_ranks(); ++rank) {
    const CoreIndex here = placement.core(Rank{rank});
    for (const PairTraffic& pair : graph.partners(Rank{rank})) {
      const int meeting = machine.meeting_level(here, placement.core(pair.peer));
      if (meeting > up_to_level) continue;
      // Each pair is in the rows of both ranks; each row adds the links on its own side.
      for (int level = 1; level <= meeting; ++level)
        loads[level - 1][machine.group(level - 1, here)] += pair.bytes;
    }
  }
  return loads;
}

}  // namespace corewise
