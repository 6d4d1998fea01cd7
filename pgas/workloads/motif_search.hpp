/// Temporal motif counts on distributed hash multimaps: the search that the motif workloads share.
#pragma once

#include <string_view>

#include "workload.hpp"

namespace corewise::workloads {

/// The root task of a motif workload whose own pattern is `pattern`.
void run_motif(std::string_view pattern, const Settings& settings, const Measure& measure);

}  // namespace corewise::workloads
