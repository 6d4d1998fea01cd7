/// Objective `hop-bytes`: the bytes of each pair, both directions added, times the distance of its two cores.
#include "checked.hpp"
#include "objectives/rows.hpp"

namespace corewise {

Score evaluate_hop_bytes(const Traffic& traffic, const Machine& machine, const Placement& placement) {
  require_same_ranks(traffic.n_ranks(), placement.n_ranks());
  std::uint64_t total = 0;
  for (const Phase& phase : traffic.phases) {
    std::uint64_t sum = 0;
    for (std::int32_t src = 0; src < traffic.n_ranks(); ++src) {
      for (const PairTraffic& entry : phase.matrix.row(Rank{src})) {
        add_product(sum, entry.bytes,
                    machine.distance(placement.core(Rank{src}), placement.core(entry.peer)));
      }
    }
    add_product(total, phase.repeat, sum);
  }
  return Score{{static_cast<double>(total)}};
}

ObjectiveForm form_of_hop_bytes(const Machine& machine) {
  DistanceSum form;
  for (const Level& level : machine.levels()) form.distance.push_back(level.distance);
  return form;
}

}  // namespace corewise
