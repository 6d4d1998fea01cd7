// Workload motif_1: matches of the temporal pattern 01,12,23.
#include "motif_search.hpp"

namespace corewise::workloads {

void run_motif_1(const Settings& settings, const Measure& measure) {
  run_motif("01,12,23", settings, measure);
}

}  // namespace corewise::workloads
