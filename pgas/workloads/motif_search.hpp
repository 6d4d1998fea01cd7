/// Counts temporal motifs with distributed hash multimaps. All motif workloads use this search.
#pragma once

#include <string_view>

#include "workload.hpp"

namespace corewise::workloads {

/// The root task of the motif workloads. Counts `pattern`, unless the settings contain another pattern.
void run_motif(std::string_view pattern, const Settings& settings, const Measure& measure);

}  // namespace corewise::workloads
