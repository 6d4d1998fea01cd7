/// Estimate: the predicted time of a job under a placement, with an interval, and where the time goes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "corewise/advice.hpp"
#include "corewise/link_figures.hpp"
#include "corewise/machine.hpp"
#include "corewise/placement.hpp"
#include "corewise/schedule.hpp"
#include "corewise/stop.hpp"
#include "corewise/traffic.hpp"

namespace corewise {

/// The link with the greatest ratio of bytes to bandwidth.
struct BusiestLink {
  int level = 0;           ///< class of the link; 0: no link carried any bytes
  std::int32_t group = 0;  ///< object of level - 1 that the link joins to its parent
  bool down = false;       ///< direction: towards the cores, else away from them
  bool bus = false;        ///< the bus that all links under object `group` of `level` share
  std::int32_t axis = -1;  ///< -1: no link of the torus; else the link from point `group` to the next one
                           ///< along this axis, backwards if `down`
  bool both_ways = false;  ///< the common limit of both directions of the link
  double busy_s = 0;       ///< bytes over bandwidth
};

/// A call, or a phase of the traffic, and the mean time that ranks spend in it.
struct TimePart {
  std::string name;
  double time_s = 0;
};

/// The estimate for one placement.
struct Estimate {
  double makespan_s = 0;    ///< from the start of the job to the end of the last rank
  double comm_s = 0;        ///< mean over the ranks of the time without computing: transfer and waiting
  Bounds makespan_range_s;  ///< makespan if the machine's figures vary within their bounds
  Rank last_rank{0};        ///< the rank that ends last
  BusiestLink busiest;
  std::vector<TimePart> parts;  ///< longest first
};

/// Called soon after the start of a replay, then about ten times a second. Its exception ends the replay.
using Watch = std::function<void()>;

/// Replays a schedule message by message. Messages that cross a link at the same time share its bandwidth
/// (max-min fairness). A message up to the eager threshold leaves when it is sent, a longer message when its
/// receive is posted too. docs/reference/estimate.md describes the model and what it leaves out.
/// @throws Error(size_mismatch) when schedule and placement have different numbers of ranks;
/// Error(unsupported) on a machine without figures; Error(bad_input) naming a rank that waits forever.
[[nodiscard]] Estimate estimate(const Schedule& schedule, const Machine& machine, const Placement& placement,
                                const Watch& watch = {});

/// Estimates traffic whose messages have no order. A phase takes the time of its busiest link plus the
/// greatest sum of latencies of a rank. Phases follow one another.
/// @param compute_s  [rank] computing time; empty: unknown, taken as 0.
/// @throws Error(size_mismatch), Error(unsupported) as above; Stopped once `stop` was requested.
[[nodiscard]] Estimate estimate(const Traffic& traffic, const std::vector<double>& compute_s,
                                const Machine& machine, const Placement& placement,
                                const std::stop_token& stop = {});

}  // namespace corewise
