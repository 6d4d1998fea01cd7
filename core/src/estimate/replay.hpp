/// replay(): a schedule in simulated time on the links of a machine.
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

/// What a replay found.
struct Replayed {
  std::vector<double> end_s;       ///< of each process
  std::vector<double> compute_s;   ///< of each process, summed
  std::vector<double> wait_s;      ///< of each call: in processes that run from the begin on
  std::vector<double> link_bytes;  ///< [link of LinkPaths]
};

/// @param figures  of each level, [level - 1].
/// @throws Error(bad_input) if processes wait for each other without end.
[[nodiscard]] Replayed replay(const Schedule& schedule, const Machine& machine, const LinkPaths& paths,
                              std::span<const LinkFigures> figures, const Placement& placement,
                              const Watch& watch);

}  // namespace corewise
