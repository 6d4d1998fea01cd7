/// Objective `congestion`: greatest load of every class of links, the network first.
#include "objectives/rows.hpp"

namespace corewise {

Score evaluate_congestion(const Traffic& traffic, const Machine& machine, const Placement& placement) {
  return greatest_loads(traffic, machine, placement, machine.n_levels());
}

ObjectiveForm form_of_congestion(const Machine& /*machine*/) { return GreatestLoads{}; }

}  // namespace corewise
