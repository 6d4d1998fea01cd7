/// traffic_times(): traffic whose messages have no order, as bounds of its links and ranks.
#pragma once

#include <span>
#include <vector>

#include "corewise/link_figures.hpp"
#include "corewise/machine.hpp"
#include "corewise/placement.hpp"
#include "corewise/traffic.hpp"
#include "estimate/link_paths.hpp"

namespace corewise {

/// What was found of each phase, repeats counted.
struct TrafficTimes {
  std::vector<double> phase_s;  ///< [phase]
  std::vector<double>
      latency_s;  ///< [rank], all phases: what its messages take in addition to their bytes' time
  std::vector<double> link_bytes;  ///< [link], all phases; and as many more as pass while cores copy
};

/// A phase takes what its busiest link takes for its bytes, and the latencies of the rank with most of them:
/// those of the messages that it sends, or of those that it receives, one after the other.
[[nodiscard]] TrafficTimes traffic_times(const Traffic& traffic, const Machine& machine,
                                         const LinkPaths& paths, std::span<const LinkFigures> figures,
                                         const Placement& placement);

}  // namespace corewise
