/// Counting temporal motifs on distributed hash multimaps: the search that the motif workloads share.
#pragma once

#include <string_view>

#include "workload.hpp"

namespace corewise::workloads {

/// The root task of the motif workloads. Counts `pattern` where the settings give no other.
void run_motif(std::string_view pattern, const Settings& settings, const Measure& measure);

}  // namespace corewise::workloads
