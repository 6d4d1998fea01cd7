// Workload motif_2: matches of the temporal pattern 01,12,20.
#include "motif_search.hpp"

namespace corewise::workloads {

void run_motif_2(const Settings& settings, const Measure& measure) {
  run_motif("01,12,20", settings, measure);
}

}  // namespace corewise::workloads
