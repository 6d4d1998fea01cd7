/// The objective `time` under other figures than the machine's own: what a doubt about one of them changes.
#pragma once

#include <span>
#include <vector>

#include "corewise/objective.hpp"

namespace corewise {

/// What `time` takes of a level's figures.
struct LinkCost {
  double latency_s = 0;
  double bandwidth_bytes_per_s = 0;
};

/// The machine's own figures, [level - 1].
/// @throws Error(unsupported) for a machine without figures.
[[nodiscard]] std::vector<LinkCost> costs_of(const Machine& machine);

/// Estimated seconds as the objective `time` has them, with `costs` in place of the machine's figures.
/// @param costs  [level - 1], one for each level of the machine.
/// @throws Error(size_mismatch) when traffic and placement differ in n.
[[nodiscard]] double time_with(const Traffic& traffic, const Machine& machine,
                               std::span<const LinkCost> costs, const Placement& placement);

}  // namespace corewise
