/// Estimate: how long a job takes under a placement, where the time goes, and how sure that is.
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
#include "corewise/traffic.hpp"

namespace corewise {

/// The link that is busy longest.
struct BusiestLink {
  int level = 0;           ///< class of the link; 0: none carried anything
  std::int32_t group = 0;  ///< object of level - 1 that it joins to its parent
  bool down = false;       ///< towards the cores; false: away from them
  bool bus = false;        ///< what all links under object `group` of `level` itself share
  std::int32_t axis = -1;  ///< of the torus: `group` is a point, the link goes to the next one along the
                           ///< axis, backwards where `down`; -1: not of the torus
  bool both_ways = false;  ///< the limit of both directions together
  double busy_s = 0;       ///< its bytes over its bandwidth
};

/// A call, or a phase of the traffic, and the time that ranks spend in it on average.
struct TimePart {
  std::string name;
  double time_s = 0;
};

/// What is estimated of one placement.
struct Estimate {
  double makespan_s = 0;    ///< from the begin to the end of the last rank
  double comm_s = 0;        ///< not computing, mean over the ranks: transfer, and waiting for others
  Bounds makespan_range_s;  ///< where the makespan lies if the figures are within their bounds
  Rank last_rank{0};        ///< the one that ends last
  BusiestLink busiest;
  std::vector<TimePart> parts;  ///< longest first
};

/// Is called soon after a replay began and then about ten times a second; what it throws ends the replay.
using Watch = std::function<void()>;

/// Replays a schedule, message by message. Messages that cross a link at the same time share its bandwidth
/// fairly (max-min); a message up to the eager threshold leaves when it is sent, a longer one when its
/// receive is posted too. How this is done and what is left out: docs/reference/estimate.md.
/// @throws Error(size_mismatch) when schedule and placement differ in their ranks; Error(unsupported) on a
/// machine without figures; Error(bad_input) naming a rank that waits for something that never comes.
[[nodiscard]] Estimate estimate(const Schedule& schedule, const Machine& machine, const Placement& placement,
                                const Watch& watch = {});

/// Traffic without an order: each phase takes as long as its busiest link and the latencies of the rank with
/// the most. Phases follow one another.
/// @param compute_s  of each rank, [rank]; empty: nothing is known of it.
/// @throws Error(size_mismatch), Error(unsupported) as above.
[[nodiscard]] Estimate estimate(const Traffic& traffic, const std::vector<double>& compute_s,
                                const Machine& machine, const Placement& placement);

}  // namespace corewise
