/// replay(): runs a schedule in simulated time on the links of a machine.
#pragma once

#include <span>
#include <vector>

#include "corewise/estimate.hpp"
#include "corewise/link_figures.hpp"
#include "corewise/machine.hpp"
#include "corewise/placement.hpp"
#include "corewise/schedule.hpp"
#include "estimate/link_paths.hpp"

namespace corewise {

/// The result of a replay.
struct Replayed {
  std::vector<double> end_s;       ///< [process]
  std::vector<double> compute_s;   ///< [process] total computing time
  std::vector<double> wait_s;      ///< [call] total waiting time, without processes that others start
  std::vector<double> link_bytes;  ///< [link of LinkPaths]
};

/// @param figures  [level - 1]
/// @throws Error(bad_input) if a process waits forever.
[[nodiscard]] Replayed replay(const Schedule& schedule, const Machine& machine, const LinkPaths& paths,
                              std::span<const LinkFigures> figures, const Placement& placement,
                              const Watch& watch);

}  // namespace corewise
