/// The objective `time` with other figures than the machine's, to find the effect of an uncertain figure.
#pragma once

#include <span>
#include <vector>

#include "corewise/objective.hpp"

namespace corewise {

/// The figures of a level that `time` uses.
struct LinkCost {
  double latency_s = 0;
  double bandwidth_bytes_per_s = 0;
};

/// The machine's own figures, [level - 1].
/// @throws Error(unsupported) for a machine without figures.
[[nodiscard]] std::vector<LinkCost> costs_of(const Machine& machine);

/// The objective `time` in s, with `costs` in place of the machine's figures.
/// @param costs  [level - 1], one for each level of the machine.
/// @throws Error(size_mismatch) when traffic and placement differ in n.
[[nodiscard]] double time_with(const Traffic& traffic, const Machine& machine,
                               std::span<const LinkCost> costs, const Placement& placement);

}  // namespace corewise
