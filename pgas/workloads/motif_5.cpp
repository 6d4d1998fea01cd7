// Workload motif_5: matches of the temporal pattern 01,12,23,30,10.
#include "motif_search.hpp"

namespace corewise::workloads {

void run_motif_5(const Settings& settings, const Measure& measure) {
  run_motif("01,12,23,30,10", settings, measure);
}

}  // namespace corewise::workloads
