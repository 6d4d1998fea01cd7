/// traffic_times(): the time of traffic whose messages have no order, from link loads and latencies.
#pragma once

#include <span>
#include <vector>

#include "corewise/link_figures.hpp"
#include "corewise/machine.hpp"
#include "corewise/placement.hpp"
#include "corewise/stop.hpp"
#include "corewise/traffic.hpp"
#include "estimate/link_paths.hpp"

namespace corewise {

/// Times and loads; each phase counts `repeat` times.
struct TrafficTimes {
  std::vector<double> phase_s;     ///< [phase]
  std::vector<double> latency_s;   ///< [rank] latencies of its messages in all phases
  std::vector<double> link_bytes;  ///< [link] in all phases; time that a core copies counts as the bytes
                                   ///< that its link could carry in that time
};

/// The time of a phase is that of its busiest link plus the latencies of the rank with the greatest sum. A
/// rank's sum is that of the messages that it sends or of those that it receives, whichever is greater.
/// @throws Stopped once a stop was requested.
[[nodiscard]] TrafficTimes traffic_times(const Traffic& traffic, const Machine& machine,
                                         const LinkPaths& paths, std::span<const LinkFigures> figures,
                                         const Placement& placement, const std::stop_token& stop);

}  // namespace corewise
